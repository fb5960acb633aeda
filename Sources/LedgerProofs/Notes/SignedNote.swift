/// A text and its signatures (C2SP signed-note).
///
/// Parsing checks the form alone. The text means nothing before ``verify(by:)`` has passed.
public struct SignedNote: Hashable, Sendable {
  /// One line of the signatures.
  public struct Signature: Hashable, Sendable {
    /// The name of the key that is said to have signed.
    public let keyName: KeyName
    /// The id of that key.
    public let keyID: UInt32
    /// What the key made of the text, at least one byte.
    public let bytes: [UInt8]
  }

  /// What is signed, UTF-8 with a newline at its end.
  public let text: [UInt8]
  /// The signatures in their order, at least one and at most ``maximumSignatureCount``.
  public private(set) var signatures: [Signature]

  /// How many signatures a note may have; C2SP asks for at least 16.
  public static let maximumSignatureCount = 64
  /// How many bytes a note or a proof that is read may have.
  public static let maximumByteCount = 1_000_000

  private static let signaturePrefix = "\u{2014} "
  private static let signatureForm = "an em dash, a space, a key's name, a space and Base64"

  /// Signs a text.
  ///
  /// - Parameters:
  ///   - text: Ends in a newline and has no other control character.
  ///   - key: Signs it. The same text and key give the same note.
  /// - Throws: ``ProofError`` if the text is not of that form, or too long.
  public init(text: String, signedBy key: SignerKey) throws(ProofError) {
    let bytes = Array(text.utf8)
    try Self.checkText(bytes[...], line: 1)
    self.text = bytes
    signatures = []
    try addSignature(by: key)
  }

  /// Adds a signature after the others.
  ///
  /// - Throws: ``ProofError`` if there are ``maximumSignatureCount``.
  public mutating func addSignature(by key: SignerKey) throws(ProofError) {
    guard signatures.count < Self.maximumSignatureCount else {
      throw ProofError(.tooManySignatures)
    }
    let signature = Signature(
      keyName: key.verifier.name, keyID: key.verifier.id, bytes: try key.sign(text))
    signatures.append(signature)
  }

  /// Reads a note: what is accepted is written again as the same bytes.
  ///
  /// - Throws: ``ProofError`` with the line if the bytes are no note.
  public init(parsing bytes: [UInt8]) throws(ProofError) { try self.init(bytes[...], line: 1) }

  /// Reads a note that begins in a line of something larger.
  init(_ bytes: ArraySlice<UInt8>, line firstLine: Int) throws(ProofError) {
    try Self.checkText(bytes, line: firstLine)
    guard let blank = Self.lastBlankLine(bytes) else { throw ProofError(.noBlankLine) }
    text = Array(bytes[..<blank])
    signatures = []
    let line = firstLine + Self.lineCount(text[...]) + 1
    var lines = LineReader(bytes[(blank + 1)...], line: line)
    while let (line, number) = try lines.next() {
      guard signatures.count < Self.maximumSignatureCount else {
        throw ProofError(.tooManySignatures, line: number)
      }
      signatures.append(try Self.signature(line, number))
    }
    if signatures.isEmpty { throw ProofError(.expected(Self.signatureForm), line: line) }
  }

  /// Checks every signature by a key that is trusted; those by other keys are ignored.
  ///
  /// - Parameter keys: The keys that are trusted.
  /// - Returns: Those of them that signed, in their order; at least one.
  /// - Throws: ``ProofError`` if one of their signatures is wrong, or there is none.
  @discardableResult
  public func verify(by keys: [VerifierKey]) throws(ProofError) -> [VerifierKey] {
    var signers: Set<VerifierKey> = []
    for (index, signature) in signatures.enumerated() {
      for key in keys where key.name == signature.keyName && key.id == signature.keyID {
        guard Ed25519.isValid(signature.bytes, of: text, publicKey: key.publicKey) else {
          throw ProofError(
            .wrongSignature(keyName: key.name.text), line: Self.lineCount(text[...]) + 2 + index)
        }
        signers.insert(key)
      }
    }
    guard !signers.isEmpty else { throw ProofError(.noTrustedSignature) }
    return keys.filter { signers.contains($0) }
  }

  /// The note's bytes, as ``init(parsing:)`` reads them.
  public var bytes: [UInt8] {
    var bytes = text + [UInt8(ascii: "\n")]
    for signature in signatures {
      let blob = Base64.text(signature.keyID.bigEndianBytes + signature.bytes)
      bytes += "\(Self.signaturePrefix)\(signature.keyName) \(blob)\n".utf8
    }
    return bytes
  }

  private static func signature(
    _ line: ArraySlice<UInt8>, _ number: Int
  ) throws(ProofError) -> Signature {
    guard let rest = line.after(signaturePrefix), let space = rest.firstIndex(of: UInt8(ascii: " "))
    else { throw ProofError(.expected(signatureForm), line: number) }
    let name = try KeyName(rest[..<space], line: number)
    guard let blob = Base64.bytes(rest[(space + 1)...]) else {
      throw ProofError(.invalidBase64, line: number)
    }
    guard blob.count > 4 else { throw ProofError(.expected(signatureForm), line: number) }
    return Signature(
      keyName: name, keyID: UInt32(bigEndianBytes: blob.prefix(4)), bytes: Array(blob.dropFirst(4)))
  }

  /// Checks what holds for a note and for its text: UTF-8, complete lines, no control characters.
  private static func checkText(_ bytes: ArraySlice<UInt8>, line: Int) throws(ProofError) {
    guard bytes.count <= maximumByteCount else {
      throw ProofError(.tooManyBytes(count: bytes.count))
    }
    let isControl = { (byte: UInt8) in byte < 0x20 && byte != UInt8(ascii: "\n") }
    if let place = bytes.firstIndex(where: isControl) {
      throw ProofError(.controlCharacter(bytes[place]), line: line + lineCount(bytes[..<place]))
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw ProofError(.notUTF8) }
    guard bytes.last == UInt8(ascii: "\n") else {
      throw ProofError(.noFinalNewline, line: line + lineCount(bytes))
    }
  }

  private static func lineCount(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.count { $0 == UInt8(ascii: "\n") }
  }

  /// Where the newline of the last blank line is; a note's first line does not count.
  private static func lastBlankLine(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.dropFirst().last {
      bytes[$0] == UInt8(ascii: "\n") && bytes[$0 - 1] == UInt8(ascii: "\n")
    }
  }
}
