internal import LMDB
internal import ReactionModel

/// The listeners of a client, and the one task that tells them.
final class ListenerTable: Sendable {
  /// A listener under its id; the number tells one of the same id added later from it.
  struct Entry {
    let id: String
    let number: UInt64
    let listener: any ReactionListener
  }

  private struct State {
    var entries: [Entry] = []
    var lastNumber: UInt64 = 0
    var position: Position
    var failure: ReactionClientError?
    var task: Task<Void, Never>?
    /// Which task is the one: a task that was stopped may still be at its last change.
    var run: UInt64 = 0
  }

  private let viewer: Viewer
  private let state: Monitor<State>

  init(_ viewer: Viewer, after position: Position) {
    self.viewer = viewer
    state = Monitor(State(position: position))
  }

  var position: Position { state.withLock { $0.position } }
  var failure: ReactionClientError? { state.withLock { $0.failure } }

  /// Adds a listener, or puts it in the place of the one with its id, and sees that the task runs.
  func add(_ listener: any ReactionListener, id: String) {
    state.withLock { state in
      state.lastNumber += 1
      state.entries.removeAll { $0.id == id }
      state.entries.append(Entry(id: id, number: state.lastNumber, listener: listener))
      guard state.task == nil else { return }
      state.run += 1
      state.failure = nil
      let (run, start) = (state.run, state.position)
      state.task = Task.detached { [self] in await follow(from: start, run) }
    }
  }

  func remove(id: String) {
    state.withLock { state in state.entries.removeAll { $0.id == id } }
  }

  /// Forgets all listeners and ends the task.
  func stop() {
    let task = state.withLock { state in
      state.entries = []
      state.run += 1
      return state.task.take()
    }
    task?.cancel()
  }

  private func follow(from start: Position, _ run: UInt64) async {
    do throws(ReactionClientError) {
      var feed = ReactionChanges(viewer: viewer, start: start).makeAsyncIterator()
      while let step = try await feed.step() {
        if let change = step.change { await tell(change) }
        let isCurrent = state.withLock { state in
          if state.run == run { state.position = step.position }
          return state.run == run
        }
        if !isCurrent { return }
      }
    } catch {
      let told = state.withLock { state -> [Entry] in
        guard state.run == run else { return [] }
        (state.failure, state.task) = (error, nil)
        return state.entries
      }
      for entry in told { await entry.listener.reactionFeedDidFail(error) }
    }
  }

  private func tell(_ change: ReactionChange) async {
    for entry in state.withLock({ $0.entries }) {
      for (operation, event) in zip(change.operations, change.events) where isThere(entry) {
        switch operation.action {
        case .added: await entry.listener.onMessageReactionAdded(event)
        case .removed: await entry.listener.onMessageReactionRemoved(event)
        }
      }
      if isThere(entry) { await entry.listener.messageReactionDidChange(change) }
    }
  }

  /// Whether a listener is to be told still.
  private func isThere(_ entry: Entry) -> Bool {
    state.withLock { state in state.entries.contains { $0.number == entry.number } }
  }
}
