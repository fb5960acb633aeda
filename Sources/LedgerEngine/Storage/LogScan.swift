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
    guard let row = try step() else { return nil }
    return try Self.decode(row)
  }

  /// The next record as bytes, or `nil` at the head of the log.
  @_lifetime(&self)
  @inline(__always)
  mutating func step() throws(LedgerError) -> Row? {
    try rows.next()
  }

  /// The sequence of a record.
  @inline(__always)
  static func sequence(of row: borrowing Row) throws(LedgerError) -> UInt64 {
    let key = row.key
    return try decoding(.gapless, "events, a key") { () throws(CodecError) in
      try Keys.sequence(ofEvent: key)
    }
  }

  /// A record as a value.
  static func decode(_ row: borrowing Row) throws(LedgerError) -> Item {
    let value = row.value
    let sequence = try sequence(of: row)
    return try decoding(.recordDecodes, "events \(sequence)", sequence: sequence) {
      () throws(CodecError) in
      Item(
        sequence: sequence, record: try RecordFormat.decode(value),
        seal: RecordFormat.seal(of: value) ?? 0)
    }
  }
}
