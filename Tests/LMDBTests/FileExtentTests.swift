import Foundation
import LMDB
import LedgerTestSupport
import Testing

/// Files that are shorter than they should be.
///
/// A touch past the end would kill the process, so all of this runs in a process of its own.
@Suite("File extent")
struct FileExtentTests {
  /// What a file holds.
  enum Content: String, CaseIterable, Codable {
    /// One leaf.
    case small
    /// A tree of several levels.
    case manyLeaves
    /// Values with pages of their own.
    case overflow
    /// A value at the end of the file, behind all trees: they fit into pages freed before.
    case overflowLast
    /// Deleted and written over: the free pages are in use as a list.
    case churned
  }

  /// Makes a file and returns its pairs.
  private static func make(_ content: Content, in path: String) throws -> [Pair] {
    let environment = try Environment(path: path, options: .test())
    defer { environment.close() }
    let database = try environment.makeDatabase()
    let (count, size) =
      switch content {
      case .small: (5, 100)
      case .manyLeaves: (3000, 100)
      case .overflow: (10, 10_000)
      case .overflowLast: (30, 50)
      case .churned: (400, 700)
      }
    for start in stride(from: 0, to: count, by: 100) {
      try environment.write { (transaction) throws(LMDBError) in
        for number in start..<min(start + 100, count) {
          let value = [UInt8](repeating: UInt8(number % 251), count: size)
          try transaction.put(value.span, for: [UInt8](number: number).span, in: database)
        }
      }
    }
    for number in stride(from: 0, to: content == .churned ? count : 0, by: 3) {
      try environment.write { (transaction) throws(LMDBError) in
        _ = try transaction.delete([UInt8](number: number).span, in: database)
      }
    }
    if content == .overflowLast {
      for number in 0..<count { try environment.put([1], [UInt8](number: number), database) }
      try environment.put([UInt8](repeating: 1, count: 400_000), [UInt8](number: count), database)
    }
    return try environment.pairs(database)
  }

  /// Opens a file; if that succeeds every pair must be there.
  private static func open(_ file: RawFile, _ pairs: [Pair], in path: String) throws -> Bool {
    try file.write(to: path)
    do throws(LMDBError) {
      let environment = try Environment(path: path, options: .test())
      defer { environment.close() }
      let found = try environment.pairs(environment.makeDatabase())
      #expect(found == pairs)
      return true
    } catch {
      #expect(error.code == .truncated)
      return false
    }
  }

  @Test("A whole file opens, a file cut off by some pages does not", arguments: Content.allCases)
  func truncated(_ content: Content) async {
    await #expect(processExitsWith: .success) { [content] in
      try withFolder { path in
        let pairs = try Self.make(content, in: path)
        let file = try RawFile(folder: path)
        #expect(try Self.open(file, pairs, in: path))
        var openedCount = 0
        let cuts = Set([1, 2, 3, 5, 8, 13, 50, file.pageCount / 2, file.pageCount - 2])
        for cut in cuts where cut < file.pageCount - 1 {
          for rest in [0, 1, 4095] {
            var short = file
            short.bytes.removeLast(cut * RawFile.pageSize - rest)
            if try Self.open(short, pairs, in: path) { openedCount += 1 }
          }
        }
        // Only where the last pages happen to be free a cut does no harm.
        #expect(openedCount == 0 || content == .churned)
      }
    }
  }

  @Test("A file cut off within its meta pages does not open; an empty one is new")
  func metaPages() async {
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        _ = try Self.make(.small, in: path)
        let file = try RawFile(folder: path)
        for size in [1, 16, 100, 151, 152, 4095, 4096, 4097, 4247, 4248, 8191, 8192] {
          var short = file
          short.bytes.removeLast(file.bytes.count - size)
          try short.write(to: path)
          let failure = #expect(throws: LMDBError.self, "\(size) bytes") {
            _ = try Environment(path: path, options: .test())
          }
          #expect(failure?.code == .invalid || failure?.code == .truncated)
        }
        var empty = file
        empty.bytes = []
        try empty.write(to: path)
        let environment = try Environment(path: path, options: .test())
        #expect(try environment.pairs(environment.makeDatabase()) == [])
        environment.close()
      }
    }
  }

  /// A file whose last pages were taken and given back within one transaction.
  private static func makeLegitimatelyShort(
    in path: String, missingPageCount: Int = 800
  ) throws -> [Pair] {
    let environment = try Environment(path: path, options: .test())
    defer { environment.close() }
    let database = try environment.makeDatabase()
    let large = [UInt8](repeating: 1, count: 20 * 4096)
    // A free list to begin with: only then pages come back within a transaction.
    for key in 0..<4 as Range<UInt8> { try environment.put(large, [key], database) }
    for key in 0..<4 as Range<UInt8> { try environment.put([key], [key], database) }
    try environment.write { (transaction) throws(LMDBError) in
      let keys = (1...missingPageCount / 20).map { [UInt8](number: 1 << 56 + $0) }
      for key in keys { try transaction.put(large.span, for: key.span, in: database) }
      for key in keys { try transaction.delete(key.span, in: database) }
    }
    return try environment.pairs(database)
  }

  @Test("A file that is rightly shorter than its last page opens, until it is cut off")
  func legitimatelyShort() async {
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        let pairs = try Self.makeLegitimatelyShort(in: path)
        let file = try RawFile(folder: path)
        let lastPage = Int(file.word(file.newestMeta + RawFile.lastPage))
        #expect(lastPage > file.pageCount + 100, "the file is not short: the test tests nothing")
        #expect(try Self.open(file, pairs, in: path))

        var short = file
        var refusedCount = 0
        while short.pageCount > 2 {
          short.bytes.removeLast(RawFile.pageSize)
          if try !Self.open(short, pairs, in: path) { refusedCount += 1 }
        }
        #expect(refusedCount > 0)

        // Another write fills the gap and is read back.
        try file.write(to: path)
        let environment = try Environment(path: path, options: .test())
        defer { environment.close() }
        let database = try environment.makeDatabase()
        let value = [UInt8](repeating: 9, count: 3_000_000)
        try environment.put(value, [200], database)
        #expect(try environment.pairs(database) == pairs + [Pair([200], value)])
      }
    }
  }

  @Test("Two processes: one opens a short file while the other writes", .timeLimit(.minutes(15)))
  func openWhileWriting() async throws {
    try await withFolder { path in
      // So many missing pages that the file stays short for a while.
      _ = try Self.makeLegitimatelyShort(in: path, missingPageCount: 10_000)
      let environment = try Environment(path: path, options: .test())
      let database = try environment.makeDatabase()
      let pageCount = try RawFile(folder: path).pageCount
      #expect(pageCount < environment.information.lastPage)
      let (stop, threads) = (Signal(), Threads())
      threads.start {
        expectNoThrow {
          var generator = SeededGenerator(seed: 3)
          while !stop.hasCome {
            let key = UInt8.random(in: 0..<90, using: &generator)
            let value = [UInt8](
              repeating: key, count: Int.random(in: 0..<1500, using: &generator))
            try environment.put(value, [key], database)
            usleep(500)
          }
        }
      }
      await #expect(processExitsWith: .success) { [path = path as String] in
        for _ in 0..<60 {
          let other = try Environment(path: path, options: .test())
          for pair in try other.pairs(other.makeDatabase()) where pair.key[0] < 90 {
            #expect(pair.value.allSatisfy { $0 == pair.key[0] })
          }
          other.close()
        }
      }
      stop.send()
      threads.join()
      environment.close()
    }
  }
}
