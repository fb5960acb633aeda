import LMDB
import LedgerTestSupport
import Testing

/// A look at all pages in use.
@Suite("Page faults")
struct PageFaultTests {
  /// A file with branches, long values, freed pages and several databases.
  private static func make(in path: String) throws {
    let environment = try Environment(path: path, options: .test())
    let database = try environment.makeDatabase()
    _ = try environment.makeDatabase("empty")
    for number in 0..<600 {
      let value = [UInt8](repeating: 1, count: number % 50 == 0 ? 9000 : 60)
      try environment.put(value, [UInt8](number: number), database)
    }
    for number in stride(from: 0, to: 300, by: 3) {
      try environment.write { (transaction) throws(LMDBError) in
        _ = try transaction.delete([UInt8](number: number).span, in: database)
      }
    }
    environment.close()
  }

  private static func faults(_ path: String) throws(LMDBError) -> [PageFault] {
    let environment = try Environment(path: path, options: .test())
    defer { environment.close() }
    return try environment.pageFaults()
  }

  @Test("Whatever LMDB writes is without faults", arguments: 1...3 as ClosedRange<UInt64>)
  func sound(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try withEnvironment { environment, first in
      let databases = [first, try environment.makeDatabase("b"), try environment.makeDatabase("c")]
      for round in 0..<60 {
        try environment.write { (transaction) throws(LMDBError) in
          for _ in 0..<Int.random(in: 0..<60, using: &generator) {
            let database = databases[Int.random(in: 0..<3, using: &generator)]
            let length = Int.random(in: 1...(round % 3 == 0 ? 511 : 12), using: &generator)
            let key = (0..<length).map { _ in UInt8.random(in: 0..<3, using: &generator) }
            if Bool.random(using: &generator) {
              let sizes = [0, 7, 300, 2000, 5000, 20_000]
              let size = sizes[Int.random(in: 0..<6, using: &generator)]
              try transaction.put(
                [UInt8](repeating: 7, count: size).span, for: key.span, in: database)
            } else {
              _ = try transaction.delete(key.span, in: database)
            }
          }
        }
        let faults = try environment.pageFaults()
        #expect(faults.isEmpty, "round \(round): \(faults)")
        guard faults.isEmpty else { return }
      }
      for database in databases {
        try environment.write { (transaction) throws(LMDBError) in try transaction.empty(database) }
      }
      #expect(try environment.pageFaults().isEmpty)
    }
  }

  @Test("A compacted copy is without faults") func compacted() throws {
    try withFolder { path in
      try Self.make(in: path)
      try withFolder { copy in
        let environment = try Environment(path: path, options: .test())
        try environment.copyCompacted(to: copy + "/data.mdb")
        environment.close()
        #expect(try Self.faults(copy).isEmpty)
      }
    }
  }

  @Test("Progress can end it; the limit holds") func limits() throws {
    try withFolder { path in
      try Self.make(in: path)
      var file = try RawFile(folder: path)
      for page in 2..<file.pageCount { file.bytes[page * RawFile.pageSize + 10] ^= 3 }
      try file.write(to: path)
      let environment = try Environment(path: path, options: .test())
      defer { environment.close() }
      #expect(try environment.pageFaults(limit: 1).count == 1)
    }
  }

  @Test("A page that is in use and listed as free") func freePages() throws {
    try withFolder { path in
      try Self.make(in: path)
      var file = try RawFile(folder: path)
      let root = Int(file.word(file.newestMeta + RawFile.freeRoot)) * RawFile.pageSize
      // The first list of the free pages, if its page is a leaf: a count and the pages.
      try #require(file.half(root + 10) == 2)
      let node = root + file.half(root + 16)
      let list = node + 8 + file.half(node + 6)
      let listed = file.word(list + 8)
      try #require(file.word(list) >= 1)
      file.setWord(list + 8, UInt64(root / RawFile.pageSize))
      try file.write(to: path)
      let faults = try Self.faults(path)
      #expect(faults.count == 1 && faults[0].database == "free", "\(listed) \(faults)")
    }
  }

  /// With a bit changed there is a fault, or all ways to read agree with each other.
  @Test("A bit of any page: found, or it does no harm", arguments: 1...2 as ClosedRange<UInt64>)
  func bits(seed: UInt64) async {
    await #expect(processExitsWith: .success) { [seed] in
      try withFolder { path in
        var generator = SeededGenerator(seed: seed)
        try Self.make(in: path)
        let file = try RawFile(folder: path)
        var (foundCount, harmlessCount) = (0, 0)
        for _ in 0..<150 {
          var damaged = file
          let page = Int.random(in: 2..<file.pageCount, using: &generator)
          let area = Bool.random(using: &generator) ? 64 : RawFile.pageSize
          let place = page * RawFile.pageSize + Int.random(in: 0..<area, using: &generator)
          damaged.bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
          try damaged.write(to: path)
          guard let faults = try? Self.faults(path), faults.isEmpty else {
            foundCount += 1
            continue
          }
          harmlessCount += 1
          #expect(try Self.agrees(path), "seed \(seed), byte \(place)")
        }
        #expect(foundCount > 10 && harmlessCount > 10, "\(foundCount), \(harmlessCount)")
      }
    }
  }

  /// Whether forward, backward and by key the same pairs are read, as many as there should be.
  private static func agrees(_ path: String) throws -> Bool {
    let environment = try Environment(path: path, options: .test())
    defer { environment.close() }
    let database = try environment.openDatabases(["items"])[0]
    // A bit of the name itself: it is then another database.
    if database.isAbsent { return true }
    return try environment.read { (snapshot) throws(LMDBError) in
      let pairs = try snapshot.pairs(database)
      var backward: [Pair] = []
      var cursor = try Cursor(snapshot, in: database)
      while let row = try cursor.previous() { backward.append(Pair(row)) }
      for pair in pairs {
        guard try snapshot.copy(pair.key, database) == pair.value else { return false }
      }
      let count = try snapshot.statistics(of: database).entryCount
      return pairs == backward.reversed() && pairs.count == count
    }
  }
}
