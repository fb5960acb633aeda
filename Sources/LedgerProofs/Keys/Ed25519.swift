internal import CCrypto

/// Signatures by Ed25519 (RFC 8032) through OpenSSL: pure functions of their bytes.
enum Ed25519 {
  static let keyByteCount = 32
  static let signatureByteCount = 64

  /// The public key of a secret seed of 32 bytes; `nil` if OpenSSL refuses the seed.
  static func publicKey(seed: [UInt8]) -> [UInt8]? {
    guard let key = Key(secret: seed) else { return nil }
    var publicKey: [UInt8] = Array(repeating: 0, count: keyByteCount)
    var count = keyByteCount
    let isDone = unsafe EVP_PKEY_get_raw_public_key(key.pointer, &publicKey, &count) == 1
    return isDone && count == keyByteCount ? publicKey : nil
  }

  /// The signature of a message, the same each time; `nil` if OpenSSL refuses the seed.
  static func sign(_ message: [UInt8], seed: [UInt8]) -> [UInt8]? {
    guard let key = Key(secret: seed), let context = unsafe EVP_MD_CTX_new() else { return nil }
    defer { unsafe EVP_MD_CTX_free(context) }
    var signature: [UInt8] = Array(repeating: 0, count: signatureByteCount)
    var count = signatureByteCount
    let isDone =
      unsafe EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1
      && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    return isDone && count == signatureByteCount ? signature : nil
  }

  /// Whether a signature fits a message and a public key; bytes that are no key fit nothing.
  static func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    guard signature.count == signatureByteCount, let key = Key(public: publicKey),
      let context = unsafe EVP_MD_CTX_new()
    else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// Owns a key of OpenSSL's, which wipes it when it is freed.
  @safe private struct Key: ~Copyable {
    let pointer: OpaquePointer

    init?(secret seed: [UInt8]) {
      guard seed.count == keyByteCount,
        let pointer = unsafe EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count)
      else { return nil }
      unsafe self.pointer = pointer
    }

    init?(public bytes: [UInt8]) {
      guard bytes.count == keyByteCount,
        let pointer = unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count)
      else { return nil }
      unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_PKEY_free(pointer) }
  }
}
