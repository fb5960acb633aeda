import Foundation
import LMDB

/// Runs `body` with a new empty folder, which is removed afterwards.
func withFolder<R>(_ body: (String) throws -> R) throws -> R {
  let path = try newFolder()
  defer { removeFolder(path) }
  return try body(path)
}

/// Runs `body` with a new empty folder, which is removed afterwards.
func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
  let path = try newFolder()
  defer { removeFolder(path) }
  return try await body(path)
}

private func newFolder() throws -> String {
  let url = FileManager.default.temporaryDirectory.appending(path: "lmdb-\(UUID())")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  return url.path(percentEncoded: false)
}

private func removeFolder(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

/// Runs `body` with a new environment and an empty database in it.
func withEnvironment(
  _ options: Environment.Options = .test(),
  _ body: (Environment, Database) throws -> Void
) throws {
  try withFolder { path in
    let environment = try Environment(path: path, options: options)
    defer { environment.close() }
    try body(environment, environment.makeDatabase())
  }
}

/// Runs `body` with a new environment whose files have no names any more.
///
/// For a process that ends in the middle: nothing of it is left behind.
func withDoomedEnvironment(_ body: (Environment, Database) throws -> Void) throws {
  let environment = try withFolder { path in try Environment(path: path, options: .test()) }
  defer { environment.close() }
  try body(environment, environment.makeDatabase())
}

extension Environment.Options {
  /// Options with a small map, and without flushes where a test commits often.
  static func test(
    mapSizeBytes: Int = 64 << 20, maximumReaderCount: Int = 126, flags: EnvironmentFlags = .noSync
  ) -> Self {
    var options = Self()
    options.mapSizeBytes = mapSizeBytes
    options.maximumReaderCount = maximumReaderCount
    options.flags = flags
    return options
  }
}

extension Environment {
  /// Makes a database, or opens it if it is there.
  func makeDatabase(_ name: String = "items") throws(LMDBError) -> Database {
    try write { (transaction) throws(LMDBError) in try transaction.openDatabase(name, .create) }
  }

  /// Puts one pair in a transaction of its own.
  func put(_ value: [UInt8], _ key: [UInt8], _ database: Database) throws(LMDBError) {
    try write { (transaction) throws(LMDBError) in
      _ = try transaction.put(value.span, for: key.span, in: database)
    }
  }

  /// Reads one value in a snapshot of its own.
  func value(_ key: [UInt8], _ database: Database) throws(LMDBError) -> [UInt8]? {
    try read { (snapshot) throws(LMDBError) in try snapshot.copy(key, database) }
  }

  /// All pairs in their order.
  func pairs(_ database: Database) throws(LMDBError) -> [Pair] {
    try read { (snapshot) throws(LMDBError) in try snapshot.pairs(database) }
  }
}
