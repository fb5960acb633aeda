internal import CLMDB

/// A place in a database, moved in the order of keys; it cannot outlive its transaction.
@safe public struct Cursor: ~Copyable, ~Escapable {
  let raw: OpaquePointer
  /// The thread of a write transaction, 0 if it is of a read transaction.
  let thread: UInt
  /// Whether it moves in a database that is not there; `raw` is then of another one.
  let isAbsent: Bool

  /// Opens a cursor that stands before the first pair.
  ///
  /// - Parameters:
  ///   - transaction: The snapshot to read; of a write transaction, its `reads`.
  ///   - database: Where to move.
  /// - Throws: ``LMDBError``.
  @_lifetime(borrow transaction)
  public init(_ transaction: borrowing ReadTransaction, in database: Database) throws(LMDBError) {
    transaction.verify(database)
    try self.init(transaction, handle: database.handle)
  }

  @_lifetime(borrow transaction)
  init(_ transaction: borrowing ReadTransaction, handle: UInt32) throws(LMDBError) {
    isAbsent = handle == Database.absentHandle
    let present = isAbsent ? ReadTransaction.mainDatabase : handle
    var opened: OpaquePointer?
    try unsafe check(mdb_cursor_open(transaction.raw, present, &opened), "mdb_cursor_open")
    guard let opened = unsafe opened else { throw LMDBError(.panic, call: "mdb_cursor_open") }
    thread = transaction.thread
    unsafe raw = opened
  }

  deinit { unsafe mdb_cursor_close(raw) }

  /// Moves to the first pair.
  @_lifetime(&self)
  public mutating func first() throws(LMDBError) -> Row? { try move(MDB_FIRST) }

  /// Moves to the last pair.
  @_lifetime(&self)
  public mutating func last() throws(LMDBError) -> Row? { try move(MDB_LAST) }

  /// Moves to the next pair; from before the first one, to that.
  @_lifetime(&self)
  public mutating func next() throws(LMDBError) -> Row? { try move(MDB_NEXT) }

  /// Moves to the previous pair; from before the first one, to the last.
  @_lifetime(&self)
  public mutating func previous() throws(LMDBError) -> Row? { try move(MDB_PREV) }

  /// Moves to the first pair whose key is `key` or comes after it.
  @_lifetime(&self)
  public mutating func seek(_ key: Span<UInt8>) throws(LMDBError) -> Row? {
    Environment.verifyThread(thread)
    if isAbsent { return nil }
    var name = unsafe MDB_val()
    var data = unsafe MDB_val()
    let code = unsafe key.withUnsafeBytes { bytes in
      unsafe name = MDB_val(bytes)
      return unsafe mdb_cursor_get(raw, &name, &data, MDB_SET_RANGE)
    }
    return try unsafe row(code, name, data)
  }

  /// Moves to the pair of a key and gives its value; `nil` if there is none.
  ///
  /// Keys that lie near the last one cost less than a look-up in the transaction.
  @_lifetime(&self)
  public mutating func value(for key: Span<UInt8>) throws(LMDBError) -> Span<UInt8>? {
    Environment.verifyThread(thread)
    if isAbsent { return nil }
    var name = unsafe MDB_val()
    var data = unsafe MDB_val()
    let code = unsafe key.withUnsafeBytes { bytes in
      unsafe name = MDB_val(bytes)
      return unsafe mdb_cursor_get(raw, &name, &data, MDB_SET)
    }
    if code == MDB_NOTFOUND { return nil }
    try check(code, "mdb_cursor_get")
    // Sound as in `row`.
    return unsafe _overrideLifetime(data.span, copying: self)
  }

  @_lifetime(&self)
  @inline(__always)
  private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Row? {
    Environment.verifyThread(thread)
    if isAbsent { return nil }
    var name = unsafe MDB_val()
    var data = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(raw, &name, &data, operation)
    return try unsafe row(code, name, data)
  }

  @_lifetime(&self)
  @inline(__always)
  private mutating func row(
    _ code: Int32, _ name: MDB_val, _ data: MDB_val
  ) throws(LMDBError) -> Row? {
    if code == MDB_NOTFOUND { return nil }
    try check(code, "mdb_cursor_get")
    // Sound: the bytes stay in place while the transaction lives; the lifetime ends with the
    // cursor's next move.
    return unsafe _overrideLifetime(Row(key: name.span, value: data.span), copying: self)
  }
}

/// A pair of key and value in the map; gone at the cursor's next move.
public struct Row: ~Escapable {
  /// The key's bytes.
  public let key: Span<UInt8>
  /// The value's bytes.
  public let value: Span<UInt8>

  @_lifetime(copy key, copy value)
  init(key: Span<UInt8>, value: Span<UInt8>) {
    self.key = key
    self.value = value
  }
}
