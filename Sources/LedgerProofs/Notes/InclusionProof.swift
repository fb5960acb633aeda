public import LedgerHash

/// That a log has an entry, for whoever trusts the log's key: a file `.tlog-proof` (C2SP tlog-proof).
public struct InclusionProof: Hashable, Sendable {
  /// What else is to be known about the entry; nothing vouches for it; `nil` if the line is absent.
  public let extra: [UInt8]?
  /// Which entry it is, counted from 0.
  public let index: UInt64
  /// The hashes from the leaf's sibling up (RFC 6962, section 2.1.1).
  public let hashes: [Digest]
  /// The signed checkpoint whose tree has the entry.
  public let checkpoint: SignedNote

  /// How many hashes a proof may have: a tree of fewer than 2⁶⁴ leaves asks for no more.
  public static let maximumHashCount = 64

  static let version = "c2sp.org/tlog-proof@v1"
  private static let extraPrefix = "extra "
  private static let indexPrefix = "index "
  private static let indexForm = "\"index \" and a decimal number without leading zeros"

  /// Makes a proof; that it proves something is for ``verify(leaf:by:)`` to say.
  public init(index: UInt64, hashes: [Digest], checkpoint: SignedNote, extra: [UInt8]? = nil) {
    self.index = index
    self.hashes = hashes
    self.checkpoint = checkpoint
    self.extra = extra
  }

  /// Reads a file: what is accepted is written again as the same bytes.
  ///
  /// - Throws: ``ProofError`` with the line if the bytes are no proof.
  public init(parsing bytes: [UInt8]) throws(ProofError) {
    var lines = try LineReader(proof: bytes, version: Self.version)
    var line = try lines.next(expecting: Self.indexForm)
    if let text = line.bytes.after(Self.extraPrefix) {
      guard let extra = Base64.bytes(text) else {
        throw ProofError(.invalidBase64, line: line.number)
      }
      self.extra = extra
      line = try lines.next(expecting: Self.indexForm)
    } else {
      extra = nil
    }
    guard let digits = line.bytes.after(Self.indexPrefix), let index = Numbers.decimal(digits)
    else { throw ProofError(.expected(Self.indexForm), line: line.number) }
    self.index = index
    hashes = try lines.readHashes()
    checkpoint = try SignedNote(lines.rest, line: lines.line)
  }

  /// Checks that the log with this key has an entry.
  ///
  /// - Parameters:
  ///   - leaf: The entry's leaf hash, `SHA256.leaf` of its bytes.
  ///   - key: The log's key.
  /// - Returns: The checkpoint whose tree has the entry at ``index``.
  /// - Throws: ``ProofError`` if the key did not sign the checkpoint, or the hashes do not lead to
  ///   its root.
  @discardableResult
  public func verify(leaf: Digest, by key: VerifierKey) throws(ProofError) -> Checkpoint {
    let checkpoint: Checkpoint
    do {
      checkpoint = try Checkpoint(self.checkpoint, by: key)
    } catch {
      throw ProofError(error.reason, line: error.line.map { $0 + linesBeforeCheckpoint })
    }
    do {
      try MerkleProof.verifyInclusion(
        leaf: leaf, index: index, size: checkpoint.head.size, proof: hashes,
        root: checkpoint.head.root, using: SHA256())
    } catch {
      throw ProofError(.notProven(error))
    }
    return checkpoint
  }

  private var linesBeforeCheckpoint: Int { 3 + hashes.count + (extra == nil ? 0 : 1) }

  /// The file's bytes, as ``init(parsing:)`` reads them.
  public var bytes: [UInt8] {
    var lines = [Self.version]
    if let extra { lines.append(Self.extraPrefix + Base64.text(extra)) }
    lines.append("\(Self.indexPrefix)\(index)")
    lines += hashes.map { Base64.text($0.bytes) }
    return Array(lines.map { $0 + "\n" }.joined().utf8) + [UInt8(ascii: "\n")] + checkpoint.bytes
  }
}
