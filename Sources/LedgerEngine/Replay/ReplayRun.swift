internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// One slice of a replay: the log first, then every database against what the log makes it.
///
/// It reads in chunks, so that others may write meanwhile: each chunk has a fresh snapshot, and the
/// records that came since the last one are reduced first. So within a chunk reducer and store are
/// of the same moment, and what is compared there is compared exactly. What a walk over the store
/// cannot see, pairs that are missing, is looked up afterwards: whatever the walk met is marked.
struct ReplayRun {
  let environment: Environment
  let databases: Databases
  let settings: ReplaySettings
  let slice: ReplaySlice
  /// Called with how far this slice is.
  let progress: (ReplayProgress, Int) throws(LedgerError) -> Void
  var log: LogReplay<FlatReducer>
  /// What is told of the log as it was when the replay began.
  var result: SliceResult
  /// What is to be told when the snapshot has ended.
  private var pending: ReplayProgress?
  /// The users who were seen being erased.
  var closing: [UserNumber] = []

  /// The records, rows or users of one chunk.
  var chunkCount: Int { settings.chunkCount }

  init(
    _ environment: Environment, _ databases: Databases, _ settings: ReplaySettings,
    _ slice: ReplaySlice = .whole, hash: KeyHash = KeyHash(), memoryLimit: Int = .max,
    progress: @escaping (ReplayProgress, _ tableByteCount: Int) throws(LedgerError) -> Void
  ) {
    self.environment = environment
    self.databases = databases
    self.settings = settings
    self.slice = slice
    self.progress = progress
    log = LogReplay(
      databases, into: FlatReducer(hash, slice), level: settings.level,
      findingLimit: settings.findingLimit, memoryLimit: memoryLimit)
    result = SliceResult(slice)
  }

  /// Checks all that the level asks for.
  mutating func check(_ counts: ReplayCounts) throws(LedgerError) -> SliceResult {
    try reduceLog(counts)
    if settings.level >= .projections {
      if slice.isPrimary {
        try checkUsers()
        try checkUserCount()
        try checkUserNumbers()
      }
      try checkMessages()
      try checkReactors()
      try checkCommands()
      try checkByUser()
      if slice.isPrimary { try checkCountsAndMeta() }
    }
    if settings.level >= .tree, slice.isPrimary { try checkTree() }
    result.findings = log.findings
    result.erasures = log.reducer.erasures
    result.illegalBalance = log.reducer.illegalBalance
    return result
  }

  /// Reduces the log up to the row that was its last when the replay began.
  mutating func reduceLog(_ counts: ReplayCounts) throws(LedgerError) {
    if settings.level >= .tree, slice.isPrimary {
      log.tree = LogTree(settings.checkpoints, rowCount: counts.rowCount)
    }
    log.reserve(counts)
    var isAtEnd = false
    repeat {
      isAtEnd = try feed(limit: min(chunkCount, counts.rowCount - log.rowCount))
      report(.log, log.rowCount, counts.rowCount)
      try tell()
    } while !isAtEnd && log.rowCount < counts.rowCount
    log.finish()
    result.take(log)
  }

  private mutating func feed(limit: Int) throws(LedgerError) -> Bool {
    let reads = try environment.beginSnapshot()
    return try log.feed(reads, limit: limit)
  }

  /// Runs `body` in a fresh snapshot, with the reducer brought to the same moment, and then tells what
  /// it reported, if anything.
  mutating func chunk<R>(
    _ body: (borrowing ReadTransaction, MetaFormat.State, inout ReplayRun) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    let result = try inSnapshot(body)
    try tell()
    return result
  }

  private mutating func inSnapshot<R>(
    _ body: (borrowing ReadTransaction, MetaFormat.State, inout ReplayRun) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    let reads = try environment.beginSnapshot()
    while try !log.feed(reads, limit: chunkCount) {}
    return try body(reads, Meta.state(reads, databases), &self)
  }

  /// Goes through a database in order of its keys, in chunks.
  ///
  /// Pairs may come and go meanwhile: each chunk begins after the last key of the one before.
  mutating func walk(
    _ stage: ReplayProgress.Stage?, _ database: (Databases, MetaFormat.State) -> Database,
    _ body: (Row, borrowing ReadTransaction, inout ReplayRun) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    var (last, done): ([UInt8]?, Int) = (nil, 0)
    while true {
      let isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        let database = database(run.databases, state)
        var (count, isDone) = (0, false)
        var cursor = try reads.scan(database)
        if let key = last {
          if let row = try cursor.move(to: key.span) {
            // The key that was read last, unless it is gone since.
            if !row.key.equals(key.span) { try body(row, reads, &run) }
          } else {
            isDone = true
          }
        }
        while !isDone, count < run.chunkCount {
          guard let row = try cursor.step() else {
            isDone = true
            break
          }
          try body(row, reads, &run)
          count += 1
          if count == run.chunkCount { last = [UInt8](row.key) }
        }
        done += count
        if let stage { run.report(stage, done, max(done, try reads.count(of: database))) }
        return isDone
      }
      if isDone { return }
    }
  }

  /// Notes how far it is, to be told when the snapshot has ended.
  mutating func report(_ stage: ReplayProgress.Stage, _ done: Int, _ total: Int) {
    pending = ReplayProgress(stage: stage, doneCount: done, totalCount: total)
  }

  private mutating func tell() throws(LedgerError) {
    guard let told = pending else { return }
    pending = nil
    let byteCount = log.peakByteCount
    log.peakByteCount = 0
    try progress(told, byteCount)
  }

  mutating func report(
    _ rule: Rule, at key: FindingPlace, _ place: String, _ expected: String, _ found: String
  ) {
    log.add(Finding(rule, place: place, expected: expected, found: found), at: key)
  }
}
