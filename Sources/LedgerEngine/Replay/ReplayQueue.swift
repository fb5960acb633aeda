internal import LMDB
internal import ReactionModel

/// How a replay's work was done.
struct ReplayWork: Sendable {
  var passCount = 0
  var jobCount = 0
  var tableByteCount = 0
}

/// The slices of a replay that wait, run and are done; what its jobs share.
final class ReplayQueue: Sendable {
  /// How far a slice is: of each stage, what is done and what there is.
  struct Share: Sendable {
    fileprivate var done = Array(repeating: 0, count: ReplayProgress.Stage.allCases.count)
    fileprivate var total = Array(repeating: 0, count: ReplayProgress.Stage.allCases.count)
    fileprivate var byteCount = 0
  }

  private struct State {
    var pending: [ReplaySlice]
    var running = 0
    var results: [SliceResult] = []
    var error: LedgerError?
    var sum = Share()
    var work = ReplayWork()
    /// What other jobs reported last of each stage, until it is passed on.
    var news = [ReplayProgress?](repeating: nil, count: ReplayProgress.Stage.allCases.count)
    var hasNews: Bool { news.contains { $0 != nil } }
  }

  private let state: Monitor<State>
  private let rowCount: Int

  init(_ plan: ReplayPlan, rowCount: Int) {
    var state = State(pending: plan.slices.reversed())
    state.work.jobCount = plan.jobCount
    state.sum.total[ReplayProgress.Stage.log.index] = rowCount * plan.slices.count
    self.state = Monitor(state)
    self.rowCount = rowCount
  }

  /// What a job is to do next.
  enum Task {
    case run(ReplaySlice)
    /// Tell how far the others are.
    case tell(ReplayProgress)
    case end
  }

  /// Waits for something to do; what is to be told comes first, so that of each stage the end is told.
  ///
  /// - Parameter telling: Whether the job is the one that tells how far all are.
  /// - Returns: It; the end if all is done or one job failed.
  func next(telling: Bool) -> Task {
    state.wait { state in
      state.error != nil || !state.pending.isEmpty || state.running == 0
        || (telling && state.hasNews)
    } _: { state in
      if state.error != nil { return .end }
      if telling, let index = state.news.firstIndex(where: { $0 != nil }),
        let news = state.news[index].take()
      {
        return .tell(news)
      }
      guard let slice = state.pending.popLast() else { return .end }
      state.running += 1
      return .run(slice)
    }
  }

  /// Notes how far a slice is, and gives how far all are.
  ///
  /// - Throws: ``LedgerError/cancelled`` if another job failed.
  func report(
    _ progress: ReplayProgress, _ byteCount: Int, of share: inout Share, telling: Bool
  ) throws(LedgerError) -> ReplayProgress {
    let sum = try state.withLock { (state) throws(LedgerError) -> ReplayProgress in
      if state.error != nil { throw .cancelled }
      let index = progress.stage.index
      state.sum.done[index] += progress.doneCount - share.done[index]
      share.done[index] = progress.doneCount
      if progress.stage != .log {
        state.sum.total[index] += progress.totalCount - share.total[index]
        share.total[index] = progress.totalCount
      }
      if byteCount > 0 {
        state.sum.byteCount += byteCount - share.byteCount
        share.byteCount = byteCount
        state.work.tableByteCount = max(state.work.tableByteCount, state.sum.byteCount)
      }
      let sum = ReplayProgress(
        stage: progress.stage, doneCount: state.sum.done[index],
        totalCount: state.sum.total[index])
      state.news[index] = telling ? nil : sum
      return sum
    }
    if !telling { state.notifyAll() }
    return sum
  }

  /// Takes what a slice found.
  func finish(_ result: SliceResult, _ share: Share) {
    state.withLock { state in
      state.running -= 1
      state.results.append(result)
      state.sum.byteCount -= share.byteCount
    }
    state.notifyAll()
  }

  /// Divides a slice that needs too much memory; whether it could.
  func divide(_ slice: ReplaySlice, _ share: Share) -> Bool {
    guard let halves = slice.halves else { return false }
    state.withLock { state in
      state.running -= 1
      for index in share.done.indices {
        state.sum.done[index] -= share.done[index]
        state.sum.total[index] -= share.total[index]
      }
      state.sum.total[ReplayProgress.Stage.log.index] += rowCount
      state.sum.byteCount -= share.byteCount
      state.pending += halves.reversed()
    }
    state.notifyAll()
    return true
  }

  /// Ends all jobs; the first error counts.
  func fail(_ error: LedgerError) {
    state.withLock { state in
      if state.error == nil { state.error = error }
    }
    state.notifyAll()
  }

  /// What all slices found, once no job runs.
  func results() throws(LedgerError) -> (results: [SliceResult], work: ReplayWork) {
    try state.withLock { (state) throws(LedgerError) in
      if let error = state.error { throw error }
      let (count, jobs) = (state.results.count, max(1, state.work.jobCount))
      state.work.passCount = (count + jobs - 1) / jobs
      return (state.results, state.work)
    }
  }
}

extension ReplayProgress.Stage {
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
