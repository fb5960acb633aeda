internal import CLMDB
internal import Glibc

extension Environment {
  /// Doubles the map, after all transactions of this process have ended.
  ///
  /// For a caller whose write failed with `mapFull`: abort (leave the closure), grow, try again.
  /// Transactions that would begin meanwhile wait, save those of a thread that has one open
  /// already. Inside a transaction of the same thread it would wait for itself: that traps.
  ///
  /// - Throws: ``LMDBError``, `outOfMemory` if the system has no address space left; the
  ///   environment then stays as it was.
  public func growMap() throws(LMDBError) {
    let isInside = isInsideTransaction
    require(!isInside, "the map cannot grow inside a transaction of the same thread")
    try changeMap { state throws(LMDBError) in
      let (size, overflow) = unsafe Self.information(raw).mapSizeBytes
        .multipliedReportingOverflow(by: 2)
      guard !overflow, Self.hasAddressSpace(size) else {
        throw LMDBError(.outOfMemory, call: "mmap")
      }
      try setMapSize(size, &state)
    }
  }

  /// Takes over the size to which another process grew the map.
  ///
  /// - Throws: `mapResized` inside another transaction of the same thread, which keeps the map.
  func adoptMapSize() throws(LMDBError) {
    guard !isInsideTransaction else {
      throw LMDBError(.mapResized, call: "inside another transaction")
    }
    try changeMap { state throws(LMDBError) in try setMapSize(0, &state) }
  }

  /// Runs `change` while no transaction of this process is open.
  private func changeMap(
    _ change: (inout State) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    let isCaught = state.wait(until: { !$0.isGated }) { state -> Bool in
      state.isGated = true
      return !state.waitingReaders.isEmpty
    }
    require(!isCaught, Self.waitingReaderMessage)
    defer {
      state.withLock { $0.isGated = false }
      state.notifyAll()
    }
    try state.wait(until: { $0.threads.isEmpty }) { state throws(LMDBError) in
      if let ending = state.ending { throw ending.error }
      try change(&state)
    }
  }

  private func setMapSize(_ size: Int, _ state: inout State) throws(LMDBError) {
    let before = unsafe Self.information(raw)
    do throws(LMDBError) {
      try unsafe check(mdb_env_set_mapsize(raw, size), "mdb_env_set_mapsize")
    } catch {
      // LMDB gives up the old map before it asks for the new one: nothing is mapped any more.
      state.ending = Ending(error: error, information: before)
      throw error
    }
  }

  /// Whether a map of a size would find room beside the present one.
  private static func hasAddressSpace(_ size: Int) -> Bool {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let probe = unsafe mmap(nil, size, PROT_NONE, flags, -1, 0), unsafe probe != MAP_FAILED
    else { return false }
    return unsafe munmap(probe, size) == 0
  }
}
