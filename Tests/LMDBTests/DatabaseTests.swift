import CLMDB
import Foundation
import LMDB
import Testing

@Suite("Databases")
struct DatabaseTests {
  private func open(
    _ environment: Environment, _ name: String, _ flags: DatabaseFlags = []
  ) throws(LMDBError) -> Database {
    try environment.write { (transaction) throws(LMDBError) in
      try transaction.openDatabase(name, flags)
    }
  }

  @Test("A database that is not there is not found, unless it is to be made")
  func create() throws {
    try withEnvironment { environment, items in
      #expect(throws: LMDBError(.notFound, call: "")) { _ = try open(environment, "other") }
      let made = try open(environment, "other", .create)
      #expect(made != items)
      #expect(try open(environment, "other") == made)
      #expect(try open(environment, "other", .create) == made)
    }
  }

  @Test("Names are 1 to 511 bytes without a zero byte")
  func names() throws {
    try withEnvironment { environment, _ in
      for name in ["", "a\0b", String(repeating: "n", count: 512)] {
        #expect(throws: LMDBError(.badValueSize, call: "")) {
          _ = try open(environment, name, .create)
        }
      }
      _ = try open(environment, String(repeating: "n", count: 511), .create)
      let count = try environment.read { (snapshot) throws(LMDBError) in
        try snapshot.namedDatabaseCount()
      }
      #expect(count == 2)
    }
  }

  @Test("There are as many databases as the environment was opened for")
  func limit() throws {
    var options = Environment.Options.test()
    options.maximumDatabaseCount = 3
    try withEnvironment(options) { environment, _ in
      for name in ["a", "b"] { _ = try open(environment, name, .create) }
      #expect(throws: LMDBError(.databasesFull, call: "")) {
        _ = try open(environment, "c", .create)
      }
    }
  }

  @Test("Databases do not see each other's pairs, and are there after opening anew")
  func separate() throws {
    try withFolder { path in
      for round in 0..<2 {
        let environment = try Environment(path: path, options: .test())
        defer { environment.close() }
        let (a, b) = (try environment.makeDatabase("a"), try environment.makeDatabase("b"))
        if round == 0 {
          try environment.put([1], [1], a)
          try environment.put([2], [1], b)
        }
        #expect(try environment.value([1], a) == [1])
        #expect(try environment.value([1], b) == [2])
      }
    }
  }

  @Test("Emptying leaves the handle good and the other databases alone")
  func empty() throws {
    try withEnvironment { environment, items in
      let other = try environment.makeDatabase("other")
      for number in 0..<500 {
        try environment.put([UInt8](repeating: 1, count: 900), [UInt8](number: number), items)
      }
      try environment.put([2], [2], other)
      try environment.write { (transaction) throws(LMDBError) in
        let before = try transaction.reads.statistics(of: items)
        #expect(before.entryCount == 500 && before.depth >= 2)
        #expect(before.branchPageCount >= 1 && before.leafPageCount >= 100)
        try transaction.empty(items)
        let after = try transaction.reads.statistics(of: items)
        #expect(after.entryCount == 0 && after.leafPageCount == 0)
        try transaction.put([3].span, for: [3].span, in: items)
      }
      #expect(try environment.pairs(items) == [Pair([3], [3])])
      #expect(try environment.pairs(other) == [Pair([2], [2])])
    }
  }

  @Test("Free pages are counted in a read, and refused in a write")
  func freePages() throws {
    try withEnvironment { environment, items in
      try environment.put([UInt8](repeating: 1, count: 100 * 4096), [1], items)
      let before = try environment.read { (snapshot) throws(LMDBError) in
        try snapshot.freePageCount()
      }
      try environment.write { (transaction) throws(LMDBError) in
        try transaction.empty(items)
        do throws(LMDBError) {
          _ = try transaction.reads.freePageCount()
          Issue.record("the list of free pages was read in a write")
        } catch {
          #expect(error.code == .invalidArgument)
        }
      }
      let after = try environment.read { (snapshot) throws(LMDBError) in
        try snapshot.freePageCount()
      }
      #expect(after >= before + 101)
    }
  }

  @Test("A database of another program with repeated keys is refused")
  func repeatedKeys() throws {
    try withFolder { path in
      var environment: OpaquePointer?
      var transaction: OpaquePointer?
      var handle: UInt32 = 0
      unsafe mdb_env_create(&environment)
      unsafe mdb_env_set_maxdbs(environment, 4)
      #expect(unsafe mdb_env_open(environment, path, 0, 0o644) == 0)
      unsafe mdb_txn_begin(environment, nil, 0, &transaction)
      #expect(
        unsafe mdb_dbi_open(transaction, "items", UInt32(MDB_CREATE | MDB_DUPSORT), &handle) == 0)
      #expect(unsafe mdb_txn_commit(transaction) == 0)
      unsafe mdb_env_close(environment)

      let opened = try Environment(path: path, options: .test())
      defer { opened.close() }
      #expect(throws: LMDBError(.incompatible, call: "")) { _ = try open(opened, "items") }
      #expect(throws: LMDBError(.incompatible, call: "")) {
        _ = try open(opened, "items", .create)
      }
    }
  }
}
