internal import LedgerHash

/// A public key that signatures of notes are checked with: Ed25519, type 1 of C2SP signed-note.
public struct VerifierKey: Hashable, Sendable {
  /// The key's name.
  public let name: KeyName
  /// The 32 bytes of the public key (RFC 8032).
  public let publicKey: [UInt8]
  /// The first four bytes of SHA-256 of name, newline, type and public key.
  public let id: UInt32

  /// The type of an Ed25519 key.
  static let type: UInt8 = 1

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - name: The key's name.
  ///   - publicKey: 32 bytes.
  /// - Throws: ``ProofError`` if there are more or fewer.
  public init(name: KeyName, publicKey: [UInt8]) throws(ProofError) {
    guard publicKey.count == Ed25519.keyByteCount else {
      throw ProofError(.byteCount(found: publicKey.count, expected: Ed25519.keyByteCount))
    }
    self.name = name
    self.publicKey = publicKey
    let named = Array(name.text.utf8) + [UInt8(ascii: "\n"), Self.type] + publicKey
    id = UInt32(truncatingIfNeeded: SHA256().hash(named.span).words.0 >> 32)
  }

  /// Parses `name+id+key`: the id as 8 hexadecimal digits in lower case, the key as Base64 of its
  /// type and bytes.
  ///
  /// - Throws: ``ProofError`` if the text is anything else, or the id not the key's.
  public init(parsing text: String) throws(ProofError) {
    let (name, id, bytes) = try KeyText.parse(Array(text.utf8)[...])
    try self.init(name: name, publicKey: bytes)
    guard id == self.id else { throw ProofError(.keyIDDiffers(found: id, expected: self.id)) }
  }
}

extension VerifierKey: CustomStringConvertible {
  /// The text that ``init(parsing:)`` reads.
  public var description: String { KeyText.text(name, id, publicKey) }
}

/// What the texts of public and private keys have in common.
enum KeyText {
  private static let form = "name+id+key, the id as 8 hexadecimal digits in lower case"

  static func text(_ name: KeyName, _ id: UInt32, _ bytes: [UInt8]) -> String {
    "\(name)+\(id.eightDigits)+\(Base64.text([VerifierKey.type] + bytes))"
  }

  static func parse(
    _ text: ArraySlice<UInt8>
  ) throws(ProofError) -> (name: KeyName, id: UInt32, bytes: [UInt8]) {
    let parts = text.split(
      separator: UInt8(ascii: "+"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw ProofError(.expected(form)) }
    let name = try KeyName(parts[0])
    guard let id = Numbers.hexadecimal(parts[1]) else { throw ProofError(.expected(form)) }
    guard let bytes = Base64.bytes(parts[2]) else { throw ProofError(.invalidBase64) }
    guard bytes.count == Ed25519.keyByteCount + 1 else {
      throw ProofError(.byteCount(found: bytes.count, expected: Ed25519.keyByteCount + 1))
    }
    guard bytes[0] == VerifierKey.type else { throw ProofError(.unknownKeyType(bytes[0])) }
    return (name, id, Array(bytes.dropFirst()))
  }
}
