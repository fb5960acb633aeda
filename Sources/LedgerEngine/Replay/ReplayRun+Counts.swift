internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks `commands` for each command id of the log (J4).
  mutating func checkCommands() throws(LedgerError) {
    var done = 0
    while done < log.reducer.commands.entries.count {
      try chunk { (reads, state, run) throws(LedgerError) in
        let commands = run.databases.slot(state.slot).commands
        let total = run.log.reducer.commands.entries.count
        for index in done..<min(total, done + Self.chunkCount) {
          done = index + 1
          let entry = run.log.reducer.commands.entries[index]
          let key = Keys.command(entry.id)
          let found = try StoredSequence(key.span, commands, reads)
          guard found != .value(entry.first) else { continue }
          run.report(.commands, "commands \(entry.id)", "\(entry.first)", "\(found)")
        }
        try run.progress(ReplayProgress(stage: .commands, doneCount: done, totalCount: total))
      }
    }
  }

  /// Checks in one snapshot that nothing is missing and nothing is too many, and `meta`.
  mutating func checkCountsAndMeta() throws(LedgerError) {
    try chunk { (reads, state, run) throws(LedgerError) in
      let slot = run.databases.slot(state.slot)
      let reducer = run.log.reducer
      if try reads.count(of: slot.messages) != reducer.messageCount {
        try run.findMissingMessages(slot, reads)
      }
      let reactorCount = reducer.blocks.reduce(0) { $0 + ($1.isSpilled ? Int($1.count) : 0) }
      if try reads.count(of: slot.reactors) != reactorCount {
        try run.findExtra(.reactors, "reactors", slot.reactors, reads)
      }
      if try reads.count(of: slot.members) != reactorCount {
        try run.findExtra(.members, "members", slot.members, reads)
      }
      try run.expect(
        reads.count(of: slot.commands), reducer.commands.entries.count, .commands,
        "commands, number of pairs")
      try run.expect(
        reads.count(of: slot.byUser), state.indexesByUser ? reducer.liveCount : 0, .byUser,
        "byUser, number of pairs")
      try run.expect(
        reads.count(of: run.databases.userNumbers),
        reducer.users.count { !$0.isErased }, .userNumbers, "userNumbers, number of pairs")
      run.expect(
        Int(clamping: state.noticeCount), Int(reducer.head) - reducer.eventCount, .meta,
        "meta state, number of notices")
      try run.checkClosing(state, reads)
      try run.checkMeta(reads)
    }
  }

  /// Checks how many users are being erased; those who were seen are looked at again first, since
  /// `meta` and the row change together.
  private mutating func checkClosing(
    _ state: MetaFormat.State, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let seen = try closing.count { (number) throws(LedgerError) in
      try isClosing(number, reads)
    }
    var closingCount = seen
    if seen != Int(state.closingCount) {
      closingCount = try (1...UserNumber(max(1, log.reducer.users.count))).count {
        (number) throws(LedgerError) in try isClosing(number, reads)
      }
    }
    expect(
      Int(state.closingCount), closingCount, .meta, "meta state, number of users being erased")
    let erasedCount = log.reducer.users.count(where: \.isErased)
    expect(
      Int(clamping: state.eraseEpoch), 2 * erasedCount + closingCount, .meta,
      "meta state, erase epoch")
  }

  private func isClosing(
    _ number: UserNumber, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Bool {
    let key = Keys.user(number)
    guard let bytes = try reads.get(key.span, in: databases.users) else { return false }
    do throws(CodecError) {
      if case .closing = try UserRow(decoding: bytes) { return true }
    } catch {
      // Reported with the other rows of users.
    }
    return false
  }

  /// Checks that `byUser`, if it is kept, has each live reaction (J5); that it has no others shows in
  /// the counts.
  mutating func checkByUser() throws(LedgerError) {
    var done: UInt32 = 0
    while done < log.reducer.messageCount {
      try chunk { (reads, state, run) throws(LedgerError) in
        let total = run.log.reducer.messageCount
        guard state.indexesByUser else {
          done = UInt32(total)
          return
        }
        var budget = Self.chunkCount
        while budget > 0, done < total {
          for block in run.log.reducer.blocks(of: done) {
            budget -= Int(run.log.reducer.blocks[Int(block)].count)
            try run.checkByUser(block, state, reads)
          }
          done += 1
        }
        try run.progress(ReplayProgress(stage: .byUser, doneCount: Int(done), totalCount: total))
      }
    }
  }

  private mutating func checkByUser(
    _ block: UInt32, _ state: MetaFormat.State, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let byUser = databases.slot(state.slot).byUser
    var next = log.reducer.blocks[Int(block)].first
    while next != FlatReducer.none {
      let reactor = log.reducer.reactors[Int(next)]
      next = reactor.next
      let key = Keys.byUser(user: reactor.user, sequence: reactor.sequence)
      let found = try reads.get(key.span, in: byUser)
      if let found, found.isEmpty { continue }
      report(
        .byUser, "byUser \(reactor.user) \(reactor.sequence)", "an empty value",
        found == nil ? "nothing" : "\(found?.count ?? 0) bytes")
    }
  }

  private mutating func expect(
    _ found: Int, _ expected: Int, _ rule: Rule, _ name: String
  ) {
    guard found != expected else { return }
    report(rule, name, "\(expected)", "\(found)")
  }

  private mutating func findMissingMessages(
    _ slot: ProjectionSlot, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    for message in log.reducer.messagesByKey() {
      let key = [UInt8](log.reducer.messages.key(message))
      if try reads.get(key.span, in: slot.messages) == nil {
        report(.messageRow, "messages \(log.reducer.key(of: message))", "a row", "nothing")
      }
    }
  }

  /// Reports pairs whose reaction is not one of those too popular for a row, and the wrong count.
  private mutating func findExtra(
    _ rule: Rule, _ name: String, _ database: Database, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let openings = Set(log.reducer.blocks.lazy.filter(\.isSpilled).map(\.opened))
    let countBefore = log.findings.count
    var cursor = try reads.scan(database)
    while let row = try cursor.step() {
      guard row.key.count >= 6 else {
        report(rule, "\(name) \([UInt8](row.key))", "a longer key", "\(row.key.count) bytes")
        continue
      }
      let opened = row.key.bigEndian(at: 0, byteCount: 6)
      if !openings.contains(opened) {
        report(rule, "\(name) \(opened)", "nothing: no such reaction needs it", "a pair")
      }
    }
    if log.findings.count == countBefore {
      report(rule, name, "as many pairs as reactors", "another number")
    }
  }

  private mutating func checkMeta(_ reads: borrowing ReadTransaction) throws(LedgerError) {
    try Meta.requireFormat(reads, in: databases.meta)
    let ledger = try Meta.ledgerID(reads, databases)
    if ledger != log.reducer.ledger {
      report(
        .meta, "meta ledger", log.reducer.ledger.map { "\($0)" } ?? "the id in record 1",
        "\(ledger)")
    }
    let tables = try Meta.tables(reads, databases)
    if tables != Array(EmojiTables.version.utf8) {
      report(
        .meta, "meta tables", EmojiTables.version,
        tables.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
    }
    let policy: Policy
    do throws(LedgerError) {
      policy = try Meta.policy(reads, databases)
    } catch .damaged(let finding) {
      return log.add(finding)
    }
    if policy != log.reducer.policy {
      report(
        .policy, "meta policy", log.reducer.policy.map { "\($0)" } ?? "the policy in record 1",
        "\(policy)")
    }
  }
}
