import LMDB
import Testing

@Suite("Transactions")
struct TransactionTests {
  @Test("A body that throws leaves nothing")
  func abort() throws {
    try withEnvironment { environment, database in
      try environment.put([1], [1], database)
      let before = environment.information.lastTransaction
      #expect(throws: ModelTests.Stop.asked) {
        try environment.write { (transaction) throws(ModelTests.Stop) in
          do throws(LMDBError) {
            try transaction.put([2].span, for: [2].span, in: database)
            try transaction.delete([1].span, in: database)
            _ = try transaction.openDatabase("other", .create)
          } catch {
            throw .failed(error)
          }
          throw .asked
        }
      }
      #expect(try environment.pairs(database) == [Pair([1], [1])])
      #expect(environment.information.lastTransaction == before)
      #expect(throws: LMDBError(.notFound, call: "")) {
        _ = try environment.write { (transaction) throws(LMDBError) in
          try transaction.openDatabase("other")
        }
      }
    }
  }

  @Test("A read that throws gives its slot back")
  func readThrows() throws {
    try withEnvironment(.test(maximumReaderCount: 1)) { environment, database in
      for _ in 0..<3 {
        #expect(throws: ModelTests.Stop.asked) {
          try environment.read { (_) throws(ModelTests.Stop) in throw .asked }
        }
      }
      let found = try environment.value([1], database)
      #expect(found == nil)
    }
  }

  @Test("A commit is seen by later readers, and not by one that began before")
  func isolation() throws {
    try withEnvironment { environment, database in
      try environment.put([1], [1], database)
      try environment.read { (old) throws(LMDBError) in
        for value in 2...50 as ClosedRange<UInt8> {
          try environment.put([value], [1], database)
          try environment.put([UInt8](repeating: value, count: 5000), [value], database)
          let (new, pairs) = (try environment.value([1], database), try old.pairs(database))
          #expect(new == [value] && pairs == [Pair([1], [1])])
        }
        let later = environment.information.lastTransaction
        #expect(later == old.id + 98)
      }
      #expect(try environment.pairs(database).count == 50)
    }
  }

  @Test("What is being written is not seen outside")
  func uncommitted() throws {
    try withEnvironment { environment, database in
      try environment.write { (transaction) throws(LMDBError) in
        try transaction.put([1].span, for: [1].span, in: database)
        let outside = try environment.value([1], database)
        #expect(outside == nil)
      }
      #expect(try environment.value([1], database) == [1])
    }
  }

  @Test("A write whose failure was caught does not commit")
  func caughtFailure() throws {
    try withEnvironment(.test(mapSizeBytes: 1 << 20)) { environment, database in
      let failure = #expect(throws: LMDBError.self) {
        try environment.write { (transaction) throws(LMDBError) in
          try transaction.put([1].span, for: [1].span, in: database)
          do throws(LMDBError) {
            let value = [UInt8](repeating: 0, count: 2 << 20)
            try transaction.put(value.span, for: [2].span, in: database)
          } catch {
            #expect(error.code == .mapFull)
          }
        }
      }
      #expect(failure?.code == .badTransaction)
      #expect(failure?.call == "mdb_txn_commit, nothing kept")
      #expect(try environment.pairs(database) == [])
      try environment.put([1], [1], database)
    }
  }

  @Test("Reads and writes give back what their bodies return")
  func results() throws {
    try withEnvironment { environment, _ in
      let written = try environment.write { (_) throws(LMDBError) in "written" }
      let read = try environment.read { (_) throws(LMDBError) in 7 }
      #expect(written == "written" && read == 7)
    }
  }

  @Test("A transaction of one environment may enclose one of another")
  func twoEnvironments() throws {
    try withEnvironment { first, items in
      try withEnvironment { second, others in
        try first.write { (outer) throws(LMDBError) in
          try outer.put([1].span, for: [1].span, in: items)
          _ = try second.write { (inner) throws(LMDBError) in
            try inner.put([2].span, for: [1].span, in: others)
          }
        }
        #expect(try first.value([1], items) == [1])
        #expect(try second.value([1], others) == [2])
      }
    }
  }

  @Test("Committed pairs are there after opening anew", arguments: [true, false])
  func durability(_ flushes: Bool) throws {
    try withFolder { path in
      let flags: EnvironmentFlags = flushes ? [] : [.noMetaSync, .noReadAhead]
      let environment = try Environment(path: path, options: .test(flags: flags))
      let database = try environment.makeDatabase()
      try environment.put([1], [1], database)
      try environment.flush()
      environment.close()
      let again = try Environment(path: path, options: .test(flags: flags))
      defer { again.close() }
      #expect(try again.value([1], again.makeDatabase()) == [1])
    }
  }
}
