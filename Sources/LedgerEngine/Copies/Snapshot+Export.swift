internal import LMDB
package import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// The records after a sequence with all that the ledger knows of them, oldest first.
  ///
  /// This is what an export consists of. It holds the salts of users, and so is as secret as the
  /// ledger. Complexity: O(log *n* + limit), and one get for each user mentioned first.
  ///
  /// - Parameters:
  ///   - sequence: The last sequence that is not wanted; 0 for the log from its beginning.
  ///   - limit: The most records to give, at least 1.
  /// - Returns: The records, fewer than `limit` only at the head of the log.
  /// - Throws: ``LedgerError``.
  public func loggedRecords(
    after sequence: UInt64, limit: Int = 1_000
  ) throws(LedgerError) -> [LoggedRecord] {
    guard limit >= 1 else { throw .invalidLimit(limit, allowed: 1...Int.max) }
    guard sequence < UInt64.max else { return [] }
    var found: [LogScan.Item] = []
    var scan = try LogScan(reads, databases, from: sequence + 1)
    while found.count < limit, let next = try scan.next() { found.append(next) }
    return try found.map { (item) throws(LedgerError) in try logged(item) }
  }

  /// The same without values: each record is given where it stands, notices aside.
  ///
  /// - Returns: The sequence of the last record; `sequence` itself if there was none.
  package func scanLogged(
    after sequence: UInt64, limit: Int,
    notice: (LoggedRecord) throws(LedgerError) -> Void,
    event: (borrowing LoggedEvent) throws(LedgerError) -> Void
  ) throws(LedgerError) -> UInt64 {
    guard limit >= 1 else { throw .invalidLimit(limit, allowed: 1...Int.max) }
    guard sequence < UInt64.max else { return sequence }
    var (last, user, actor): (UInt64, [UInt8], [UInt8]) = (sequence, [], [])
    var scan = try LogScan(reads, databases, from: sequence + 1)
    for _ in 0..<limit {
      guard let row = try scan.step() else { break }
      last = try LogScan.sequence(of: row)
      guard let view = RecordView(row.value) else {
        try notice(try logged(try LogScan.decode(row)))
        continue
      }
      user.removeAll(keepingCapacity: true)
      actor.removeAll(keepingCapacity: true)
      try appendUserID(of: view.user, to: &user)
      if view.actor > 0 { try appendUserID(of: view.actor, to: &actor) }
      let userRow = try rowBytes(of: view.user, ifMentionedFirst: view.mentionsUserFirst)
      let actorRow = try rowBytes(of: view.actor, ifMentionedFirst: view.mentionsActorFirst)
      try event(
        LoggedEvent(
          last, view, user: user.span, actor: actor.span, userRow: userRow, actorRow: actorRow))
    }
    return last
  }

  @_lifetime(borrow self)
  private func rowBytes(
    of number: UserNumber, ifMentionedFirst isFirst: Bool
  ) throws(LedgerError) -> Span<UInt8> {
    guard isFirst else { return Span() }
    let key = Keys.user(number)
    guard let row = try reads.get(key.span, in: databases.users) else {
      throw missing(.userRow, "users \(number)", "the row of a user whom a record mentions")
    }
    return row
  }

  private func logged(_ item: LogScan.Item) throws(LedgerError) -> LoggedRecord {
    LoggedRecord(
      entry: try entry(item.sequence, item.record), seal: item.seal,
      introductions: try introductions(in: item.record))
  }

  private func introductions(
    in record: Record
  ) throws(LedgerError) -> [LoggedRecord.Introduction] {
    var introductions: [LoggedRecord.Introduction] = []
    if record.userCommitment != nil { introductions.append(try introduction(of: record.user)) }
    if record.actorCommitment != nil, let actor = record.actor {
      introductions.append(try introduction(of: actor))
    }
    return introductions
  }

  private func introduction(
    of number: UserNumber
  ) throws(LedgerError) -> LoggedRecord.Introduction {
    switch try UserRow(number, reads, databases) {
    case .erased: LoggedRecord.Introduction(number: number, opening: nil)
    case .live(let salt, let id):
      LoggedRecord.Introduction(number: number, opening: .init(salt: salt, id: id))
    case .closing(let salt, let id):
      LoggedRecord.Introduction(
        number: number, opening: .init(salt: salt, id: id, isClosing: true))
    }
  }
}
