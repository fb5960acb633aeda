internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// One replay: the log first, then every database against what the log makes it.
///
/// It reads in chunks, so that others may write meanwhile: each chunk has a fresh snapshot, and the
/// records that came since the last one are reduced first. So within a chunk reducer and store are
/// of the same moment, and what is compared there is compared exactly. What a pass over the store
/// cannot see, things that are missing or too many, shows in the counts of one last snapshot.
struct ReplayRun {
  let environment: Environment
  let databases: Databases
  let progress: (ReplayProgress) throws(LedgerError) -> Void
  var log: LogReplay<FlatReducer>
  /// The users who were seen being erased.
  var closing: [UserNumber] = []

  /// The records, rows or users of one chunk.
  static let chunkCount = 10_000

  init(
    _ environment: Environment, _ databases: Databases, level: ReplayLevel, findingLimit: Int,
    progress: @escaping (ReplayProgress) throws(LedgerError) -> Void
  ) {
    self.environment = environment
    self.databases = databases
    self.progress = progress
    log = LogReplay(
      databases, into: FlatReducer(), level: level, findingLimit: findingLimit)
  }

  /// Reduces the log up to its head.
  mutating func reduceLog() throws(LedgerError) {
    var isAtEnd = false
    while !isAtEnd {
      let reads = try environment.beginSnapshot()
      let total = try reads.count(of: databases.events)
      if log.reducer.head == 0 {
        let messageCounts = try (0...1).map { (slot) throws(LedgerError) in
          try reads.count(of: databases.slot(slot).messages)
        }
        log.reducer.reserve(messageCount: messageCounts.max() ?? 0, eventCount: total)
      }
      isAtEnd = try log.feed(reads, limit: Self.chunkCount)
      try progress(
        ReplayProgress(stage: .log, doneCount: Int(log.reducer.head), totalCount: total))
    }
  }

  /// Runs `body` in a fresh snapshot, with the reducer brought to the same moment.
  mutating func chunk<R>(
    _ body: (borrowing ReadTransaction, MetaFormat.State, inout ReplayRun) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    let reads = try environment.beginSnapshot()
    while try !log.feed(reads, limit: Self.chunkCount) {}
    return try body(reads, Meta.state(reads, databases), &self)
  }

  mutating func report(_ rule: Rule, _ place: String, _ expected: String, _ found: String) {
    log.add(Finding(rule, place: place, expected: expected, found: found))
  }
}

extension Ledger {
  /// Proves that the ledger is what its log says, or says where it is not.
  ///
  /// The log is run through a reducer over flat tables, which tests hold equal to ``Reducer``, and
  /// every database is compared with what it gives. Others may write meanwhile; the report says up to
  /// which sequence it holds. Memory: about 60 bytes for each live reaction, and 60 bytes and its key
  /// for each message. May be called from any thread.
  ///
  /// - Parameters:
  ///   - level: How much to check.
  ///   - findingLimit: The most findings to describe; all are counted.
  ///   - progress: Called about every 10,000 items, on the calling thread; what it throws ends the
  ///     replay, ``LedgerError/cancelled`` for instance.
  /// - Returns: What was found.
  /// - Throws: ``LedgerError`` if the store cannot be read at all.
  public func replay(
    level: ReplayLevel = .projections, findingLimit: Int = 100,
    progress: @escaping (ReplayProgress) throws(LedgerError) -> Void = { _ in }
  ) throws(LedgerError) -> ReplayReport {
    var run = ReplayRun(
      environment, databases, level: level, findingLimit: findingLimit, progress: progress)
    let pages = try pageFindings(findingLimit: findingLimit, progress: progress)
    guard pages.isEmpty else { return ReplayReport(level: level, unreadable: pages) }
    try run.reduceLog()
    if level >= .projections {
      try run.checkUsers()
      try run.checkUserCount()
      try run.checkUserNumbers()
      try run.checkMessages()
      try run.checkReactors()
      try run.checkCommands()
      try run.checkByUser()
      try run.checkCountsAndMeta()
    }
    run.log.finish()
    return ReplayReport(
      level: level, head: run.log.reducer.head, eventCount: run.log.reducer.eventCount,
      messageCount: run.log.reducer.messageCount, userCount: run.log.reducer.users.count,
      findingCount: run.log.findings.count, findings: run.log.findings.first)
  }
}
