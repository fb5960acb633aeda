internal import LMDB
public import LedgerHash
internal import ReactionCodec
internal import ReactionModel

// Proofs of the log's tree. With `tree` stored, which `Ledger.treeHead` sees to, each hashes at most
// 510 records; without, those of the whole log, about a second for a million, all in one snapshot.

extension Snapshot {
  /// The size and the root of the tree of the first records.
  ///
  /// Complexity: O(log² *n*) and 255 records where `tree` is stored.
  ///
  /// - Parameter size: How many records; with 0, the empty tree.
  /// - Returns: The head.
  /// - Throws: ``LedgerError/noSuchRecord(sequence:end:)`` if the log has fewer;
  ///   ``LedgerError/damaged(_:)``.
  public func treeHead(at size: UInt64) throws(LedgerError) -> TreeHead {
    try require(size)
    return TreeHead(size: size, root: try TreeHasher(databases).root(size: size, reads))
  }

  /// The hashes that prove that the tree of the first records has the one of a sequence
  /// (RFC 6962, section 2.1.1), its sibling's first.
  ///
  /// Complexity: O(log² *n*) and 510 records where `tree` is stored.
  ///
  /// - Parameters:
  ///   - sequence: The record's, 1 or more.
  ///   - size: How many records the tree has.
  /// - Returns: The hashes.
  /// - Throws: ``LedgerError/noSuchRecord(sequence:end:)`` if the tree has no such record, or the log
  ///   fewer than `size`; ``LedgerError/damaged(_:)``.
  public func inclusion(
    of sequence: UInt64, size: UInt64
  ) throws(LedgerError) -> [Digest] {
    try require(size)
    guard sequence > 0, let plan = ProofPlan(inclusionOf: sequence - 1, size: size) else {
      throw .noSuchRecord(sequence: sequence, end: size)
    }
    return try TreeHasher(databases).hashes(of: plan, reads)
  }

  /// The hashes that prove that the tree of the first `newSize` records begins with the first
  /// `oldSize` of them (RFC 6962, section 2.1.2).
  ///
  /// None are needed from the empty tree, or between equal sizes. Complexity: as
  /// ``inclusion(of:size:)``.
  ///
  /// - Parameters:
  ///   - oldSize: How many records the older tree has, at most `newSize`.
  ///   - newSize: How many records the newer tree has.
  /// - Returns: The hashes.
  /// - Throws: ``LedgerError/noSuchRecord(sequence:end:)`` if the newer tree has fewer records than
  ///   the older one, or the log fewer than either; ``LedgerError/damaged(_:)``.
  public func consistency(
    from oldSize: UInt64, to newSize: UInt64
  ) throws(LedgerError) -> [Digest] {
    try require(newSize)
    guard let plan = ProofPlan(consistencyFrom: oldSize, to: newSize) else {
      throw .noSuchRecord(sequence: oldSize, end: newSize)
    }
    return try TreeHasher(databases).hashes(of: plan, reads)
  }

  private func require(_ size: UInt64) throws(LedgerError) {
    let head = try head
    guard size <= head else { throw .noSuchRecord(sequence: size, end: head) }
  }
}
