public import LedgerHash
internal import ReactionModel

/// A log's size and root at a moment (C2SP tlog-checkpoint): the text of a signed note.
///
/// Here a log's origin is the name of its key, which C2SP recommends: a checkpoint says whose it is,
/// and its signature that it is.
public struct Checkpoint: Equatable, Sendable {
  /// Which log it is of.
  public let origin: String
  /// How many entries the log has, and the root of their Merkle tree (RFC 6962).
  public let head: TreeHead
  /// What else the log said, opaque; this module writes none.
  public let extensionLines: [String]

  /// Makes a checkpoint.
  ///
  /// - Parameters:
  ///   - origin: The name of the log's key.
  ///   - head: The log's size and root.
  public init(origin: KeyName, head: TreeHead) {
    self.origin = origin.text
    self.head = head
    extensionLines = []
  }

  /// Reads the text of a note.
  ///
  /// - Parameter text: At least three lines, none of them empty.
  /// - Throws: ``ProofError`` with the line if they are not origin, size and root, or if something
  ///   is written in another way than it must be.
  public init(parsing text: [UInt8]) throws(ProofError) {
    var lines = LineReader(text[...])
    let origin = try lines.next(expecting: "an origin")
    self.origin = try Self.content(origin.bytes, origin.number)
    let size = try lines.next(expecting: Self.sizeForm)
    guard let count = Numbers.decimal(size.bytes) else {
      throw ProofError(.expected(Self.sizeForm), line: size.number)
    }
    let root = try lines.next(expecting: "a root")
    head = TreeHead(size: count, root: try Digest(base64: root.bytes, line: root.number))
    var extensionLines: [String] = []
    while let (bytes, number) = try lines.next() {
      extensionLines.append(try Self.content(bytes, number))
    }
    self.extensionLines = extensionLines
  }

  private static let sizeForm = "a size, decimal without leading zeros"

  private static func content(
    _ bytes: ArraySlice<UInt8>, _ number: Int
  ) throws(ProofError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ProofError(.notUTF8, line: number)
    }
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x20 }) else {
      throw ProofError(.invalidCheckpointLine, line: number)
    }
    return text
  }

  /// Reads a note that the log's key signed.
  ///
  /// - Parameters:
  ///   - note: May have other signatures as well.
  ///   - key: The log's key, whose name the origin must be.
  /// - Throws: ``ProofError`` if the key did not sign the text, or it is no checkpoint of its log.
  public init(_ note: SignedNote, by key: VerifierKey) throws(ProofError) {
    try note.verify(by: [key])
    try self.init(parsing: note.text)
    try checkOrigin(key.name)
  }

  /// Signs the checkpoint.
  ///
  /// A log must never sign two heads of which one does not extend the other; that is the caller's
  /// to keep.
  ///
  /// - Parameter key: The log's key.
  /// - Returns: The note.
  /// - Throws: ``ProofError`` if the origin is not the key's name.
  public func signed(by key: SignerKey) throws(ProofError) -> SignedNote {
    try checkOrigin(key.verifier.name)
    return try SignedNote(text: text, signedBy: key)
  }

  private func checkOrigin(_ name: KeyName) throws(ProofError) {
    guard UTF8Bytes.areEqual(origin, name.text) else {
      throw ProofError(.originDiffers(found: origin, expected: name.text))
    }
  }

  /// The lines that ``init(parsing:)`` reads.
  public var text: String {
    let lines = [origin, "\(head.size)", Base64.text(head.root.bytes)] + extensionLines
    return lines.map { $0 + "\n" }.joined()
  }

  /// Whether two checkpoints have the same bytes.
  public static func == (a: Self, b: Self) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }
}

extension Digest {
  /// Reads a line that is a hash in Base64.
  init(base64 text: ArraySlice<UInt8>, line: Int) throws(ProofError) {
    guard let bytes = Base64.bytes(text) else { throw ProofError(.invalidBase64, line: line) }
    guard let digest = Digest(bytes.span) else {
      throw ProofError(.byteCount(found: bytes.count, expected: Self.byteCount), line: line)
    }
    self = digest
  }
}
