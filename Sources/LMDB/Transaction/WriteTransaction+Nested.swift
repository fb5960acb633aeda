internal import CLMDB

extension WriteTransaction {
  /// Runs `body` with a transaction inside this one: if it throws, only what it did is undone.
  ///
  /// What it writes is committed with this transaction. If a change in it fails with `mapFull` and
  /// `body` throws that on, this transaction is good still; if `body` catches it, both are spoilt.
  /// Cost: LMDB takes 2 MiB for a list of pages, and keeps the pages that
  /// it changes twice until it ends.
  ///
  /// - Parameter body: What to write; it must use only the transaction that it is given.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or why the inner transaction could not begin or end.
  public mutating func nested<R: ~Copyable, E: LMDBErrorConvertible>(
    _ body: (inout WriteTransaction) throws(E) -> R
  ) throws(E) -> R {
    let outer = environment.writeCursors.take()
    defer { environment.writeCursors.restore(outer) }
    var inner: WriteTransaction
    do throws(LMDBError) {
      inner = try beginNested()
    } catch {
      throw E(error)
    }
    let result = try body(&inner)
    require(
      inner.environment === environment && inner.isNested,
      "the transaction was swapped for another one")
    do throws(LMDBError) {
      try inner.commit()
    } catch {
      throw E(error)
    }
    return result
  }

  private func beginNested() throws(LMDBError) -> WriteTransaction {
    verifyThread()
    var begun: OpaquePointer?
    try unsafe check(mdb_txn_begin(environment.raw, raw, 0, &begun), "mdb_txn_begin")
    guard let begun = unsafe begun else { throw LMDBError(.panic, call: "mdb_txn_begin") }
    return unsafe WriteTransaction(begun, of: environment, isNested: true)
  }
}
