internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Goes through the records of the log in order.
struct LogScan: ~Copyable, ~Escapable {
  /// A record as it stands in the log.
  struct Item {
    let sequence: UInt64
    let record: Record
    let seal: UInt64
  }

  private var rows: RecordScan

  /// Begins at the record of this sequence, or the first one after it.
  @_lifetime(borrow reads)
  init(
    _ reads: borrowing ReadTransaction, _ databases: Databases, from sequence: UInt64
  ) throws(LedgerError) {
    rows = try RecordScan(reads, databases, from: sequence)
  }

  /// The next record, or `nil` at the head of the log.
  @_lifetime(self: copy self)
  mutating func next() throws(LedgerError) -> Item? {
    guard let row = try rows.next() else { return nil }
    return try Self.decode(row)
  }

  private static func decode(_ row: Row) throws(LedgerError) -> Item {
    let (key, value) = (row.key, row.value)
    let sequence = try decoding(.gapless, "events, a key") { () throws(CodecError) in
      try Keys.sequence(ofEvent: key)
    }
    return try decoding(.recordDecodes, "events \(sequence)", sequence: sequence) {
      () throws(CodecError) in
      Item(
        sequence: sequence, record: try RecordFormat.decode(value),
        seal: RecordFormat.seal(of: value) ?? 0)
    }
  }
}
