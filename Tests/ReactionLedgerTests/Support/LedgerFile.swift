import LMDB
import LedgerEngine
import ReactionModel
import Testing

/// Reaches into a ledger's store past the engine, which must not have it open.
enum LedgerFile {
  /// Changes one database.
  static func change(
    _ path: String, _ database: String,
    _ body: (inout WriteTransaction, Database) throws(LMDBError) -> Void
  ) throws {
    let environment = try Environment(path: path)
    defer { environment.close() }
    try environment.write { (transaction) throws(LMDBError) in
      let handle = try transaction.openDatabase(database)
      try body(&transaction, handle)
    }
  }

  /// Puts a value.
  static func put(_ value: [UInt8], for key: [UInt8], in database: String, of path: String) throws {
    try change(path, database) { (transaction, handle) throws(LMDBError) in
      try transaction.put(value.span, for: key.span, in: handle)
    }
  }

  /// A value, copied.
  static func value(of key: [UInt8], in database: String, of path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try change(path, database) { (transaction, handle) throws(LMDBError) in
      guard let value = try transaction.reads.value(for: key.span, in: handle) else { return }
      for index in value.indices { bytes.append(value[index]) }
    }
    try #require(!bytes.isEmpty, "\(database) holds no such key")
    return bytes
  }

  /// The key of an event: its sequence in 8 bytes.
  static func key(ofEvent sequence: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: sequence >> $0) }
  }

  /// The first key of a database, copied.
  static func firstKey(in database: String, of path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try change(path, database) { (transaction, handle) throws(LMDBError) in
      var cursor = try Cursor(transaction.reads, in: handle)
      guard let row = try cursor.first() else { return }
      let key = row.key
      for index in key.indices { bytes.append(key[index]) }
    }
    try #require(!bytes.isEmpty, "\(database) is empty")
    return bytes
  }
}

extension WorkFolder {
  /// Runs `body` with a ledger of this folder, opened by the engine in this process.
  func withLedger<R>(_ name: String, _ body: (Ledger) throws -> R) throws -> R {
    let ledger = try Ledger.open(at: self(name))
    defer { ledger.close() }
    return try body(ledger)
  }

  /// The last sequence of a ledger, which must agree with its log in everything.
  func provenHead(
    of name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> UInt64 {
    try withLedger(name) { ledger in
      let report = try ledger.replay()
      #expect(report.isOK, "\(report.findings)", sourceLocation: sourceLocation)
      return report.head
    }
  }
}
