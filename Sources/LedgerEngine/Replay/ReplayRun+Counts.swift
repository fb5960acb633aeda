internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks in one snapshot what is counted, and `meta`; of `byUser` what the slices are asked for
  /// together.
  mutating func checkCountsAndMeta() throws(LedgerError) {
    try chunk { (reads, state, run) throws(LedgerError) in
      let reducer = run.log.reducer
      run.result.byUser = (
        try reads.count(of: run.databases.slot(state.slot).byUser),
        state.indexesByUser ? reducer.balance : nil
      )
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

  private mutating func expect(
    _ found: Int, _ expected: Int, _ rule: Rule, _ name: String
  ) {
    guard found != expected else { return }
    report(rule, at: FindingPlace(.counts), name, "\(expected)", "\(found)")
  }

  private mutating func checkMeta(_ reads: borrowing ReadTransaction) throws(LedgerError) {
    try Meta.requireFormat(reads, in: databases.meta)
    let ledger = try Meta.ledgerID(reads, databases)
    if ledger != log.reducer.ledger {
      report(
        .meta, at: FindingPlace(.meta), "meta ledger",
        log.reducer.ledger.map { "\($0)" } ?? "the id in record 1",
        "\(ledger)")
    }
    let tables = try Meta.tables(reads, databases)
    if tables != Array(EmojiTables.version.utf8) {
      report(
        .meta, at: FindingPlace(.meta), "meta tables", EmojiTables.version,
        tables.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
    }
    let policy: Policy
    do throws(LedgerError) {
      policy = try Meta.policy(reads, databases)
    } catch .damaged(let finding) {
      return log.add(finding, at: FindingPlace(.meta))
    }
    if policy != log.reducer.policy {
      report(
        .policy, at: FindingPlace(.meta), "meta policy",
        log.reducer.policy.map { "\($0)" } ?? "the policy in record 1",
        "\(policy)")
    }
  }
}
