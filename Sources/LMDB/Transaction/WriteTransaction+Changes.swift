internal import CLMDB

extension WriteTransaction {
  /// Opens a database by name; the handle is good once this transaction has committed, for as long
  /// as the environment is open.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - flags: Whether to make it.
  /// - Returns: The handle.
  /// - Throws: ``LMDBError``: `notFound` if it is not there and was not to be made, `incompatible`
  ///   if it is there with repeated keys or another order of keys, which only other programs make.
  public mutating func openDatabase(
    _ name: String, _ flags: DatabaseFlags = []
  ) throws(LMDBError) -> Database {
    verifyThread()
    require(flags.isSubset(of: .all), "database flags without a name: \(flags.rawValue)")
    guard !name.utf8.contains(0) else { throw LMDBError(.badValueSize, call: "mdb_dbi_open") }
    var handle: UInt32 = 0
    var found: UInt32 = 0
    try unsafe check(mdb_dbi_open(raw, name, flags.rawValue, &handle), "mdb_dbi_open")
    try unsafe check(mdb_dbi_flags(raw, handle, &found), "mdb_dbi_flags")
    guard found == 0 else { throw LMDBError(.incompatible, call: "mdb_dbi_flags") }
    return Database(handle: handle, environment: environment.number)
  }

  /// Puts a pair.
  ///
  /// Complexity: O(log *n*) pages, one page written for each level.
  ///
  /// - Parameters:
  ///   - value: The value; copied.
  ///   - key: 1 to 511 bytes; copied.
  ///   - database: Where to put it.
  ///   - flags: Conditions on the key.
  /// - Returns: False if the key was there and only `noOverwrite` was asked for; nothing is changed
  ///   then.
  /// - Throws: ``LMDBError``: `keyExists` if `append` was asked for and the key is not above all
  ///   others; `badValueSize`; `mapFull` and others that spoil the transaction: what follows in it
  ///   throws `badTransaction`, its commit too.
  @discardableResult
  public mutating func put(
    _ value: Span<UInt8>, for key: Span<UInt8>, in database: Database, _ flags: PutFlags = []
  ) throws(LMDBError) -> Bool {
    verify(database)
    require(flags.isSubset(of: .all), "put flags without a name: \(flags.rawValue)")
    let cursor = unsafe try environment.writeCursors.cursor(database, in: raw)
    let code = unsafe key.withUnsafeBytes { keyBytes in
      unsafe value.withUnsafeBytes { valueBytes in
        var name = unsafe MDB_val(keyBytes)
        var data = unsafe MDB_val(valueBytes)
        if let cursor = unsafe cursor {
          return unsafe mdb_cursor_put(cursor, &name, &data, flags.rawValue)
        }
        return unsafe mdb_put(raw, database.handle, &name, &data, flags.rawValue)
      }
    }
    if code == MDB_KEYEXIST, flags == .noOverwrite { return false }
    try check(code, "mdb_put")
    return true
  }

  /// Puts a pair whose value `fill` writes in place.
  ///
  /// Traps if `fill` leaves part of it unwritten.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the value.
  ///   - key: 1 to 511 bytes; copied.
  ///   - database: Where to put it.
  ///   - flags: Conditions on the key.
  ///   - fill: Writes exactly `byteCount` bytes.
  /// - Throws: ``LMDBError``, as ``put(_:for:in:_:)``; also `keyExists` with `noOverwrite`.
  public mutating func put(
    byteCount: Int, for key: Span<UInt8>, in database: Database, _ flags: PutFlags = [],
    fill: (inout OutputSpan<UInt8>) -> Void
  ) throws(LMDBError) {
    verify(database)
    require(flags.isSubset(of: .all), "put flags without a name: \(flags.rawValue)")
    require(byteCount >= 0, "a value of \(byteCount) bytes was reserved")
    var data = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
    let code = unsafe key.withUnsafeBytes { keyBytes in
      var name = unsafe MDB_val(keyBytes)
      return unsafe mdb_put(
        raw, database.handle, &name, &data, flags.union(.reserve).rawValue)
    }
    try check(code, "mdb_put")
    guard byteCount > 0, let start = unsafe data.mv_data else { return }
    // Sound: LMDB gave `byteCount` bytes at `start`, which are ours until the next change.
    let room = unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount)
      .bindMemory(to: UInt8.self)
    var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
    fill(&output)
    let written = unsafe output.finalize(for: room)
    require(written == byteCount, "\(written) of \(byteCount) reserved bytes were written")
  }

  /// Deletes a pair.
  ///
  /// Complexity: O(log *n*) pages, one page written for each level.
  ///
  /// - Returns: Whether the key was there.
  @discardableResult
  public mutating func delete(
    _ key: Span<UInt8>, in database: Database
  ) throws(LMDBError) -> Bool {
    verify(database)
    let cursor = unsafe try environment.writeCursors.cursor(database, in: raw)
    let code = unsafe key.withUnsafeBytes { bytes in
      var name = unsafe MDB_val(bytes)
      guard let cursor = unsafe cursor else {
        return unsafe mdb_del(raw, database.handle, &name, nil)
      }
      let found = unsafe mdb_cursor_get(cursor, &name, nil, MDB_SET)
      return found == 0 ? unsafe mdb_cursor_del(cursor, 0) : found
    }
    if code == MDB_NOTFOUND { return false }
    try check(code, "mdb_del")
    return true
  }

  /// Empties a database; the handle stays good.
  ///
  /// Complexity: O(pages of branches), and O(pages) where values are too long for a leaf.
  public mutating func empty(_ database: Database) throws(LMDBError) {
    verify(database)
    try unsafe check(mdb_drop(raw, database.handle, 0), "mdb_drop")
  }
}
