internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// Goes through the log after a sequence, oldest first, without making values of it.
  ///
  /// For whoever reads much of the log: projections, exporters. Nothing is allocated for an event;
  /// what is wanted of one is taken inside the closure. A snapshot must not live long: scan a few
  /// thousand records in one, and go on in the next after the sequence that was returned. Complexity:
  /// O(log *n* + limit).
  ///
  /// - Parameters:
  ///   - sequence: The last sequence that is not wanted; 0 for the log from its beginning.
  ///   - limit: The most records to go through, at least 1.
  ///   - notice: What to do with a notice and its sequence; by default nothing.
  ///   - event: What to do with an event.
  /// - Returns: The sequence of the last record that was gone through; `sequence` itself if there was
  ///   none.
  /// - Throws: What the closures throw; ``LedgerError/damaged(_:)`` at bytes that are no record.
  @discardableResult
  public func scanLog(
    after sequence: UInt64, limit: Int = 1_000,
    notice: (UInt64, Record) throws(LedgerError) -> Void = { (_, _) throws(LedgerError) in },
    event: (borrowing EventView) throws(LedgerError) -> Void
  ) throws(LedgerError) -> UInt64 {
    guard limit >= 1 else { throw .invalidLimit(limit, allowed: 1...Int.max) }
    guard sequence < UInt64.max else { return sequence }
    var last = sequence
    var scan = try LogScan(reads, databases, from: sequence + 1)
    for _ in 0..<limit {
      guard let row = try scan.step() else { break }
      last = try LogScan.sequence(of: row)
      if let view = RecordView(row.value) {
        try event(EventView(last, view))
      } else {
        try notice(last, try LogScan.decode(row).record)
      }
    }
    return last
  }

  /// Appends the bytes of a user's id, in UTF-8.
  ///
  /// Complexity: O(1) if the name is remembered, else one get.
  ///
  /// - Parameters:
  ///   - number: A user whom a record mentions.
  ///   - bytes: What is appended to; nothing is, if the user is erased.
  /// - Throws: ``LedgerError/damaged(_:)`` if no record can have mentioned such a user.
  public func appendUserID(
    of number: UserNumber, to bytes: inout [UInt8]
  ) throws(LedgerError) {
    if let name = memory.names[number] {
      bytes.append(name.bytes.span.extracting(0..<name.count))
      return
    }
    let key = Keys.user(number)
    guard let row = try reads.get(key.span, in: databases.users) else {
      throw missing(.userRow, "users \(number)", "the row of a user whom a record mentions")
    }
    guard let id = try userID(in: row, of: number) else { return }
    if let name = ShortName(id) { memory.names.learn(name, of: number) }
    bytes.append(id)
  }
}
