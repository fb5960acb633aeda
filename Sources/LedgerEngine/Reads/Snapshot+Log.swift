internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// Every event on a message, oldest first.
  ///
  /// The chain of sequences is followed back from the message's row. Complexity: one get for each
  /// event; memory for all of them.
  ///
  /// - Parameter message: The message.
  /// - Returns: Its events; none if it never had a reaction.
  /// - Throws: ``LedgerError/damaged(_:)`` if the chain is broken.
  public func history(of message: MessageKey) throws(LedgerError) -> [Entry] {
    var entries: [Entry] = []
    try followChain(of: message) { (sequence, record, _) throws(LedgerError) in
      entries.append(try entry(sequence, record))
    }
    return entries.reversed()
  }

  /// The records after a sequence, oldest first.
  ///
  /// Complexity: O(log *n* + limit).
  ///
  /// - Parameters:
  ///   - sequence: The last sequence that is not wanted; 0 for the log from its beginning.
  ///   - limit: The most records to give, at least 1.
  /// - Returns: The records, fewer than `limit` only at the head of the log.
  /// - Throws: ``LedgerError``.
  public func records(
    after sequence: UInt64, limit: Int = 1_000
  ) throws(LedgerError) -> [Entry] {
    guard limit >= 1 else { throw .invalidLimit(limit, allowed: 1...Int.max) }
    guard sequence < UInt64.max else { return [] }
    var found: [LogScan.Item] = []
    var scan = try LogScan(reads, databases, from: sequence + 1)
    while found.count < limit, let next = try scan.next() { found.append(next) }
    return try found.map { (item) throws(LedgerError) in try entry(item.sequence, item.record) }
  }
}
