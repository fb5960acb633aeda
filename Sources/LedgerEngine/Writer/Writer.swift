internal import LMDB
internal import ReactionModel
internal import Synchronization

/// Lets one thread write at a time, and joins what waits meanwhile into one transaction and one flush.
///
/// Who writes has the turn. A caller who may block, and finds nobody writing and nothing waiting,
/// takes it and writes on its own thread: that saves it two switches of threads, and its data stay in
/// that core's caches. All else waits in the queue for the writer thread. So sequences have no gaps,
/// and a caller never holds a lock of the store. Bounds: a transaction has at most `maximumGroupCount`
/// commands (or one job, which is never split), and takes no further job after `maximumGroupTime`; the
/// queue is as long as there are callers waiting. Nobody waits for others to come: a lone caller's
/// command is begun at once.
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

  /// The right to write, and what is known from one transaction to the next; one thread has it.
  private final class Turn {
    var processor: CommandProcessor
    /// Whether the last commit may be lost by a power cut.
    var hasUnflushed = false

    init(_ processor: CommandProcessor) { self.processor = processor }
  }

  private struct Queue {
    var works: [Work] = []
    var isClosing = false
    /// `nil` while a thread writes.
    var turn: Turn?
    /// When the last turn ended, if it left a commit unflushed.
    var unflushedSince: ContinuousClock.Instant?

    /// Whether the writer thread has something to do that must not wait.
    var isReady: Bool { turn != nil && (!works.isEmpty || isClosing) }
  }

  private let path: String
  private let environment: Environment
  private let options: LedgerOptions
  private let queue: Monitor<Queue>
  private let watch: CommitWatch
  private let flushed = Atomic<UInt64>(0)

  init(
    _ path: String, _ environment: Environment, _ databases: Databases,
    _ options: LedgerOptions, _ watch: CommitWatch
  ) {
    self.path = path
    self.watch = watch
    self.environment = environment
    self.options = options
    queue = Monitor(Queue(turn: Turn(CommandProcessor(databases, options))))
  }

  /// Runs commands: now, on the calling thread, if nobody writes and nothing waits, else in the queue.
  ///
  /// Inside a transaction of the calling thread always in the queue: the map could not grow under it.
  /// `complete` is called once, on the thread that writes.
  func runOrEnqueue(_ job: Job) {
    let isInside = environment.isInsideTransaction
    let turn = queue.withLock { queue -> Turn? in
      guard options.access != .readOnly, !isInside, queue.works.isEmpty, !queue.isClosing else {
        return nil
      }
      return queue.turn.take()
    }
    guard let turn else { return enqueue(job) }
    run([job], turn)
    end(turn)
  }

  /// Puts commands in the queue; `complete` is called once, on the writer thread.
  func enqueue(_ job: Job) { enqueue(.job(job)) { job.complete(.failure($0)) } }

  /// Puts a step of upkeep in the queue; `complete` is called once, on the writer thread.
  func enqueue(_ step: Step) { enqueue(.step(step)) { step.complete(.failure($0)) } }

  private func enqueue(_ work: Work, refuse: (LedgerError) -> Void) {
    let (refusal, isIdle) = queue.withLock { queue -> (LedgerError?, Bool) in
      if queue.isClosing { return (.closed, false) }
      if options.access == .readOnly { return (.readOnly(path: path), false) }
      queue.works.append(work)
      return (nil, queue.turn != nil)
    }
    // Who writes now sees at its end what waits.
    if isIdle { queue.notifyAll() }
    if let refusal { refuse(refusal) }
  }

  /// The id of the last commit of this process that was flushed to its end, and all before it.
  var lastFlushedTransaction: UInt64 { flushed.load(ordering: .relaxed) }

  /// How many works wait in the queue.
  var waitingCount: Int { queue.withLock { $0.works.count } }

  /// Whether nothing more is taken on.
  var isClosing: Bool { queue.withLock { $0.isClosing } }

  /// Lets the thread end once it has done what is in the queue.
  func stop() {
    queue.withLock { $0.isClosing = true }
    queue.notifyAll()
  }

  /// What the writer thread runs.
  func run() {
    while true {
      switch next() {
      case .works(let works, let turn):
        if case .step(let step) = works.first {
          turn.processor.forget()
          step.complete(write(turn, step.run))
        } else {
          run(works.compactMap { if case .job(let job) = $0 { job } else { nil } }, turn)
        }
        end(turn)
      case .flush(let turn):
        flushRest(turn)
        end(turn)
      case .end(let turn):
        if turn.hasUnflushed { flushRest(turn) }
        return
      }
    }
  }

  /// What the writer thread does next.
  private enum Next {
    /// Jobs that go together, or one step.
    case works([Work], Turn)
    /// Nothing was done for a while, and the last commit is not flushed.
    case flush(Turn)
    /// All is done.
    case end(Turn)
  }

  private func next() -> Next {
    while true {
      let next = queue.wait(until: { $0.isReady || $0.unflushedSince != nil }) { take(&$0) }
      if let next { return next }
      let time = queue.withLock { $0.unflushedSince.map { $0 + options.flushDelay } }
      guard let time else { continue }
      let delay = max(.zero, ContinuousClock.now.duration(to: time))
      let later = queue.wait(until: { $0.isReady }, for: delay) { isReady, queue -> Next? in
        if isReady { return take(&queue) }
        guard let since = queue.unflushedSince, since + options.flushDelay <= .now else {
          return nil
        }
        // If a caller writes now, it tells at its end whether anything is left to flush.
        queue.unflushedSince = nil
        return queue.turn.take().map { .flush($0) }
      }
      if let later { return later }
    }
  }

  /// Takes the turn, if there is something to do that must not wait.
  private func take(_ queue: inout Queue) -> Next? {
    guard queue.isReady, let turn = queue.turn.take() else { return nil }
    return takeWorks(&queue).map { .works($0, turn) } ?? .end(turn)
  }

  /// Gives the turn back; wakes the writer thread only if that has something to do.
  private func end(_ turn: Turn) {
    let mustWake = queue.withLock { queue -> Bool in
      let isFirst = turn.hasUnflushed && queue.unflushedSince == nil
      queue.unflushedSince = turn.hasUnflushed ? .now : nil
      queue.turn = turn
      return isFirst || queue.isReady
    }
    if mustWake { queue.notifyAll() }
  }

  private func takeWorks(_ queue: inout Queue) -> [Work]? {
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

  private func run(_ jobs: [Job], _ turn: Turn) {
    var pending = jobs[...]
    while !pending.isEmpty {
      switch attempt(pending, turn) {
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
        for job in pending { run([job], turn) }
        return
      }
    }
  }

  /// Runs jobs in one transaction.
  ///
  /// - Returns: Those that were begun; the last may not be done.
  private func attempt(_ jobs: ArraySlice<Job>, _ turn: Turn) -> Result<[Job], LedgerError> {
    let isFlushed = environment.flushesMetaPages
    let start = ContinuousClock.now
    let result = write(turn) { (transaction: inout WriteTransaction) throws(LedgerError) -> [Job] in
      try turn.processor.begin(transaction.reads)
      let time = turn.processor.time(options.clock())
      var begun: [Job] = []
      for var job in jobs {
        if job.isAllOrNothing {
          job.outcomes = try turn.processor.runAllOrNothing(job.batch, at: time, &transaction)
        } else {
          try turn.processor.run(
            job.batch, &job.outcomes, &job.series, at: time, &transaction)
        }
        begun.append(job)
        if !job.isDone || start.duration(to: .now) > options.maximumGroupTime { break }
      }
      return begun
    }
    if case .success = result, let commit = turn.processor.committed(), isFlushed {
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
    _ turn: Turn, _ body: (inout WriteTransaction) throws(LedgerError) -> R
  ) -> Result<R, LedgerError> {
    let isFlushed = environment.flushesMetaPages
    let isSettling = options.durability != .durable && isFlushed
    let last = environment.information.lastTransaction
    do throws(LedgerError) {
      let result = try environment.writeGrowing(body)
      if environment.information.lastTransaction > last {
        if isSettling { environment.flushesMetaPages = false }
        turn.hasUnflushed = !isFlushed
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
  private func flushRest(_ turn: Turn) {
    turn.hasUnflushed = false
    let last = environment.information.lastTransaction
    do throws(LMDBError) {
      try environment.flush()
      flushed.store(last, ordering: .relaxed)
    } catch {
      environment.flushesMetaPages = true
    }
  }
}
