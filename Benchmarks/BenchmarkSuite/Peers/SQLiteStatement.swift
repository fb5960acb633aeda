#if SQLitePeer
  import CSQLite

  /// A prepared statement; it is reset when it has given its last row.
  @safe final class SQLiteStatement {
    private let database: OpaquePointer
    private let raw: OpaquePointer

    init(_ database: OpaquePointer, _ text: String) throws {
      var prepared: OpaquePointer?
      let code = unsafe sqlite3_prepare_v3(
        database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
      guard code == SQLITE_OK, let prepared = unsafe prepared else {
        throw unsafe Self.error(database)
      }
      unsafe raw = prepared
      unsafe self.database = database
    }

    deinit { unsafe sqlite3_finalize(raw) }

    static func error(_ database: OpaquePointer) -> BenchError {
      .peer("SQLite: \(unsafe String(cString: sqlite3_errmsg(database)))")
    }

    func bind(_ index: Int32, _ number: Int) throws {
      try check(unsafe sqlite3_bind_int64(raw, index, Int64(number)))
    }

    func bind(_ index: Int32, _ text: String) throws {
      // Sound: SQLite copies the text during the call.
      try check(unsafe peer_bind_text(raw, index, text, Int32(text.utf8.count)))
    }

    /// Steps; whether there is a row.
    func step() throws -> Bool {
      switch unsafe sqlite3_step(raw) {
      case SQLITE_ROW: return true
      case SQLITE_DONE:
        reset()
        return false
      default: throw unsafe Self.error(database)
      }
    }

    /// Runs a statement that gives no rows, and returns how many it changed.
    @discardableResult
    func run() throws -> Int {
      _ = try step()
      return Int(unsafe sqlite3_changes(database))
    }

    func reset() { unsafe sqlite3_reset(raw) }

    func number(_ column: Int32) -> Int { Int(unsafe sqlite3_column_int64(raw, column)) }

    func text(_ column: Int32) -> String {
      guard let text = unsafe sqlite3_column_text(raw, column) else { return "" }
      // Sound: the text ends with a zero and stays until the next step.
      return unsafe String(cString: text)
    }

    private func check(_ code: Int32) throws {
      guard code == SQLITE_OK else { throw unsafe Self.error(database) }
    }
  }
#endif
