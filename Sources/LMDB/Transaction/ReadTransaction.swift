internal import CLMDB

/// A snapshot: everything committed when it was taken, and nothing later.
///
/// What it returns points into the map and cannot outlive it. Using it on another thread is
/// allowed, but not on two at once; the ``WriteTransaction/reads`` of a write transaction only on
/// its thread.
@safe public struct ReadTransaction: ~Copyable {
  let raw: OpaquePointer
  let environment: Environment
  /// The thread of the write transaction that this belongs to and that ends it, 0 if none.
  let thread: UInt
  /// The cursors of that write transaction.
  private let cursors: WriteCursors?

  init(
    _ raw: OpaquePointer, of environment: Environment, thread: UInt = 0,
    cursors: WriteCursors? = nil
  ) {
    unsafe self.raw = raw
    self.environment = environment
    self.thread = thread
    self.cursors = cursors
  }

  deinit {
    guard thread == 0 else { return }
    unsafe mdb_txn_reset(raw)
    environment.leave(returning: unsafe Environment.ReaderHandle(raw: raw))
  }

  /// The id of the commit that is seen; of a write transaction, the id that it will have.
  public var id: UInt64 { UInt64(truncatingIfNeeded: unsafe mdb_txn_id(raw)) }

  /// The value of a key, or `nil`.
  ///
  /// Complexity: O(log *n*) pages.
  ///
  /// - Parameters:
  ///   - key: 1 to 511 bytes.
  ///   - database: Where to look.
  /// - Returns: The bytes in the map; they live as long as the transaction is not changed.
  /// - Throws: ``LMDBError``: `badValueSize` for an empty key.
  @_lifetime(borrow self)
  public borrowing func value(
    for key: Span<UInt8>, in database: Database
  ) throws(LMDBError) -> Span<UInt8>? {
    verify(database)
    if database.isAbsent { return nil }
    var found = unsafe MDB_val()
    let cursor = unsafe try cursors?.cursor(database, in: raw)
    let code = unsafe key.withUnsafeBytes { bytes in
      var name = unsafe MDB_val(bytes)
      if let cursor = unsafe cursor {
        return unsafe mdb_cursor_get(cursor, &name, &found, MDB_SET)
      }
      return unsafe mdb_get(raw, database.handle, &name, &found)
    }
    if code == MDB_NOTFOUND { return nil }
    try check(code, "mdb_get")
    // Sound: LMDB keeps the bytes in place until the transaction ends or is written to, and the
    // lifetime borrows the transaction.
    return unsafe _overrideLifetime(found.span, borrowing: self)
  }

  /// How large a database is.
  ///
  /// Complexity: O(1).
  public borrowing func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
    verify(database)
    var found = MDB_stat()
    if database.isAbsent { return DatabaseStatistics(found) }
    try unsafe check(mdb_stat(raw, database.handle, &found), "mdb_stat")
    return DatabaseStatistics(found)
  }

  /// How many named databases the environment has.
  ///
  /// Complexity: O(1).
  ///
  /// - Throws: ``LMDBError``.
  public borrowing func namedDatabaseCount() throws(LMDBError) -> Int {
    Environment.verifyThread(thread)
    var found = MDB_stat()
    try unsafe check(mdb_stat(raw, Self.mainDatabase, &found), "mdb_stat")
    return DatabaseStatistics(found).entryCount
  }

  /// How many pages are free for later commits.
  ///
  /// Not in a write transaction, whose own list of free pages is still open.
  ///
  /// Complexity: O(number of transactions that freed).
  ///
  /// - Throws: ``LMDBError``: `corrupted` if the list of free pages is damaged, `invalidArgument`
  ///   in a write transaction.
  public borrowing func freePageCount() throws(LMDBError) -> Int {
    Environment.verifyThread(thread)
    var cursor = try Cursor(self, handle: Self.freeDatabase)
    var count = 0
    while let row = try cursor.next() {
      count += try Self.freePageCount(in: row.value)
    }
    return count
  }

  /// The count that leads a list of page numbers, in the machine's own order.
  static func freePageCount(in list: Span<UInt8>) throws(LMDBError) -> Int {
    let wordSize = MemoryLayout<UInt>.size
    guard list.count >= wordSize else {
      throw LMDBError(.corrupted, call: "a list of free pages has no count")
    }
    // Sound: the word is inside the span.
    let count = unsafe list.bytes.unsafeLoadUnaligned(as: UInt.self)
    guard count <= UInt(list.count / wordSize - 1) else {
      throw LMDBError(.corrupted, call: "a list of free pages is shorter than its count")
    }
    return Int(count)
  }

  private static let freeDatabase: UInt32 = 0
  static let mainDatabase: UInt32 = 1

  func verify(_ database: Database) {
    Environment.verifyThread(thread)
    require(database.environment == environment.number, "the database is of another environment")
  }
}

extension MDB_val {
  /// LMDB does not write through the pointer of a key or of a value to be put.
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// The bytes that LMDB pointed at; the caller ties the lifetime to the transaction.
  var span: Span<UInt8> {
    @_lifetime(immortal)
    get {
      guard unsafe mv_size > 0, let start = unsafe mv_data else { return Span() }
      let buffer = unsafe UnsafeRawBufferPointer(start: start, count: mv_size)
        .assumingMemoryBound(to: UInt8.self)
      return unsafe _overrideLifetime(Span(_unsafeElements: buffer), copying: ())
    }
  }
}

extension DatabaseStatistics {
  init(_ found: MDB_stat) {
    entryCount = Int(found.ms_entries)
    depth = Int(found.ms_depth)
    branchPageCount = Int(found.ms_branch_pages)
    leafPageCount = Int(found.ms_leaf_pages)
    overflowPageCount = Int(found.ms_overflow_pages)
  }
}
