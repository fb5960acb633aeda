internal import LMDB

/// Tells who waits that something was committed: at once of commits of this process, within the
/// polling interval of those of others.
///
/// Others' commits are noticed by LMDB's last transaction id, without a snapshot or a reader slot,
/// and only while somebody waits.
final class CommitWatch: Sendable {
  private struct State {
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<UInt64> = []
    var lastNumber: UInt64 = 0
    var isPolling = false
    var isClosed = false
  }

  private let environment: Environment
  private let interval: Duration
  private let state = Monitor(State())

  init(_ environment: Environment, interval: Duration) {
    self.environment = environment
    self.interval = interval
  }

  /// Something was committed by this process, or the ledger is closed.
  func wake(closing: Bool = false) {
    let waiting = state.withLock { state in
      if closing { state.isClosed = true }
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the last transaction is another one than `seen`, the ledger is closed, or the task
  /// is cancelled; it may return for no reason.
  func wait(past seen: UInt64) async {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state -> Bool in
          let isCancelled = state.cancelled.remove(number) != nil
          if isCancelled || state.isClosed || environment.information.lastTransaction != seen {
            return true
          }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() } else { poll(from: seen) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        if state.waiting[number] == nil { state.cancelled.insert(number) }
        return state.waiting.removeValue(forKey: number)
      }
      continuation?.resume()
    }
    state.withLock { _ = $0.cancelled.remove(number) }
  }

  /// Starts the one task that looks at the transaction id while somebody waits.
  private func poll(from seen: UInt64) {
    let mustStart = state.withLock { state -> Bool in
      guard !state.isPolling else { return false }
      state.isPolling = true
      return true
    }
    guard mustStart else { return }
    Task.detached { [self] in
      var last = seen
      while true {
        try? await Task.sleep(for: interval)
        let isOver = state.withLock { state -> Bool in
          if state.waiting.isEmpty { state.isPolling = false }
          return state.waiting.isEmpty
        }
        if isOver { return }
        let now = environment.information.lastTransaction
        if now != last { wake() }
        last = now
      }
    }
  }
}
