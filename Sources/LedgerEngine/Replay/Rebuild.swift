internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// What a rebuild made.
public struct RebuildReport: Hashable, Sendable {
  /// The sequence up to which the projections are built: the head when the slots were switched.
  public let head: UInt64
  /// The rows of messages that were written.
  public let messageCount: Int
  /// The reactors that were written beside the rows.
  public let reactorCount: Int
  /// The command ids that were written.
  public let commandCount: Int
}

extension Ledger {
  /// Builds the projections anew from the log, in the slot that is not live, and switches to it.
  ///
  /// Others may read and write meanwhile: the live slot stays in use until the last, short
  /// transaction, which takes over what was appended since, fills `userNumbers` again from `users`,
  /// writes the log's policy to `meta` and empties `tree`, which the next checkpoint fills. If it is
  /// interrupted, nothing has changed. It mends projections only: on a log or a dictionary of users
  /// with findings it refuses to build. Memory: the tables of
  /// ``replay(level:findingLimit:memoryLimit:jobCount:checkpoints:progress:)`` without a limit, and
  /// four bytes for each pair. Durability point: on return the switch is committed as every other
  /// command is.
  ///
  /// - Parameters:
  ///   - indexesByUser: Whether the index by user is kept from now on, see ``indexByUser(_:progress:)``;
  ///     `nil` leaves that as it is.
  ///   - progress: Called about every 10,000 items, on the calling thread; what it throws ends the
  ///     rebuild, ``LedgerError/cancelled`` for instance.
  /// - Returns: What was made.
  /// - Throws: ``LedgerError/rebuildRefused(_:)``, ``LedgerError/rebuildReplaced`` if another rebuild
  ///   began later, or what the storage or `progress` throws.
  public func rebuild(
    indexingByUser indexesByUser: Bool? = nil,
    progress: @escaping (ReplayProgress) throws(LedgerError) -> Void = { _ in }
  ) throws(LedgerError) -> RebuildReport {
    var settings = ReplaySettings()
    settings.level = .legality
    var run = ReplayRun(environment, databases, settings) { (done, _) throws(LedgerError) in
      try progress(done)
    }
    try run.reduceLog(ReplayCounts(environment, databases))
    try run.checkUsers()
    try run.checkUserCount()
    guard run.log.findings.count == 0 else {
      throw .rebuildRefused(run.log.findings.first)
    }
    let isIndexed = try read { (snapshot: borrowing Snapshot) in snapshot.meta.indexesByUser }
    let rebuild = Rebuild(
      databases: databases, token: options.entropy(),
      indexesByUser: indexesByUser ?? isIndexed)
    try runStep { (transaction) throws(LedgerError) in try rebuild.begin(&transaction) }
    do throws(LedgerError) {
      return try load(run.log.reducer, rebuild, progress)
    } catch {
      // Only tidies up: what is left of a rebuild that ended early is cleared by the next one.
      try? runStep { (transaction) throws(LedgerError) in try rebuild.abandon(&transaction) }
      throw error
    }
  }

  /// Keeps an index of live reactions by user from now on, or does not.
  ///
  /// With it ``Snapshot/reactions(by:_:limit:)`` and erasures cost what they give, without it a scan
  /// of all messages; it nearly doubles the cost of a write. It is off in a new ledger. Switching it
  /// on is a ``rebuild(indexingByUser:progress:)``, while others read and write; switching it off
  /// empties it in one transaction. It holds for every process.
  ///
  /// - Parameters:
  ///   - isOn: Whether to keep it.
  ///   - progress: As of a rebuild.
  /// - Returns: Whether anything had to change.
  /// - Throws: As a rebuild.
  @discardableResult
  public func indexByUser(
    _ isOn: Bool, progress: @escaping (ReplayProgress) throws(LedgerError) -> Void = { _ in }
  ) throws(LedgerError) -> Bool {
    let isIndexed = try read { (snapshot: borrowing Snapshot) in snapshot.meta.indexesByUser }
    guard isOn != isIndexed else { return false }
    if isOn {
      _ = try rebuild(indexingByUser: true, progress: progress)
    } else {
      let databases = databases
      try runStep { (transaction) throws(LedgerError) in
        var state = try Meta.state(transaction.reads, databases)
        state.indexesByUser = false
        try Meta.put(state, &transaction, databases)
        try transaction.clear(databases.slot(state.slot).byUser)
      }
    }
    return true
  }

  private func load(
    _ reducer: FlatReducer, _ rebuild: Rebuild,
    _ progress: (ReplayProgress) throws(LedgerError) -> Void
  ) throws(LedgerError) -> RebuildReport {
    let content = RebuildContent(reducer, indexingByUser: rebuild.indexesByUser)
    for part in content.parts {
      let pairCount = content.pairCount(of: part)
      for start in stride(from: 0, to: pairCount, by: Rebuild.chunkCount) {
        let range = start..<min(start + Rebuild.chunkCount, pairCount)
        try runStep { (transaction) throws(LedgerError) in
          try rebuild.load(content, part, range, &transaction)
        }
        try progress(
          ReplayProgress(stage: .load, doneCount: range.upperBound, totalCount: pairCount))
      }
    }
    var reach = Rebuild.Reach(reducer)
    while !reach.isLive {
      let start = reach
      reach = try runStep { (transaction) throws(LedgerError) in
        try rebuild.catchUp(from: start, &transaction)
      }
    }
    return RebuildReport(
      head: reach.head, messageCount: content.messages.count,
      reactorCount: content.reactors.count, commandCount: content.commands.count)
  }
}

/// The transactions of one rebuild; each stops if another rebuild has begun since.
struct Rebuild: Sendable {
  let databases: Databases
  let token: SixteenBytes
  /// Whether the slot that is built has an index by user.
  let indexesByUser: Bool

  /// The pairs that one transaction loads, and the records that it takes over.
  static let chunkCount = 10_000
  /// The records that the last transaction may take over before it switches.
  static let lastChunkCount = 1_000

  /// Empties the other slot and says that this rebuild is under way.
  func begin(_ transaction: inout WriteTransaction) throws(LedgerError) {
    var state = try Meta.state(transaction.reads, databases)
    state.rebuild = token
    try Meta.put(state, &transaction, databases)
    try clear(1 - state.slot, &transaction)
  }

  /// Empties the other slot and takes the token back, unless it is another rebuild's by now.
  func abandon(_ transaction: inout WriteTransaction) throws(LedgerError) {
    var state = try Meta.state(transaction.reads, databases)
    guard state.rebuild == token else { return }
    state.rebuild = nil
    try Meta.put(state, &transaction, databases)
    try clear(1 - state.slot, &transaction)
  }

  /// Loads pairs, which come in order of their keys.
  func load(
    _ content: RebuildContent, _ part: ProjectionSlot.Name, _ range: Range<Int>,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    try content.load(part, range, into: target(transaction.reads), &transaction)
  }

  /// How far the other slot is built.
  struct Reach: Sendable {
    /// The last record that is in it.
    var head: UInt64
    /// The policy that holds after that record; `nil` if no record told one.
    var policy: Policy?
    /// How many of the records are notices.
    var noticeCount: UInt64
    /// Whether the slots were switched.
    var isLive = false

    init(_ reducer: FlatReducer) {
      head = reducer.head
      policy = reducer.policy
      noticeCount = reducer.head - UInt64(reducer.eventCount)
    }

    mutating func pass(_ record: Record) {
      head += 1
      if !record.isEvent { noticeCount += 1 }
      if case .policyChanged(let policy) = record.content { self.policy = policy }
    }
  }

  /// Takes over what was appended since, and switches if that is all.
  ///
  /// - Returns: How far the slot is built now.
  func catchUp(
    from start: Reach, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Reach {
    let slot = try target(transaction.reads)
    let records = try records(after: start.head, transaction.reads)
    var (projector, reach) = (Projector(slot, indexingByUser: indexesByUser), start)
    for item in records {
      reach.pass(item.record)
      try projector.apply(item.record, at: item.sequence, &transaction)
      if let id = item.record.commandID {
        let (key, value) = (Keys.command(id), Keys.sequence(item.sequence))
        try transaction.set(value.span, for: key.span, in: slot.commands)
      }
    }
    guard records.count < Self.lastChunkCount else { return reach }
    try switchSlots(reach, &transaction)
    reach.isLive = true
    return reach
  }

  private func switchSlots(
    _ reach: Reach, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    try Self.refillUserNumbers(&transaction, databases)
    try transaction.clear(databases.tree)
    if let policy = reach.policy { try Meta.put(policy, &transaction, databases) }
    var state = try Meta.state(transaction.reads, databases)
    let old = state.slot
    state.slot = 1 - old
    state.indexesByUser = indexesByUser
    state.noticeCount = reach.noticeCount
    state.rebuild = nil
    try Meta.put(state, &transaction, databases)
    try clear(old, &transaction)
  }

  /// Makes `userNumbers` anew from `users`.
  static func refillUserNumbers(
    _ transaction: inout WriteTransaction, _ databases: Databases
  ) throws(LedgerError) {
    let users = try UserIndex(transaction.reads, databases)
    try transaction.clear(databases.userNumbers)
    for index in users.order {
      let number = Keys.user(users.numbers[Int(index)])
      try transaction.set(
        number.span, for: users.id(index), in: databases.userNumbers, .append)
    }
  }

  private func records(
    after sequence: UInt64, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [LogScan.Item] {
    var found: [LogScan.Item] = []
    var scan = try LogScan(reads, databases, from: sequence + 1)
    while found.count < Self.chunkCount, let next = try scan.next() { found.append(next) }
    return found
  }

  /// The slot that is built, if this rebuild is still the one under way.
  private func target(
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> ProjectionSlot {
    let state = try Meta.state(reads, databases)
    guard state.rebuild == token else { throw .rebuildReplaced }
    return databases.slot(1 - state.slot)
  }

  private func clear(
    _ slot: Int, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    for name in ProjectionSlot.Name.allCases {
      try transaction.clear(databases.slot(slot).database(name))
    }
  }
}
