internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Where the log stands, as a write transaction finds it: several processes may write, so it is
/// read anew in each one.
struct LogState: Sendable {
  /// The sequence of the last record, 0 if there is none.
  var head: UInt64
  /// When that was recorded.
  var lastTime: Timestamp?
  /// The highest user number that was given.
  var lastUser: UserNumber
  /// The policy in force.
  var policy: Policy
  /// Which slot is live, and the erase epoch.
  var meta: MetaFormat.State

  /// The state of a ledger that has no record yet.
  init(policy: Policy) {
    head = 0
    lastTime = nil
    lastUser = 0
    self.policy = policy
    meta = MetaFormat.State()
  }

  /// Reads the state.
  init(_ reads: borrowing ReadTransaction, _ databases: Databases) throws(LedgerError) {
    (head, lastTime) = try Self.lastRecord(reads, databases)
    lastUser = try Self.lastUser(reads, databases)
    policy = try Meta.policy(reads, databases)
    meta = try Meta.state(reads, databases)
  }

  /// The sequence of the last record, 0 if there is none.
  static func head(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> UInt64 {
    var cursor = try reads.scan(databases.events)
    guard let row = try cursor.end() else { return 0 }
    let key = row.key
    return try decoding(.gapless, "events, last key") { () throws(CodecError) in
      try Keys.sequence(ofEvent: key)
    }
  }

  private static func lastRecord(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> (UInt64, Timestamp?) {
    var cursor = try reads.scan(databases.events)
    guard let row = try cursor.end() else { return (0, nil) }
    let (key, value) = (row.key, row.value)
    let sequence = try decoding(.gapless, "events, last key") { () throws(CodecError) in
      try Keys.sequence(ofEvent: key)
    }
    let record = try decoding(.recordDecodes, "events \(sequence)", sequence: sequence) {
      () throws(CodecError) in try RecordFormat.decode(value)
    }
    return (sequence, record.recordedAt)
  }

  private static func lastUser(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> UserNumber {
    var cursor = try reads.scan(databases.users)
    guard let row = try cursor.end() else { return 0 }
    let key = row.key
    return try decoding(.userRow, "users, last key") { () throws(CodecError) in
      try Keys.user(key)
    }
  }
}
