import LMDB
import LedgerTestSupport
import Testing

/// Appending keeps a cursor at the end of each database: whatever happens between two appends, they
/// go to the end.
@Suite("Appending")
struct AppendTests {
  typealias Stop = ModelTests.Stop

  private struct Model {
    var pairs: [[UInt8]] = []
    var next = 1

    mutating func append() -> [UInt8] {
      pairs.append([UInt8](number: next))
      next += 1
      return pairs[pairs.count - 1]
    }
  }

  private static func change(
    _ transaction: inout WriteTransaction, _ databases: [Database], _ models: inout [Model],
    _ generator: inout SeededGenerator
  ) throws(LMDBError) {
    let place = Int.random(in: 0..<databases.count, using: &generator)
    let database = databases[place]
    switch Int.random(in: 0..<40, using: &generator) {
    case 0:
      try transaction.empty(database)
      models[place].pairs = []
    case 1..<6:
      guard let key = models[place].pairs.randomElement(using: &generator) else { return }
      try transaction.delete(key.span, in: database)
      models[place].pairs.removeAll { $0 == key }
    case 6..<10:
      guard let key = models[place].pairs.popLast() else { return }
      try transaction.delete(key.span, in: database)
    case 10..<14:
      // A longer value in the midst splits pages.
      guard let key = models[place].pairs.randomElement(using: &generator) else { return }
      let value = [UInt8](repeating: 7, count: Int.random(in: 0...3_000, using: &generator))
      try transaction.put(value.span, for: key.span, in: database)
    case 14..<16:
      let first = [UInt8](number: 0)
      do throws(LMDBError) {
        try transaction.put(first.span, for: first.span, in: database, .append)
        models[place].pairs.insert(first, at: 0)
        #expect(models[place].pairs == [first])
      } catch  where error.code == .keyExists {
        #expect(!models[place].pairs.isEmpty)
      }
    default:
      let key = models[place].append()
      let value = [UInt8](repeating: 9, count: Int.random(in: 0...200, using: &generator))
      try transaction.put(value.span, for: key.span, in: database, .append)
    }
  }

  @Test("Between changes, inner transactions kept or undone, and emptying", arguments: 1...30)
  func model(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try withEnvironment { environment, first in
      var databases = [first]
      let second = try environment.write { (transaction) throws(LMDBError) in
        try transaction.openDatabase("second", .create)
      }
      databases.append(second)
      var models = [Model(), Model()]
      for _ in 0..<6 {
        try environment.write { (transaction) throws(LMDBError) in
          for _ in 0..<60 {
            try Self.change(&transaction, databases, &models, &generator)
            guard Int.random(in: 0..<10, using: &generator) == 0 else { continue }
            let (before, isKept) = (models, Bool.random(using: &generator))
            do throws(Stop) {
              try transaction.nested { (inner: inout WriteTransaction) throws(Stop) in
                for _ in 0..<20 {
                  do throws(LMDBError) {
                    try Self.change(&inner, databases, &models, &generator)
                  } catch {
                    throw .failed(error)
                  }
                }
                if !isKept { throw .asked }
              }
            } catch {
              if case .failed(let error) = error { throw error }
              models = before
            }
          }
        }
        for (place, database) in databases.enumerated() {
          let found = try environment.pairs(database).map(\.key)
          #expect(found == models[place].pairs, "seed \(seed)")
        }
      }
    }
  }
}
