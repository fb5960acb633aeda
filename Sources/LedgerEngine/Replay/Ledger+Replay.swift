internal import LMDB
public import LedgerHash
internal import ReactionModel

extension Ledger {
  /// Proves that the ledger is what its log says, or says where it is not.
  ///
  /// The log is run through a reducer over flat tables, which tests hold equal to ``Reducer``, and
  /// every database is compared with what it gives. Others may write meanwhile; the report says up to
  /// which sequence it holds. Before that all used pages of the file are looked at: if they cannot be
  /// trusted, nothing else is read. May be called from any thread.
  ///
  /// Memory: the tables of all jobs stay within `memoryLimit`. They take about 50 bytes and its key for
  /// each message, 32 bytes for each live reaction, 24 to 32 for each of its reactors, 30 for each
  /// command id, and 40 for each user; at the level `tree` an eighth of a byte for each record. If that
  /// is too much, the log is read several times, each time for a part of the messages. Users and the
  /// tree cannot be divided: 40 bytes for each user (8 in all jobs but one), and what one message
  /// needs, is the least that each job must have; fewer jobs than asked for run if that helps. The
  /// estimate is taken from the store; where the tables turn out larger, a part is begun again as two.
  /// Not counted: pages of the store that the system keeps in memory, and the findings.
  ///
  /// - Parameters:
  ///   - level: How much to check.
  ///   - findingLimit: The most findings to describe; all are counted.
  ///   - memoryLimit: The most bytes of all tables at once.
  ///   - jobCount: How many threads, the calling one among them, work at once, 1 to 64.
  ///   - checkpoints: Heads of the log that were kept elsewhere; at the level `tree` the log must have
  ///     each of these roots at its size.
  ///   - progress: Called about every 10,000 items, on the calling thread, with sums over all jobs;
  ///     what it throws ends the replay, ``LedgerError/cancelled`` for instance.
  /// - Returns: What was found.
  /// - Throws: ``LedgerError`` if the store cannot be read at all, or
  ///   ``LedgerError/memoryLimitTooSmall(limit:needed:)``.
  public func replay(
    level: ReplayLevel = .tree, findingLimit: Int = 100, memoryLimit: Int = 1 << 30,
    jobCount: Int = 1, checkpoints: [TreeHead] = [],
    progress: @escaping (ReplayProgress) throws(LedgerError) -> Void = { _ in }
  ) throws(LedgerError) -> ReplayReport {
    var settings = ReplaySettings()
    settings.level = level
    settings.findingLimit = findingLimit
    settings.memoryLimit = memoryLimit
    settings.jobCount = jobCount
    settings.checkpoints = checkpoints
    return try replay(settings, progress: progress)
  }

  /// As ``replay(level:findingLimit:memoryLimit:jobCount:checkpoints:progress:)``, with what tests
  /// decide besides.
  package func replay(
    _ settings: ReplaySettings,
    progress: @escaping (ReplayProgress) throws(LedgerError) -> Void = { _ in }
  ) throws(LedgerError) -> ReplayReport {
    let pages = try pageFindings(findingLimit: settings.findingLimit, progress: progress)
    guard pages.isEmpty else { return ReplayReport(unreadable: pages, settings) }
    let counts = try ReplayCounts(environment, databases)
    let plan = try ReplayPlan(counts, settings)
    let queue = ReplayQueue(plan, rowCount: counts.rowCount)
    let job = ReplayJob(
      environment: environment, databases: databases, settings: settings, counts: counts,
      memoryLimit: plan.memoryLimit, hash: KeyHash(), queue: queue)
    let threads = (1..<plan.jobCount).map { _ in WorkerThread { job.work(telling: nil) } }
    job.work(telling: progress)
    for thread in threads { thread.join() }
    let (results, work) = try queue.results()
    return ReplayReport(results, settings, work)
  }
}

/// What each thread of a replay does: one slice after the other.
private struct ReplayJob: Sendable {
  let environment: Environment
  let databases: Databases
  let settings: ReplaySettings
  let counts: ReplayCounts
  let memoryLimit: Int
  let hash: KeyHash
  let queue: ReplayQueue

  /// Works until nothing is left, or one job fails.
  ///
  /// - Parameter progress: Called with how far all jobs are, by the one that has it.
  func work(telling progress: ((ReplayProgress) throws(LedgerError) -> Void)?) {
    do throws(LedgerError) {
      while true {
        switch queue.next(telling: progress != nil) {
        case .run(let slice): try run(slice, telling: progress)
        case .tell(let sum): try progress?(sum)
        case .end: return
        }
      }
    } catch {
      queue.fail(error)
    }
  }

  private func run(
    _ slice: ReplaySlice, telling progress: ((ReplayProgress) throws(LedgerError) -> Void)?
  ) throws(LedgerError) {
    var share = ReplayQueue.Share()
    do throws(LedgerError) {
      let result = try check(slice, &share, telling: progress)
      queue.finish(result, share)
    } catch .memoryLimitTooSmall(let limit, let needed) {
      guard queue.divide(slice, share) else {
        let jobCount = settings.memoryLimit / limit
        throw .memoryLimitTooSmall(limit: settings.memoryLimit, needed: needed * jobCount)
      }
    }
  }

  private func check(
    _ slice: ReplaySlice, _ share: inout ReplayQueue.Share,
    telling progress: ((ReplayProgress) throws(LedgerError) -> Void)?
  ) throws(LedgerError) -> SliceResult {
    let queue = queue
    var own = share
    defer { share = own }
    var run = ReplayRun(
      environment, databases, settings, slice, hash: hash, memoryLimit: memoryLimit
    ) { (done, byteCount) throws(LedgerError) in
      let sum = try queue.report(done, byteCount, of: &own, telling: progress != nil)
      try progress?(sum)
    }
    return try run.check(counts.of(slice))
  }
}
