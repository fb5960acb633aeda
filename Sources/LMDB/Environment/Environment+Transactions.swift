internal import CLMDB
internal import Synchronization

extension Environment {
  /// Runs `body` with a snapshot of the last commit; the snapshot ends when `body` does.
  ///
  /// May be called from any thread, also inside another read or write. Takes a reader slot, which
  /// is used again by later reads.
  ///
  /// - Parameter body: What to read. It must be short: pages freed meanwhile cannot be used again.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or why no snapshot could be taken: `readersFull` when as many
  ///   readers as the environment was opened for are active, `mapResized` inside another
  ///   transaction of the same thread when another process has since grown the map.
  public func read<R: ~Copyable, E: LMDBErrorConvertible>(
    _ body: (borrowing ReadTransaction) throws(E) -> R
  ) throws(E) -> R {
    let transaction: ReadTransaction
    do throws(LMDBError) {
      transaction = try beginRead()
    } catch {
      throw E(error)
    }
    return try body(transaction)
  }

  /// Runs `body` with the one write transaction, and commits it when `body` returns.
  ///
  /// Blocks until other writers, in this process and others, are done. If `body` throws,
  /// nothing of it is kept. After a successful return everything is committed, and flushed unless
  /// the environment's flags say otherwise.
  ///
  /// If the commit itself fails, nothing of it is kept either: with `mapFull` grow the map and try
  /// again; `badTransaction` means that a change had failed and `body` had caught that. The one
  /// exception is an error whose call is `mdb_txn_commit`: then the last step failed, whether the
  /// commit is there is known only after opening anew, and every transaction until then throws
  /// `panic`.
  ///
  /// - Parameter body: What to write. It runs on the calling thread and must not suspend, begin
  ///   another write or use the transaction on another thread: these trap.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or why the transaction could not begin or commit.
  public func write<R: ~Copyable, E: LMDBErrorConvertible>(
    _ body: (inout WriteTransaction) throws(E) -> R
  ) throws(E) -> R {
    var transaction: WriteTransaction
    do throws(LMDBError) {
      transaction = try beginWrite()
    } catch {
      throw E(error)
    }
    let result = try body(&transaction)
    require(transaction.environment === self, "the transaction was swapped for another one")
    do throws(LMDBError) {
      try transaction.commit()
    } catch {
      throw E(error)
    }
    return result
  }

  /// Whether the calling thread has a transaction of this environment open.
  ///
  /// Then it must not wait for the map to grow or the environment to close.
  package var isInsideTransaction: Bool {
    let thread = Self.currentThread
    return state.withLock { $0.threads.contains(thread) }
  }

  /// How often a transaction begins anew because another process has grown the map again.
  private static let beginLimit = 16

  /// A snapshot that its owner ends by dropping it; for wrappers in this package, which must keep
  /// to the same rules as `read`.
  package func beginRead() throws(LMDBError) -> ReadTransaction {
    try adoptingMapSize(takingReader: true) { idle throws(LMDBError) in
      var transaction = unsafe try snapshot(in: idle)
      if unsafe transaction == nil, unsafe try Self.clearStaleReaders(of: raw) > 0 {
        unsafe transaction = try snapshot(in: state.withLock { $0.idleReaders.popLast() })
      }
      guard let transaction = unsafe transaction else {
        throw LMDBError(.readersFull, call: "mdb_txn_begin")
      }
      return unsafe ReadTransaction(transaction, of: self)
    }
  }

  /// A snapshot in an idle slot, else in a new one; `nil` if there is none.
  private func snapshot(in idle: ReaderHandle?) throws(LMDBError) -> OpaquePointer? {
    if let idle {
      let code = unsafe mdb_txn_renew(idle.raw)
      if code != 0 { unsafe mdb_txn_abort(idle.raw) }
      try check(code, "mdb_txn_renew")
      return unsafe idle.raw
    }
    var begun: OpaquePointer?
    let code = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &begun)
    if code == MDB_READERS_FULL { return nil }
    try check(code, "mdb_txn_begin")
    return unsafe begun
  }

  private func beginWrite() throws(LMDBError) -> WriteTransaction {
    require(
      writingThread.load(ordering: .relaxed) != Self.currentThread,
      "a write transaction was begun inside another one on the same thread")
    return try adoptingMapSize { _ throws(LMDBError) in
      var begun: OpaquePointer?
      try unsafe check(mdb_txn_begin(raw, nil, 0, &begun), "mdb_txn_begin")
      guard let begun = unsafe begun else { throw LMDBError(.panic, call: "mdb_txn_begin") }
      writingThread.store(Self.currentThread, ordering: .relaxed)
      writeCursors.removeAll()
      return unsafe WriteTransaction(begun, of: self)
    }
  }

  /// Runs a call that takes a snapshot of its own, counted in like one.
  func whileOpen(_ call: () throws(LMDBError) -> Void) throws(LMDBError) {
    try adoptingMapSize { _ throws(LMDBError) in try call() }
    leave()
  }

  /// Begins a transaction, counted in; follows another process that has grown the map.
  ///
  /// `begin` is given an idle reader, if one is wanted and there is one: then it is its own.
  private func adoptingMapSize<T: ~Copyable>(
    takingReader: Bool = false, _ begin: (ReaderHandle?) throws(LMDBError) -> T
  ) throws(LMDBError) -> T {
    var failureCount = 0
    while true {
      let idle = try enter(takingReader: takingReader)
      do throws(LMDBError) {
        return try begin(idle)
      } catch {
        leave()
        failureCount += 1
        guard error.code == .mapResized, failureCount < Self.beginLimit else { throw error }
        try adoptMapSize()
      }
    }
  }

  /// Counts a use of the map in, once the gate is open.
  ///
  /// A thread that is counted in already passes the closed gate: whoever closed it waits for that
  /// thread, which must not wait in turn.
  ///
  /// - Returns: An idle reader that is now the caller's, if `takingReader` and there is one.
  @discardableResult
  func enter(takingReader: Bool = false) throws(LMDBError) -> ReaderHandle? {
    let thread = Self.currentThread
    return try state.wait(until: {
      !$0.isGated || $0.isEnding || $0.threads.contains(thread)
    }) { state throws(LMDBError) in
      if let ending = state.ending { throw ending.error }
      if state.isClosing { throw Self.closedError }
      state.threads.append(thread)
      return takingReader ? state.idleReaders.popLast() : nil
    }
  }

  /// Counts a use of the map out; a reader that can be used again goes back to the list.
  func leave(returning reader: ReaderHandle? = nil) {
    let thread = Self.currentThread
    let (excess, mayWake) = state.withLock { state -> (ReaderHandle?, Bool) in
      let keeps = state.idleReaders.count < idleReaderLimit
      if keeps, let reader { state.idleReaders.append(reader) }
      guard keeps || reader == nil else { return (reader, false) }
      return (nil, state.remove(thread))
    }
    if let excess {
      unsafe mdb_txn_abort(excess.raw)
      leave()
    } else if mayWake {
      state.notifyAll()
    }
  }

  /// Whether an update of a meta page has failed: LMDB then begins no transaction any more.
  ///
  /// Only for a thread that is counted in; waits for other writers.
  var hasPanicked: Bool {
    var probe: OpaquePointer?
    let code = unsafe mdb_txn_begin(raw, nil, 0, &probe)
    if code == 0 { unsafe mdb_txn_abort(probe) }
    return code == MDB_PANIC
  }

  func endWrite() {
    writingThread.store(0, ordering: .relaxed)
    leave()
  }
}
