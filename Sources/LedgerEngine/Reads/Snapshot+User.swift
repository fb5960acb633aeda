internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// A page of the live reactions of a user, on all messages, by sequence.
  ///
  /// Complexity: with the index by user O(log *n* + limit); without it a scan of all messages, during
  /// which the snapshot stays: ``Ledger/reactions(by:_:limit:)`` scans in chunks instead. One get for
  /// each reaction given.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - direction: Which way, and from where.
  ///   - limit: The most to give, 1 to 100.
  /// - Returns: The page; empty past either end, and for a user who is unknown or erased.
  /// - Throws: ``LedgerError/invalidCursor(_:)`` for a cursor of another list,
  ///   ``LedgerError/invalidLimit(_:allowed:)``.
  public func reactions(
    by user: UserID, _ direction: PageDirection = .after(nil), limit: Int = 30
  ) throws(LedgerError) -> ReactionPage {
    guard var scan = try userScan(user, direction, limit) else { return .empty }
    try scan.advance(in: self, rowLimit: .max)
    return try page(of: scan, user)
  }

  /// What looks for a user's reactions; `nil` for a user who is unknown or erased.
  func userScan(
    _ user: UserID, _ direction: PageDirection, _ limit: Int
  ) throws(LedgerError) -> UserScan? {
    guard Self.pageLimits.contains(limit) else {
      throw .invalidLimit(limit, allowed: Self.pageLimits)
    }
    let bound = try CursorList(user: user).sequence(of: direction)
    guard let number = try number(of: user) else { return nil }
    return UserScan(number, direction, bound, count: limit + 1)
  }

  /// The page of what a scan found, without what was removed meanwhile.
  func page(of scan: UserScan, _ user: UserID) throws(LedgerError) -> ReactionPage {
    let (adds, limit) = (scan.nearest, scan.count - 1)
    let hasMore = adds.count > limit
    var kept = adds[...]
    if case .after = scan.direction { kept = adds.prefix(limit) } else { kept = adds.suffix(limit) }
    var reactions: [LiveReaction] = []
    for add in kept {
      let record = try record(add)
      guard case .change(let change) = record.content, record.user == scan.user else {
        throw .damaged(
          Finding(
            .byUser, place: "events \(add)", expected: "an add of user \(scan.user)",
            found: "another record", sequence: add))
      }
      guard try isLive(add, change, scan.user) else { continue }
      reactions.append(
        LiveReaction(
          message: change.message, reaction: change.reaction, user: user, sequence: add,
          time: record.clientTime ?? record.recordedAt))
    }
    return ReactionPage(
      reactions, covering: Array(kept), CursorList(user: user), scan.direction,
      scan.bound, hasMore: hasMore)
  }

  private func isLive(
    _ add: UInt64, _ change: Record.Change, _ user: UserNumber
  ) throws(LedgerError) -> Bool {
    var key: [UInt8] = []
    Keys.message(change.message, into: &key)
    guard let row = try reads.get(key.span, in: slot.messages) else { return false }
    let place = "messages \(change.message)"
    guard let block = try Self.blocks(of: change.reaction, in: row, place).first else {
      return false
    }
    for index in 0..<block.entryCount
    where RowFormat.sequence(at: block.entry(index), in: row) == add { return true }
    guard block.isSpilled else { return false }
    let reactor = Keys.reactor(opened: block.opened, sequence: add)
    return try reads.get(reactor.span, in: slot.reactors) != nil
  }
}

extension ReactionPage {
  /// A page of nothing.
  static var empty: ReactionPage { ReactionPage(reactions: [], before: nil, after: nil) }
}

extension Ledger {
  /// The rows that a read by user looks at in one snapshot.
  private static let scannedRowCount = 10_000

  /// A page of the live reactions of a user, on all messages, by sequence.
  ///
  /// As ``Snapshot/reactions(by:_:limit:)``, but without the index it scans in bounded chunks that
  /// each have a snapshot of their own, so that it holds up nobody: what was live throughout is
  /// given, what was removed meanwhile is not.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - direction: Which way, and from where.
  ///   - limit: The most to give, 1 to 100.
  /// - Returns: The page.
  /// - Throws: As ``Snapshot/reactions(by:_:limit:)``.
  public func reactions(
    by user: UserID, _ direction: PageDirection = .after(nil), limit: Int = 30
  ) throws(LedgerError) -> ReactionPage {
    let begun = try read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.userScan(user, direction, limit)
    }
    guard var scan = begun else { return .empty }
    while true {
      let start = scan
      let (next, page) = try read {
        (snapshot: borrowing Snapshot) throws(LedgerError) -> (UserScan, ReactionPage?) in
        var next = start
        try next.advance(in: snapshot, rowLimit: Self.scannedRowCount)
        return (next, next.isDone ? try snapshot.page(of: next, user) : nil)
      }
      if let page { return page }
      scan = next
    }
  }

  /// The events of a user's reactions, oldest first.
  ///
  /// The log is gone through in bounded chunks. Complexity: O(records after `sequence`), until
  /// `limit` events are found.
  ///
  /// - Parameters:
  ///   - user: The user; nothing is found of one who is unknown or erased.
  ///   - sequence: The last sequence that is not wanted; 0 for the log from its beginning.
  ///   - limit: The most events to give, at least 1.
  /// - Returns: The events, fewer than `limit` only if there are no more.
  /// - Throws: ``LedgerError``.
  public func history(
    of user: UserID, after sequence: UInt64 = 0, limit: Int = 1_000
  ) throws(LedgerError) -> [Entry] {
    guard limit >= 1 else { throw .invalidLimit(limit, allowed: 1...Int.max) }
    var (found, last): ([Entry], UInt64?) = ([], sequence)
    while let start = last, found.count < limit {
      let count = limit - found.count
      let (part, reached) = try read {
        (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.events(of: user, after: start, limit: count, Self.scannedRowCount)
      }
      found += part
      last = reached
    }
    return found
  }
}

extension Snapshot {
  /// A user's events among the next records, and the last record that was looked at; `nil` after the
  /// last one.
  fileprivate func events(
    of user: UserID, after sequence: UInt64, limit: Int, _ recordLimit: Int
  ) throws(LedgerError) -> ([Entry], UInt64?) {
    guard let number = try number(of: user), sequence < UInt64.max else { return ([], nil) }
    var (found, last): ([Entry], UInt64?) = ([], sequence)
    var scan = try LogScan(reads, databases, from: sequence + 1)
    for _ in 0..<recordLimit {
      guard found.count < limit, let item = try scan.next() else { return (found, nil) }
      last = item.sequence
      guard item.record.isEvent, item.record.user == number else { continue }
      found.append(try entry(item.sequence, item.record))
    }
    return (found, last)
  }
}
