import LMDB
import LedgerTestSupport
import Testing

/// Bytes from outside never trap while a file is opened.
@Suite("Damaged files")
struct DamagedFileTests {
  private static func make(in path: String) throws -> RawFile {
    let environment = try Environment(path: path, options: .test())
    let database = try environment.makeDatabase()
    for number in 0..<600 {
      let value = [UInt8](repeating: 1, count: number % 50 == 0 ? 9000 : 60)
      try environment.put(value, [UInt8](number: number), database)
    }
    for number in 0..<100 {
      try environment.write { (transaction) throws(LMDBError) in
        _ = try transaction.delete([UInt8](number: number).span, in: database)
      }
    }
    environment.close()
    return try RawFile(folder: path)
  }

  private static func open(_ file: RawFile, in path: String) throws -> LMDBError.Code? {
    try file.write(to: path)
    do throws(LMDBError) {
      try Environment(path: path, options: .test()).close()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("Random bytes in the pages of a short file", arguments: 1...3 as ClosedRange<UInt64>)
  func randomPages(seed: UInt64) async {
    await #expect(processExitsWith: .success) { [seed] in
      try withFolder { path in
        var generator = SeededGenerator(seed: seed)
        var file = try Self.make(in: path)
        // Cut off, so that the trees are walked.
        file.bytes.removeLast(RawFile.pageSize)
        var codes: Set<LMDBError.Code?> = []
        for _ in 0..<400 {
          var damaged = file
          for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let page = Int.random(in: 2..<file.pageCount, using: &generator)
            let area = Bool.random(using: &generator) ? 16 : RawFile.pageSize
            let place = page * RawFile.pageSize + Int.random(in: 0..<area, using: &generator)
            for index in place..<min(place + 8, damaged.bytes.count) {
              damaged.bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
          }
          codes.insert(try Self.open(damaged, in: path))
        }
        #expect(codes.isSubset(of: [nil, .truncated, .corrupted]), "seed \(seed)")
        #expect(codes.isSuperset(of: [.truncated, .corrupted]), "seed \(seed)")
      }
    }
  }

  @Test("Random bits in the meta pages", arguments: 1...3 as ClosedRange<UInt64>)
  func randomMetas(seed: UInt64) async {
    await #expect(processExitsWith: .success) { [seed] in
      try withFolder { path in
        var generator = SeededGenerator(seed: seed)
        let file = try Self.make(in: path)
        var codes: Set<LMDBError.Code?> = []
        for round in 0..<400 {
          var damaged = file
          if round % 2 == 0 { damaged.bytes.removeLast(RawFile.pageSize) }
          for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let meta = Int.random(in: 0..<2, using: &generator) * RawFile.pageSize
            damaged.bytes[meta + Int.random(in: 0..<152, using: &generator)] ^=
              1 << UInt8.random(in: 0..<8, using: &generator)
          }
          codes.insert(try Self.open(damaged, in: path))
        }
        #expect(codes.contains(.truncated) && codes.contains(.invalid), "seed \(seed)")
        #expect(codes.contains(.corrupted), "seed \(seed)")
      }
    }
  }

  @Test(
    "Sizes of pages that cannot be",
    arguments: [0, 1, 256, 4095, 4097, 8192, 131_072, 0xffff_ffff] as [UInt64])
  func pageSize(_ size: UInt64) async {
    await #expect(processExitsWith: .success) { [size] in
      try withFolder { path in
        var file = try Self.make(in: path)
        for meta in [0, RawFile.pageSize] {
          let kept = file.word(meta + RawFile.pageSizeField) & ~0xffff_ffff
          file.setWord(meta + RawFile.pageSizeField, kept | size)
        }
        let code = try Self.open(file, in: path)
        #expect(code == .corrupted || code == .invalid)
      }
    }
  }

  @Test(
    "Last pages that cannot be",
    arguments: [1 << 35, 1 << 52 - 1, 1 << 63, .max] as [UInt64])
  func lastPage(_ page: UInt64) async {
    await #expect(processExitsWith: .success) { [page] in
      try withFolder { path in
        var file = try Self.make(in: path)
        for meta in [0, RawFile.pageSize] { file.setWord(meta + RawFile.lastPage, page) }
        #expect(try Self.open(file, in: path) == .corrupted)
      }
    }
  }

  @Test(
    "A damaged list of free pages is reported",
    arguments: [1000, 1 << 32, 1 << 63, .max] as [UInt64])
  func freeList(_ count: UInt64) async {
    await #expect(processExitsWith: .success) { [count] in
      try withFolder { path in
        var file = try Self.make(in: path)
        let root = file.word(file.newestMeta + RawFile.freeRoot)
        let page = Int(root) * RawFile.pageSize
        #expect(file.half(page + 10) & 2 != 0, "the root of the free pages is a leaf")
        let node = page + file.half(page + 16)
        // After the head of the node and its key of 8 bytes.
        file.setWord(node + 16, count)
        try file.write(to: path)
        let environment = try Environment(path: path, options: .test())
        defer { environment.close() }
        #expect(throws: LMDBError(.corrupted, call: "")) {
          _ = try environment.read { (snapshot) throws(LMDBError) in
            try snapshot.freePageCount()
          }
        }
      }
    }
  }
}
