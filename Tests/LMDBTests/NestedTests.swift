import LMDB
import LedgerTestSupport
import Testing

@Suite("Nested transactions")
struct NestedTests {
  typealias Stop = ModelTests.Stop

  /// Puts `key` with `value`, as a body with the error type of these tests.
  private static func put(
    _ transaction: inout WriteTransaction, _ value: [UInt8], _ key: UInt8, _ database: Database
  ) throws(Stop) {
    do throws(LMDBError) {
      try transaction.put(value.span, for: [key].span, in: database)
    } catch {
      throw .failed(error)
    }
  }

  @Test("What the inner one did is kept or undone by itself", arguments: [false, true])
  func inner(_ stops: Bool) throws {
    try withEnvironment { environment, database in
      try environment.write { (outer) throws(Stop) in
        try Self.put(&outer, [1], 1, database)
        do throws(Stop) {
          try outer.nested { (inner) throws(Stop) in
            try Self.put(&inner, [2], 1, database)
            try Self.put(&inner, [2], 2, database)
            let seen = try? inner.reads.copy([1], database)
            #expect(seen == [2])
            if stops { throw .asked }
          }
        } catch {
          #expect(stops && error == .asked)
        }
        try Self.put(&outer, [3], 3, database)
      }
      let expected = stops ? [[1], [3]] : [[2], [2], [3]] as [[UInt8]]
      #expect(try environment.pairs(database).map(\.value) == expected)
    }
  }

  @Test("If the outer one is dropped, so is what the inner one committed")
  func outer() throws {
    try withEnvironment { environment, database in
      #expect(throws: Stop.asked) {
        try environment.write { (outer) throws(Stop) in
          try outer.nested { (inner) throws(Stop) in try Self.put(&inner, [1], 1, database) }
          throw .asked
        }
      }
      let pairs = try environment.pairs(database)
      #expect(pairs.isEmpty)
    }
  }

  @Test("A full map undoes the inner one; the outer one goes on")
  func mapFull() throws {
    try withEnvironment(.test(mapSizeBytes: 1 << 20)) { environment, database in
      try environment.write { (outer) throws(LMDBError) in
        try outer.put([1].span, for: [1].span, in: database)
        do throws(LMDBError) {
          try outer.nested { (inner) throws(LMDBError) in
            try inner.put([2].span, for: [2].span, in: database)
            let value = [UInt8](repeating: 0, count: 2 << 20)
            try inner.put(value.span, for: [3].span, in: database)
          }
        } catch {
          #expect(error.code == .mapFull)
        }
        try outer.put([4].span, for: [4].span, in: database)
      }
      #expect(try environment.pairs(database).map(\.key) == [[1], [4]])
    }
  }

  @Test("An inner one whose failure was caught spoils the outer one too")
  func caughtFailure() throws {
    try withEnvironment(.test(mapSizeBytes: 1 << 20)) { environment, database in
      let spoilt = { () throws(LMDBError) in
        try environment.write { (outer) throws(LMDBError) in
          do throws(LMDBError) {
            try outer.nested { (inner) throws(LMDBError) in
              try inner.put([2].span, for: [2].span, in: database)
              let value = [UInt8](repeating: 0, count: 2 << 20)
              _ = try? inner.put(value.span, for: [3].span, in: database)
            }
            Issue.record("a spoilt transaction was committed")
          } catch {
            #expect(error.code == .badTransaction && error.call == CommitTests.nothingKept)
          }
        }
      }
      #expect(throws: LMDBError(.badTransaction, call: "")) { try spoilt() }
      #expect(try environment.pairs(database).isEmpty)
      try environment.put([1], [1], database)
    }
  }

  /// Random changes down to `depth` levels, some of which are undone.
  private static func change(
    _ transaction: inout WriteTransaction, _ depth: Int, _ database: Database,
    _ model: inout [UInt8: [UInt8]], _ generator: inout SeededGenerator
  ) throws(Stop) {
    for _ in 0..<Int.random(in: 0..<20, using: &generator) {
      let key = UInt8.random(in: 0..<50, using: &generator)
      let size = Int.random(in: 0..<3000, using: &generator)
      let value = [UInt8](repeating: key, count: size)
      try put(&transaction, value, key, database)
      model[key] = value
      guard depth > 0, Int.random(in: 0..<4, using: &generator) == 0 else { continue }
      let before = model
      do throws(Stop) {
        try transaction.nested { (inner) throws(Stop) in
          try change(&inner, depth - 1, database, &model, &generator)
        }
      } catch {
        guard error == .asked else { throw error }
        model = before
      }
    }
    if Int.random(in: 0..<3, using: &generator) == 0 { throw .asked }
  }

  @Test("Random changes on three levels", arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try withEnvironment { environment, database in
      var model: [UInt8: [UInt8]] = [:]
      for _ in 0..<30 {
        let before = model
        do {
          try environment.write { (transaction) throws(Stop) in
            try Self.change(&transaction, 2, database, &model, &generator)
          }
        } catch Stop.asked {
          model = before
        }
        let expected = model.sorted { $0.key < $1.key }.map { Pair([$0.key], $0.value) }
        #expect(try environment.pairs(database) == expected, "seed \(seed)")
      }
    }
  }
}
