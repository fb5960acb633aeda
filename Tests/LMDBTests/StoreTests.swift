import LMDB
import Testing

@Suite("Pairs")
struct StoreTests {
  /// Around the limits of a leaf (2,022 bytes beside a key of 8) and of one page.
  static let valueSizes = [0, 1, 2022, 2023, 4080, 4081, 100_000, 3_000_000]

  @Test("Values of every size come back", arguments: valueSizes)
  func valueSize(_ size: Int) throws {
    let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try withEnvironment { environment, database in
      try environment.put(value, [UInt8](number: 1), database)
      try environment.put([7], [UInt8](number: 2), database)
      #expect(try environment.value([UInt8](number: 1), database) == value)
      #expect(try environment.value([UInt8](number: 2), database) == [7])
      let found = try environment.read { (snapshot) throws(LMDBError) in
        try snapshot.statistics(of: database)
      }
      let overflow = size <= 2022 ? 0 : (16 + size + 4095) / 4096
      #expect(found.overflowPageCount == overflow)
      #expect(found.entryCount == 2)
    }
  }

  @Test("Values of every size can be written in place", arguments: valueSizes)
  func reserve(_ size: Int) throws {
    try withEnvironment { environment, database in
      try environment.write { (transaction) throws(LMDBError) in
        try transaction.put(byteCount: size, for: [UInt8]("key").span, in: database) { output in
          for index in 0..<size { output.append(UInt8(truncatingIfNeeded: index &* 13)) }
        }
      }
      let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 13) }
      #expect(try environment.value([UInt8]("key"), database) == value)
    }
  }

  @Test(
    "Keys have 1 to 511 bytes",
    arguments: [(0, false), (1, true), (255, true), (511, true), (512, false), (5000, false)])
  func keySize(_ size: Int, _ isValid: Bool) throws {
    let key = [UInt8](repeating: 0xab, count: size)
    try withEnvironment { environment, database in
      let wrongSize = LMDBError(.badValueSize, call: "")
      if isValid {
        try environment.put([1], key, database)
        #expect(try environment.value(key, database) == [1])
      } else {
        #expect(throws: wrongSize) { try environment.put([1], key, database) }
        #expect(throws: wrongSize) {
          try environment.write { (transaction) throws(LMDBError) in
            try transaction.put(byteCount: 1, for: key.span, in: database) { $0.append(1) }
          }
        }
      }
      #expect(try environment.pairs(database).count == (isValid ? 1 : 0))
      if size == 0 {
        #expect(throws: wrongSize) { _ = try environment.value(key, database) }
        #expect(throws: wrongSize) {
          try environment.read { (snapshot) throws(LMDBError) in
            var cursor = try Cursor(snapshot, in: database)
            _ = try cursor.seek(key.span)
          }
        }
      } else {
        #expect(try environment.value(key, database) == (isValid ? [1] : nil))
      }
    }
  }

  @Test("A refused put leaves the transaction usable")
  func refusedPut() throws {
    try withEnvironment { environment, database in
      try environment.write { (transaction) throws(LMDBError) in
        try transaction.put([UInt8]("1").span, for: [UInt8]("k").span, in: database)
        do throws(LMDBError) {
          try transaction.put([UInt8]("x").span, for: [UInt8]().span, in: database)
        } catch {
          #expect(error.code == .badValueSize)
        }
        try transaction.put([UInt8]("2").span, for: [UInt8]("l").span, in: database)
      }
      #expect(try environment.pairs(database).count == 2)
    }
  }

  @Test("noOverwrite keeps what is there")
  func noOverwrite() throws {
    try withEnvironment { environment, database in
      let (key, old, new) = ([UInt8]("key"), [UInt8]("old"), [UInt8]("new"))
      try environment.write { (transaction) throws(LMDBError) in
        let first = try transaction.put(old.span, for: key.span, in: database, .noOverwrite)
        let second = try transaction.put(new.span, for: key.span, in: database, .noOverwrite)
        #expect(first && !second)
        do throws(LMDBError) {
          try transaction.put(byteCount: 1, for: key.span, in: database, .noOverwrite) {
            $0.append(0)
          }
          Issue.record("a reservation over a key that is there")
        } catch {
          #expect(error.code == .keyExists)
        }
      }
      #expect(try environment.value(key, database) == old)
      try environment.put(new, key, database)
      #expect(try environment.value(key, database) == new)
    }
  }

  @Test("append takes only keys above all others", arguments: [1, 2, 3])
  func append(_ key: UInt8) throws {
    try withEnvironment { environment, database in
      try environment.put([0], [2], database)
      for flags: PutFlags in [.append, [.append, .noOverwrite]] {
        let put = { () throws(LMDBError) -> Bool in
          try environment.write { (transaction) throws(LMDBError) -> Bool in
            try transaction.put([9].span, for: [key].span, in: database, flags)
          }
        }
        if key == 3, flags == .append {
          #expect(try put())
        } else {
          #expect(throws: LMDBError(.keyExists, call: "")) { _ = try put() }
        }
      }
    }
  }

  @Test("Deleting says whether the key was there")
  func delete() throws {
    try withEnvironment { environment, database in
      try environment.put([1], [1], database)
      try environment.put([UInt8](repeating: 5, count: 9000), [2], database)
      try environment.write { (transaction) throws(LMDBError) in
        for (key, isThere) in [(1, true), (1, false), (2, true), (3, false)] as [(UInt8, Bool)] {
          let was = try transaction.delete([key].span, in: database)
          #expect(was == isThere)
        }
        let found = try transaction.reads.statistics(of: database)
        #expect(found.entryCount == 0 && found.depth == 0 && found.overflowPageCount == 0)
      }
    }
  }

  @Test("A write transaction reads what it wrote")
  func readsOfWrite() throws {
    try withEnvironment { environment, database in
      try environment.write { (transaction) throws(LMDBError) in
        try transaction.put([1].span, for: [1].span, in: database)
        let put = try transaction.reads.copy([1], database)
        try transaction.delete([1].span, in: database)
        let deleted = try transaction.reads.copy([1], database)
        #expect(put == [1] && deleted == nil)
        let (own, last) = (transaction.reads.id, environment.information.lastTransaction)
        #expect(own == last + 1)
      }
    }
  }
}
