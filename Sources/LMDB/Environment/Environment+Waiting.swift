extension Environment {
  /// Runs `wait`, in which the calling thread waits for what another thread writes.
  ///
  /// The map grows only once no transaction of this process is open. So a thread that has one open
  /// and waits for a writer who needs a larger map would wait for itself, and the writer with it:
  /// that traps, here or in ``growMap()``, whichever comes last.
  package func waitingForWriter(_ wait: () -> Void) {
    let thread = Self.currentThread
    let isCaught = state.withLock { state -> Bool in
      guard state.threads.contains(thread) else { return false }
      state.waitingReaders.append(thread)
      return state.isGated
    }
    require(!isCaught, Self.waitingReaderMessage)
    wait()
    state.withLock { state in
      if let index = state.waitingReaders.firstIndex(of: thread) {
        state.waitingReaders.remove(at: index)
      }
    }
  }

  static let waitingReaderMessage =
    "the map is full and cannot grow: a thread appends and waits inside a read closure"
}
