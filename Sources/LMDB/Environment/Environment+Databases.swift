internal import CLMDB

extension Environment {
  /// Opens databases by name without writing; the handles are good as long as the environment is
  /// open.
  ///
  /// Not to be called twice at once, nor beside a write transaction that opens databases.
  ///
  /// - Parameter names: Their names.
  /// - Returns: A handle for each; of one that is not there, one that reads as empty
  ///   (``Database/isAbsent``).
  /// - Throws: ``LMDBError``: `incompatible` if one has repeated keys or another order of keys.
  public func openDatabases(_ names: [String]) throws(LMDBError) -> [Database] {
    var databases: [Database] = []
    try whileOpen { () throws(LMDBError) in
      var begun: OpaquePointer?
      try unsafe check(mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &begun), "mdb_txn_begin")
      guard let transaction = unsafe begun else { throw LMDBError(.panic, call: "mdb_txn_begin") }
      do throws(LMDBError) {
        databases = []
        for name in names { databases.append(unsafe try open(name, transaction)) }
      } catch {
        unsafe mdb_txn_abort(transaction)
        throw error
      }
      // Handles that a transaction opened stay only if it commits, one for reading too.
      try unsafe check(mdb_txn_commit(transaction), "mdb_txn_commit, nothing kept")
    }
    return databases
  }

  private func open(
    _ name: String, _ transaction: OpaquePointer
  ) throws(LMDBError) -> Database {
    guard !name.utf8.contains(0) else { throw LMDBError(.badValueSize, call: "mdb_dbi_open") }
    var (handle, flags): (UInt32, UInt32) = (0, 0)
    let code = unsafe mdb_dbi_open(transaction, name, 0, &handle)
    if code == MDB_NOTFOUND { return Database(handle: Database.absentHandle, environment: number) }
    try check(code, "mdb_dbi_open")
    try unsafe check(mdb_dbi_flags(transaction, handle, &flags), "mdb_dbi_flags")
    guard flags == 0 else { throw LMDBError(.incompatible, call: "mdb_dbi_flags") }
    return Database(handle: handle, environment: number)
  }
}
