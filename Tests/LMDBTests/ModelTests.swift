import LMDB
import LedgerTestSupport
import Testing

/// Random changes and walks, compared with a dictionary in memory.
@Suite("Model")
struct ModelTests {
  /// What the database should hold.
  struct Model {
    var pairs: [[UInt8]: [UInt8]] = [:]

    var sorted: [Pair] {
      pairs.map { Pair($0.key, $0.value) }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
  }

  /// Thrown to abort a transaction.
  enum Stop: LMDBErrorConvertible, Equatable {
    case asked
    case failed(LMDBError)
    init(_ error: LMDBError) { self = .failed(error) }
  }

  @Test("Random transactions", arguments: 1...8 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try withEnvironment { environment, database in
      var model = Model()
      for round in 0..<60 {
        let before = model
        let stops = Int.random(in: 0..<5, using: &generator) == 0
        do {
          try environment.write { (transaction) throws(Stop) in
            for _ in 0..<Int.random(in: 0..<80, using: &generator) {
              do throws(LMDBError) {
                try Self.change(&transaction, database, &model, &generator)
              } catch {
                throw Stop(error)
              }
            }
            if stops { throw .asked }
          }
        } catch Stop.asked {
          model = before
        }
        let expected = model.sorted
        #expect(try environment.pairs(database) == expected, "seed \(seed), round \(round)")
        try environment.read { (snapshot) throws(LMDBError) in
          let count = try snapshot.statistics(of: database).entryCount
          #expect(count == expected.count)
          try Self.walk(snapshot, database, expected, &generator, "seed \(seed), round \(round)")
        }
      }
    }
  }

  private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
    let number = UInt8.random(in: 0..<200, using: &generator)
    // The rest of a key follows from its first byte, so that keys are met again.
    let count = [1, 2, 8, 40, 511][Int(number) % 5]
    return [number] + [UInt8](repeating: number &* 7, count: count - 1)
  }

  private static func value(_ generator: inout SeededGenerator) -> [UInt8] {
    let most = [0, 10, 200, 2100, 12_000].randomElement(using: &generator) ?? 0
    let filler = UInt8.random(in: 0...255, using: &generator)
    return [UInt8](repeating: filler, count: Int.random(in: 0...most, using: &generator))
  }

  private static func change(
    _ transaction: inout WriteTransaction, _ database: Database, _ model: inout Model,
    _ generator: inout SeededGenerator
  ) throws(LMDBError) {
    let (key, value) = (key(&generator), value(&generator))
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<35:
      try transaction.put(value.span, for: key.span, in: database)
      model.pairs[key] = value
    case 35..<50:
      try transaction.put(byteCount: value.count, for: key.span, in: database) { output in
        for byte in value { output.append(byte) }
      }
      model.pairs[key] = value
    case 50..<60:
      let isNew = try transaction.put(value.span, for: key.span, in: database, .noOverwrite)
      #expect(isNew == (model.pairs[key] == nil))
      if isNew { model.pairs[key] = value }
    case 60..<65:
      let last = model.pairs.keys.max { $0.lexicographicallyPrecedes($1) }
      let isAbove = last.map { $0.lexicographicallyPrecedes(key) } ?? true
      do throws(LMDBError) {
        try transaction.put(value.span, for: key.span, in: database, .append)
        #expect(isAbove)
        model.pairs[key] = value
      } catch  where error.code == .keyExists {
        #expect(!isAbove)
      }
    case 65..<90:
      let wasThere = try transaction.delete(key.span, in: database)
      #expect(wasThere == (model.pairs.removeValue(forKey: key) != nil))
    case 90..<99:
      let found = try transaction.reads.copy(key, database)
      #expect(found == model.pairs[key])
    default:
      try transaction.empty(database)
      model.pairs = [:]
    }
  }

  /// Moves a cursor about; `place` is where the model thinks it stands.
  private static func walk(
    _ snapshot: borrowing ReadTransaction, _ database: Database, _ expected: [Pair],
    _ generator: inout SeededGenerator, _ comment: Comment
  ) throws(LMDBError) {
    var cursor = try Cursor(snapshot, in: database)
    var place = -1
    var hasPlace = true
    for _ in 0..<100 {
      var found: Pair?
      switch Int.random(in: 0..<(hasPlace ? 5 : 3), using: &generator) {
      case 0:
        found = Pair.copy(try cursor.first())
        place = 0
      case 1:
        found = Pair.copy(try cursor.last())
        place = expected.count - 1
      case 2:
        let key = key(&generator)
        found = Pair.copy(try cursor.seek(key.span))
        place = expected.firstIndex { !$0.key.lexicographicallyPrecedes(key) } ?? expected.count
      case 3:
        found = Pair.copy(try cursor.next())
        place += 1
      default:
        found = Pair.copy(try cursor.previous())
        place = place < 0 ? expected.count - 1 : place - 1
      }
      let pair = expected.indices.contains(place) ? expected[place] : nil
      #expect(found == pair, comment)
      hasPlace = pair != nil
      guard place == expected.count else { continue }
      // At the end a further step finds nothing again.
      let further = Pair.copy(try cursor.next())
      #expect(further == nil, comment)
    }
  }
}
