internal import LMDB
internal import ReactionModel
internal import Synchronization

/// The one thread that writes: it joins what waits into one transaction and one flush.
///
/// So sequences have no gaps, and a caller never holds a lock of the store. Bounds: a transaction
/// has at most `maximumGroupCount` commands (or one job, which is never split), and takes no further
/// job after `maximumGroupTime`; the queue is as long as there are callers waiting. Nobody waits for
/// others to come: a lone caller's command is begun at once.
final class Writer: Sendable {
  /// Commands that one caller waits for.
  struct Job: Sendable {
    let batch: PreparedBatch
    /// Whether a refusal of one undoes them all.
    var isAllOrNothing = false
    let complete: @Sendable (Result<[Outcome], LedgerError>) -> Void
    /// The outcomes of the commands that are done.
    var outcomes: [Outcome] = []
    /// How far the command has come that needs another transaction.
    var series = CommandProcessor.Series()

    var isDone: Bool { outcomes.count == batch.commands.count }
  }

  /// A step of upkeep: it has a transaction of its own.
  struct Step: Sendable {
    let run: @Sendable (inout WriteTransaction) throws(LedgerError) -> Void
    let complete: @Sendable (Result<Void, LedgerError>) -> Void
  }

  private enum Work: Sendable {
    case job(Job)
    case step(Step)
  }

  private struct Queue {
    var works: [Work] = []
    var isClosing = false
  }

  private let path: String
  private let environment: Environment
  private let databases: Databases
  private let options: LedgerOptions
  private let queue = Monitor(Queue())
  private let watch: CommitWatch
  private let flushed = Atomic<UInt64>(0)
  /// Whether the last commit may be lost by a power cut; only the thread touches it.
  private let hasUnflushed = Atomic(false)

  init(
    _ path: String, _ environment: Environment, _ databases: Databases,
    _ options: LedgerOptions, _ watch: CommitWatch
  ) {
    self.path = path
    self.watch = watch
    self.environment = environment
    self.databases = databases
    self.options = options
  }

  /// Puts commands in the queue; `complete` is called once, on the writer thread.
  func enqueue(_ job: Job) { enqueue(.job(job)) { job.complete(.failure($0)) } }

  /// Puts a step of upkeep in the queue; `complete` is called once, on the writer thread.
  func enqueue(_ step: Step) { enqueue(.step(step)) { step.complete(.failure($0)) } }

  private func enqueue(_ work: Work, refuse: (LedgerError) -> Void) {
    let refusal = queue.withLock { queue -> LedgerError? in
      if queue.isClosing { return .closed }
      if options.access == .readOnly { return .readOnly(path: path) }
      queue.works.append(work)
      return nil
    }
    if let refusal { refuse(refusal) } else { queue.notifyAll() }
  }

  /// The id of the last commit of this process that was flushed to its end, and all before it.
  var lastFlushedTransaction: UInt64 { flushed.load(ordering: .relaxed) }

  /// Lets the thread end once it has done what is in the queue.
  func stop() {
    queue.withLock { $0.isClosing = true }
    queue.notifyAll()
  }

  /// What the thread runs.
  func run() {
    var processor = CommandProcessor(databases, options)
    while let works = next() {
      guard let first = works.first else {
        flushRest()
        continue
      }
      switch first {
      case .step(let step):
        processor.forget()
        step.complete(write(step.run))
      case .job:
        let jobs = works.compactMap { work -> Job? in
          if case .job(let job) = work { job } else { nil }
        }
        run(jobs, &processor)
      }
    }
    if hasUnflushed.load(ordering: .relaxed) { flushRest() }
  }

  /// What is to be done next: jobs that go together, or one step; nothing if the rest is to be
  /// flushed, `nil` when all is done.
  private func next() -> [Work]? {
    let isReady = { (queue: borrowing Queue) in !queue.works.isEmpty || queue.isClosing }
    guard hasUnflushed.load(ordering: .relaxed) else { return queue.wait(until: isReady, take) }
    return queue.wait(until: isReady, for: options.flushDelay) { isReady, queue in
      isReady ? take(&queue) : []
    }
  }

  private func take(_ queue: inout Queue) -> [Work]? {
    guard let first = queue.works.first else { return nil }
    guard case .job(let job) = first else { return [queue.works.removeFirst()] }
    var (end, commandCount) = (1, job.batch.commands.count)
    while end < queue.works.count, case .job(let another) = queue.works[end],
      commandCount + another.batch.commands.count <= options.maximumGroupCount
    {
      commandCount += another.batch.commands.count
      end += 1
    }
    let group = Array(queue.works[..<end])
    queue.works.removeSubrange(..<end)
    return group
  }

  private func run(_ jobs: [Job], _ processor: inout CommandProcessor) {
    var pending = jobs[...]
    while !pending.isEmpty {
      switch attempt(pending, &processor) {
      case .success(let begun):
        for job in begun where job.isDone { job.complete(.success(job.outcomes)) }
        pending = pending.dropFirst(begun.count)
        if let last = begun.last, !last.isDone {
          // What is to be done in several transactions lets others have their turn in between.
          queue.withLock { $0.works.append(.job(last)) }
        }
      case .failure(.commitUnknown(let error)):
        for job in pending { job.complete(.failure(.commitUnknown(error))) }
        return
      case .failure(let error):
        // One caller's trouble is not the others': nothing was committed, so each is tried alone.
        guard pending.count > 1 else {
          pending[pending.startIndex].complete(.failure(error))
          return
        }
        for job in pending { run([job], &processor) }
        return
      }
    }
  }

  /// Runs jobs in one transaction.
  ///
  /// - Returns: Those that were begun; the last may not be done.
  private func attempt(
    _ jobs: ArraySlice<Job>, _ processor: inout CommandProcessor
  ) -> Result<[Job], LedgerError> {
    let isFlushed = environment.flushesMetaPages
    let start = ContinuousClock.now
    let result = write { (transaction: inout WriteTransaction) throws(LedgerError) -> [Job] in
      try processor.begin(transaction.reads)
      let time = processor.time(options.clock())
      var begun: [Job] = []
      for var job in jobs {
        if job.isAllOrNothing {
          job.outcomes = try processor.runAllOrNothing(job.batch, at: time, &transaction)
        } else {
          try processor.run(
            job.batch, &job.outcomes, &job.series, at: time, &transaction)
        }
        begun.append(job)
        if !job.isDone || start.duration(to: .now) > options.maximumGroupTime { break }
      }
      return begun
    }
    if case .success = result, let commit = processor.committed(), isFlushed {
      flushed.store(commit, ordering: .relaxed)
    }
    return result
  }

  /// Writes in a transaction.
  ///
  /// With `lastCommitMayVanish` the first commit, and the first after a failure, is flushed to the
  /// end all the same: if a flush failed, the system may take for flushed what never was, and the
  /// newest commit that is really on the disk may be an older one than the next two commits spare.
  private func write<R>(
    _ body: (inout WriteTransaction) throws(LedgerError) -> R
  ) -> Result<R, LedgerError> {
    let isFlushed = environment.flushesMetaPages
    let isSettling = options.durability != .durable && isFlushed
    let last = environment.information.lastTransaction
    do throws(LedgerError) {
      let result = try environment.writeGrowing(body)
      if environment.information.lastTransaction > last {
        if isSettling { environment.flushesMetaPages = false }
        hasUnflushed.store(!isFlushed, ordering: .relaxed)
        watch.wake()
      }
      return .success(result)
    } catch {
      environment.flushesMetaPages = true
      return .failure(error)
    }
  }

  /// Flushes the last commit, when nothing else was to be done for a while.
  ///
  /// All before it were flushed by it. If that fails, the next commit is flushed to its end, as after
  /// any failure; the receipt had said that this one may vanish.
  private func flushRest() {
    hasUnflushed.store(false, ordering: .relaxed)
    let last = environment.information.lastTransaction
    do throws(LMDBError) {
      try environment.flush()
      flushed.store(last, ordering: .relaxed)
    } catch {
      environment.flushesMetaPages = true
    }
  }
}
