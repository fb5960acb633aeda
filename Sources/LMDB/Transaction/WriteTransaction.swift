internal import CLMDB
internal import Synchronization

/// The one write transaction of an environment; dropping it aborts it.
///
/// It belongs to the thread that began it: use on another thread traps. Bytes read from it must be
/// let go before the next change (the compiler sees to it). Afterwards they would point at pages
/// that LMDB has given to something else.
@safe public struct WriteTransaction: ~Copyable {
  let raw: OpaquePointer
  let environment: Environment
  let thread: UInt
  /// Whether it is inside another one, which commits it and holds LMDB's lock.
  let isNested: Bool
  private var isFinished = false
  /// Reads in this transaction: they see what it has written so far.
  public let reads: ReadTransaction

  init(_ raw: OpaquePointer, of environment: Environment, isNested: Bool = false) {
    unsafe self.raw = raw
    self.environment = environment
    self.isNested = isNested
    thread = Environment.currentThread
    reads = unsafe ReadTransaction(
      raw, of: environment, thread: thread, cursors: environment.writeCursors)
  }

  deinit {
    guard !isFinished else { return }
    verifyThread()
    unsafe mdb_txn_abort(raw)
    if !isNested { environment.endWrite() }
  }

  /// Commits; the transaction is over whether or not this throws.
  ///
  /// - Throws: ``LMDBError``; its call is `mdb_txn_commit` only if the last step failed, the update
  ///   of a meta page. All steps before write to pages that nothing leads to yet.
  consuming func commit() throws(LMDBError) {
    verifyThread()
    isFinished = true
    let code = unsafe mdb_txn_commit(raw)
    // A nested commit writes no meta page, and the outer one holds the lock that the probe takes.
    let isUnknown = code != 0 && !isNested && environment.hasPanicked
    if !isNested { environment.endWrite() }
    try check(code, isUnknown ? "mdb_txn_commit" : "mdb_txn_commit, nothing kept")
  }

  func verifyThread() { Environment.verifyThread(thread) }

  func verify(_ database: Database) {
    verifyThread()
    reads.verify(database)
  }
}
