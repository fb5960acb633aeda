public import LedgerHash

/// That a log only grew from an older checkpoint to a newer one, for whoever trusts the log's key.
///
/// The file is a line that says what it is, and then, byte for byte, what C2SP tlog-witness has a log
/// send to a witness: the old size, the hashes, a blank line and the newer checkpoint.
public struct ConsistencyProof: Hashable, Sendable {
  /// How many entries the older tree has.
  public let oldSize: UInt64
  /// The hashes in the order of RFC 6962, section 2.1.2.
  public let hashes: [Digest]
  /// The newer checkpoint.
  public let checkpoint: SignedNote

  private static let version = "reaction-ledger/consistency@v1"
  private static let oldPrefix = "old "
  private static let oldForm = "\"old \" and a decimal number without leading zeros"

  /// Makes a proof; that it proves something is for ``verify(old:by:)`` to say.
  public init(oldSize: UInt64, hashes: [Digest], checkpoint: SignedNote) {
    self.oldSize = oldSize
    self.hashes = hashes
    self.checkpoint = checkpoint
  }

  /// Reads a file: what is accepted is written again as the same bytes.
  ///
  /// - Throws: ``ProofError`` with the line if the bytes are no proof.
  public init(parsing bytes: [UInt8]) throws(ProofError) {
    var lines = try LineReader(proof: bytes, version: Self.version)
    let line = try lines.next(expecting: Self.oldForm)
    guard let digits = line.bytes.after(Self.oldPrefix), let size = Numbers.decimal(digits)
    else { throw ProofError(.expected(Self.oldForm), line: line.number) }
    oldSize = size
    hashes = try lines.readHashes()
    checkpoint = try SignedNote(lines.rest, line: lines.line)
  }

  /// Checks that the newer checkpoint's tree begins with all entries of the older one's.
  ///
  /// - Parameters:
  ///   - old: The older checkpoint, kept since.
  ///   - key: The log's key, which signed both.
  /// - Returns: The newer checkpoint.
  /// - Throws: ``ProofError`` if the key did not sign one of them, the older one has another size than
  ///   ``oldSize``, or the hashes do not lead to both roots.
  @discardableResult
  public func verify(old: SignedNote, by key: VerifierKey) throws(ProofError) -> Checkpoint {
    let oldCheckpoint = try Checkpoint(old, by: key)
    let checkpoint: Checkpoint
    do {
      checkpoint = try Checkpoint(self.checkpoint, by: key)
    } catch {
      throw ProofError(error.reason, line: error.line.map { $0 + 3 + hashes.count })
    }
    try verify(old: oldCheckpoint.head, new: checkpoint.head)
    return checkpoint
  }

  /// Checks that one tree begins with all entries of another, whoever says that they are a log's.
  ///
  /// - Parameters:
  ///   - old: The older tree.
  ///   - new: The newer tree.
  /// - Throws: ``ProofError`` if the older one has another size than ``oldSize``, or the hashes do not
  ///   lead to both roots.
  public func verify(old: TreeHead, new: TreeHead) throws(ProofError) {
    guard old.size == oldSize else {
      throw ProofError(.sizeDiffers(found: old.size, expected: oldSize))
    }
    do {
      try MerkleProof.verifyConsistency(from: old, to: new, proof: hashes, using: SHA256())
    } catch {
      throw ProofError(.notProven(error))
    }
  }

  /// The file's bytes, as ``init(parsing:)`` reads them.
  public var bytes: [UInt8] {
    let lines =
      [Self.version, "\(Self.oldPrefix)\(oldSize)"] + hashes.map { Base64.text($0.bytes) }
    return Array(lines.map { $0 + "\n" }.joined().utf8) + [UInt8(ascii: "\n")] + checkpoint.bytes
  }
}
