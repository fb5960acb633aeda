import Foundation
import LMDB
import Testing

/// Environments that are only read.
@Suite struct ReadOnlyTests {
  private func makeFile(_ folder: String) throws {
    let environment = try Environment(path: folder)
    try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
      let things = try transaction.openDatabase("things", .create)
      for number: UInt8 in 1...9 {
        let (key, value) = ([number], [number, number])
        try transaction.put(value.span, for: key.span, in: things)
      }
    }
    environment.close()
  }

  @Test(
    "Reads what is there; what is absent reads as empty; writing throws",
    arguments: [Environment.Access.readOnly, .readOnlyUnlocked])
  func access(_ access: Environment.Access) throws {
    try withFolder { path in
      try makeFile(path)
      let data = try Data(contentsOf: URL(filePath: path + "/data.mdb"))
      if access == .readOnlyUnlocked {
        try FileManager.default.removeItem(atPath: path + "/lock.mdb")
      }
      var options = Environment.Options()
      options.access = access
      let environment = try Environment(path: path, options: options)
      let databases = try environment.openDatabases(["things", "nothings"])
      #expect(databases[0].isAbsent == false && databases[1].isAbsent)
      for _ in 0..<2 { try look(environment, databases) }
      #expect(throws: LMDBError(.permissionDenied, call: "")) {
        try environment.write { (_: inout WriteTransaction) throws(LMDBError) in }
      }
      #expect(try environment.readers().allSatisfy { $0.transaction == nil })
      environment.close()
      #expect(try Data(contentsOf: URL(filePath: path + "/data.mdb")) == data)
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(names.contains("lock.mdb") == (access == .readOnly))
    }
  }

  private func look(_ environment: Environment, _ databases: [Database]) throws {
    try environment.read { (reads: borrowing ReadTransaction) throws(LMDBError) in
      let key: [UInt8] = [3]
      var foundCount = 0
      if let value = try reads.value(for: key.span, in: databases[0]) { foundCount = value.count }
      #expect(foundCount == 2)
      let counts = try databases.map { (database) throws(LMDBError) in
        try reads.statistics(of: database).entryCount
      }
      #expect(counts == [9, 0])
      var isEmpty = true
      if try reads.value(for: key.span, in: databases[1]) != nil { isEmpty = false }
      var cursor = try Cursor(reads, in: databases[1])
      if try cursor.first() != nil { isEmpty = false }
      if try cursor.next() != nil { isEmpty = false }
      if try cursor.seek(key.span) != nil { isEmpty = false }
      if try cursor.value(for: key.span) != nil { isEmpty = false }
      #expect(isEmpty)
    }
  }
}
