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
  private var isFinished = false

  /// Reads in this transaction: they see what it has written so far.
  public let reads: ReadTransaction

  init(_ raw: OpaquePointer, of environment: Environment) {
    unsafe self.raw = raw
    self.environment = environment
    thread = Environment.currentThread
    reads = unsafe ReadTransaction(raw, of: environment, thread: thread)
  }

  deinit {
    guard !isFinished else { return }
    verifyThread()
    unsafe mdb_txn_abort(raw)
    environment.endWrite()
  }

  /// Commits; the transaction is over whether or not this throws.
  consuming func commit() throws(LMDBError) {
    verifyThread()
    isFinished = true
    let code = unsafe mdb_txn_commit(raw)
    environment.endWrite()
    try check(code, "mdb_txn_commit")
  }

  func verifyThread() { Environment.verifyThread(thread) }

  func verify(_ database: Database) {
    verifyThread()
    reads.verify(database)
  }
}
