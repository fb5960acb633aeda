internal import LMDB
internal import ReactionCodec

/// Goes through the pairs of `events` in order, as they stand there.
struct RecordScan: ~Copyable, ~Escapable {
  private var cursor: Cursor
  private let start: UInt64
  private var hasBegun = false

  /// Begins at the record of this sequence, or the first one after it.
  @_lifetime(borrow reads)
  init(
    _ reads: borrowing ReadTransaction, _ databases: Databases, from sequence: UInt64
  ) throws(LedgerError) {
    cursor = try reads.scan(databases.events)
    start = sequence
  }

  /// The next pair, or `nil` at the head of the log.
  @_lifetime(&self)
  mutating func next() throws(LedgerError) -> Row? {
    if hasBegun { return try cursor.step() }
    hasBegun = true
    let key = Keys.event(start)
    return try cursor.move(to: key.span)
  }
}
