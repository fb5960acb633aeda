internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// What a new ledger begins with: `meta`, and the record that says that it was created.
enum Founding {
  /// Writes everything of a new ledger.
  static func write(
    _ policy: Policy, _ options: LedgerOptions, _ transaction: inout WriteTransaction,
    _ databases: Databases
  ) throws(LedgerError) {
    let id = options.entropy()
    try writeMeta(id, policy, &transaction, databases)
    let record = Record(
      recordedAt: options.clock(), cause: .user, place: Record.Place(.create), user: 0,
      content: .created(ledger: id, policy: policy))
    var bytes: [UInt8] = []
    Sealer().append(record, to: &bytes)
    let key = Keys.event(1)
    try transaction.set(bytes.span, for: key.span, in: databases.events, .append)
  }

  /// Writes `meta` as it is after the first record.
  static func writeMeta(
    _ id: LedgerID, _ policy: Policy, _ transaction: inout WriteTransaction,
    _ databases: Databases
  ) throws(LedgerError) {
    try Meta.put(MetaFormat.encodeFormat(), for: MetaFormat.formatKey, &transaction, databases)
    try Meta.put(MetaFormat.encode(id), for: MetaFormat.ledgerKey, &transaction, databases)
    try Meta.put(policy, &transaction, databases)
    try Meta.put(MetaFormat.State(noticeCount: 1), &transaction, databases)
    try Meta.put(
      Array(EmojiTables.version.utf8), for: MetaFormat.tablesKey, &transaction, databases)
  }
}
