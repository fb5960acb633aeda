/// A private key that signs notes: Ed25519, in the text form of Go's `golang.org/x/mod/sumdb/note`.
///
/// It holds the secret in memory like any other value; OpenSSL's own copies are wiped. Its
/// description does not show the secret, ``secretText`` does.
public struct SignerKey: Sendable {
  /// The public key that checks what this one signs.
  public let verifier: VerifierKey

  private let seed: [UInt8]

  private static let prefix = "PRIVATE+KEY+"

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - name: The key's name.
  ///   - seed: 32 bytes that nobody can guess, the private key of RFC 8032.
  /// - Throws: ``ProofError`` if there are more or fewer.
  public init(name: KeyName, seed: [UInt8]) throws(ProofError) {
    guard seed.count == Ed25519.keyByteCount else {
      throw ProofError(.byteCount(found: seed.count, expected: Ed25519.keyByteCount))
    }
    guard let publicKey = Ed25519.publicKey(seed: seed) else { throw ProofError(.invalidKey) }
    self.seed = seed
    verifier = try VerifierKey(name: name, publicKey: publicKey)
  }

  /// Makes a new key.
  ///
  /// - Parameters:
  ///   - name: The key's name.
  ///   - generator: Where 32 bytes are drawn from: the system's, except in tests.
  /// - Throws: ``ProofError`` if OpenSSL makes no key of them.
  public init(
    name: KeyName, using generator: inout some RandomNumberGenerator
  ) throws(ProofError) {
    var seed: [UInt8] = []
    for _ in 0..<Ed25519.keyByteCount { seed.append(.random(in: 0...255, using: &generator)) }
    try self.init(name: name, seed: seed)
  }

  /// Parses `PRIVATE+KEY+name+id+key`: the id is the public key's, the key Base64 of type and seed.
  ///
  /// - Throws: ``ProofError`` if the text is anything else, or the id not the key's.
  public init(parsing text: String) throws(ProofError) {
    guard let rest = Array(text.utf8)[...].after(Self.prefix) else {
      throw ProofError(.expected(Self.prefix))
    }
    let (name, id, bytes) = try KeyText.parse(rest)
    try self.init(name: name, seed: bytes)
    guard id == verifier.id else {
      throw ProofError(.keyIDDiffers(found: id, expected: verifier.id))
    }
  }

  /// The text that ``init(parsing:)`` reads: who has it can sign.
  public var secretText: String { Self.prefix + KeyText.text(verifier.name, verifier.id, seed) }

  /// The signature of a message, 64 bytes.
  func sign(_ message: [UInt8]) throws(ProofError) -> [UInt8] {
    guard let signature = Ed25519.sign(message, seed: seed) else { throw ProofError(.invalidKey) }
    return signature
  }
}

extension SignerKey: CustomStringConvertible, CustomReflectable {
  /// The public key.
  public var description: String { "the private key of \(verifier)" }
  /// The public key.
  public var customMirror: Mirror { Mirror(self, children: ["verifier": verifier]) }
}
