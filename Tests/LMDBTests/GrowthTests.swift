import Foundation
import LMDB
import Testing

@Suite("Growth of the map")
struct GrowthTests {
  /// Writes pairs with the keys of `range` and values of `size` bytes, in one transaction.
  private static func fill(
    _ environment: Environment, _ database: Database, _ range: Range<Int>, size: Int = 4000
  ) throws(LMDBError) {
    try environment.write { (transaction) throws(LMDBError) in
      let value = [UInt8](repeating: 1, count: size)
      for number in range {
        try transaction.put(value.span, for: [UInt8](number: number).span, in: database)
      }
    }
  }

  @Test("A full map throws, keeps what was committed, and takes more once it has grown")
  func full() throws {
    try withEnvironment(.test(mapSizeBytes: 1 << 20)) { environment, database in
      try Self.fill(environment, database, 0..<100)
      #expect(throws: LMDBError(.mapFull, call: "")) {
        try Self.fill(environment, database, 100..<400)
      }
      #expect(try environment.pairs(database).count == 100)
      try environment.growMap()
      #expect(environment.information.mapSizeBytes == 2 << 20)
      try environment.growMap()
      try Self.fill(environment, database, 100..<400)
      #expect(try environment.pairs(database).count == 400)
    }
  }

  @Test("Growing waits for readers, and they never see the map go", .timeLimit(.minutes(15)))
  func concurrentReaders() throws {
    try withEnvironment(.test(mapSizeBytes: 1 << 20)) { environment, database in
      try Self.fill(environment, database, 0..<20)
      let threads = Threads()
      let stops = (0..<4).map { _ in Signal() }
      for stop in stops {
        threads.start {
          expectNoThrow {
            while !stop.hasCome {
              // A read inside a read goes on while the map waits to grow.
              try environment.read { (outer) throws(LMDBError) in
                let count = try outer.pairs(database).count
                let inner = try environment.pairs(database).count
                #expect(count >= 20 && inner >= count)
                #expect(environment.information.mapSizeBytes >= 1 << 20)
              }
            }
          }
        }
      }
      var growths = 0
      for round in 1...30 {
        let range = round * 20..<round * 20 + 20
        while true {
          do throws(LMDBError) {
            try Self.fill(environment, database, range)
            break
          } catch {
            #expect(error.code == .mapFull)
            growths += 1
            try environment.growMap()
          }
        }
      }
      for stop in stops { stop.send() }
      threads.join()
      #expect(growths >= 2)
      #expect(try environment.pairs(database).count == 620)
    }
  }

  @Test("A thread in a transaction may read and write on while the map waits to grow")
  func nestedWhileGated() throws {
    try withEnvironment(.test(mapSizeBytes: 1 << 20)) { environment, database in
      let (began, threads) = (Signal(), Threads())
      threads.start {
        expectNoThrow {
          try environment.read { (_) throws(LMDBError) in
            began.send()
            // The other thread waits by then, most likely.
            Thread.sleep(forTimeInterval: 0.2)
            try environment.put([1], [1], database)
            let inner = try environment.value([1], database)
            #expect(inner == [1])
            try environment.flush()
          }
        }
      }
      began.wait()
      threads.start { expectNoThrow { try environment.growMap() } }
      Thread.sleep(forTimeInterval: 0.05)
      let late = Threads()
      late.start { expectNoThrow { _ = try environment.value([1], database) } }
      late.join()
      threads.join()
      #expect(environment.information.mapSizeBytes == 2 << 20)
    }
  }

  @Test("Several threads may grow the map at once")
  func severalGrow() throws {
    try withEnvironment(.test(mapSizeBytes: 1 << 20)) { environment, database in
      let threads = Threads()
      for _ in 0..<4 {
        threads.start {
          expectNoThrow {
            try environment.growMap()
            _ = try environment.value([1], database)
          }
        }
      }
      threads.join()
      #expect(environment.information.mapSizeBytes == 16 << 20)
    }
  }

  /// Another process grows the map and fills it.
  private func growElsewhere(_ path: String) async {
    await #expect(processExitsWith: .success) { [path] in
      let other = try Environment(path: path, options: .test(mapSizeBytes: 32 << 20))
      try Self.fill(other, other.makeDatabase(), 0..<3000)
      other.close()
    }
  }

  @Test(
    "When another process has grown the map, the next transaction takes its size over",
    arguments: ["read", "renewed read", "write"])
  func adopt(_ kind: String) async throws {
    try await withFolder { path in
      let environment = try Environment(path: path, options: .test(mapSizeBytes: 1 << 20))
      defer { environment.close() }
      let database = try environment.makeDatabase()
      if kind == "renewed read" { #expect(try environment.pairs(database).isEmpty) }
      await growElsewhere(path)
      if kind == "write" {
        try environment.put([1], [1], database)
      } else {
        #expect(try environment.pairs(database).count == 3000)
      }
      #expect(environment.information.mapSizeBytes == 32 << 20)
      try environment.put([1], [1], database)
      #expect(try environment.pairs(database).count == 3001)
    }
  }

  @Test("A read inside a read cannot take over the other size; it throws instead of waiting")
  func adoptInside() async throws {
    try await withFolder { path in
      let environment = try Environment(path: path, options: .test(mapSizeBytes: 1 << 20))
      defer { environment.close() }
      let database = try environment.makeDatabase()
      let (began, grown, threads) = (Signal(), Signal(), Threads())
      threads.start {
        expectNoThrow {
          try environment.read { (outer) throws(LMDBError) in
            began.send()
            grown.wait()
            do throws(LMDBError) {
              _ = try environment.value([1], database)
              Issue.record("a read beyond the map")
            } catch {
              #expect(error.code == .mapResized)
            }
            let seen = try outer.pairs(database)
            #expect(seen.isEmpty)
          }
        }
      }
      began.wait()
      await growElsewhere(path)
      grown.send()
      threads.join()
      #expect(try environment.pairs(database).count == 3000)
    }
  }

  @Test("Without address space the map stays as it is")
  func noAddressSpace() throws {
    var size = 1 << 46
    while size > 1 << 30 {
      do {
        try withEnvironment(.test(mapSizeBytes: size)) { environment, database in
          while environment.information.mapSizeBytes < 1 << 47 {
            let before = environment.information.mapSizeBytes
            do throws(LMDBError) {
              try environment.growMap()
            } catch {
              #expect(error.code == .outOfMemory)
              #expect(environment.information.mapSizeBytes == before)
              break
            }
          }
          #expect(environment.information.mapSizeBytes < 1 << 47)
          try environment.put([1], [1], database)
          #expect(try environment.value([1], database) == [1])
        }
        return
      } catch let error as LMDBError where error.code == .outOfMemory {
        size /= 2
      }
    }
    Issue.record("no map of 1 GiB")
  }

  @Test("When another process's size finds no room, nothing is read from where the map was")
  func lostMap() async {
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        let environment = try Environment(path: path, options: .test(mapSizeBytes: 1 << 20))
        let database = try environment.makeDatabase()
        try environment.put([1], [1], database)
        #expect(RawFile.overwriteMetas(path, at: RawFile.mapSize, with: 1 << 60))
        #expect(RawFile.overwriteMetas(path, at: RawFile.lastPage, with: 300))
        for _ in 0..<2 {
          #expect(throws: LMDBError(.outOfMemory, call: "")) {
            _ = try environment.value([1], database)
          }
          #expect(throws: LMDBError(.outOfMemory, call: "")) {
            try environment.put([1], [1], database)
          }
          #expect(throws: LMDBError(.outOfMemory, call: "")) { try environment.growMap() }
        }
        #expect(environment.information.mapSizeBytes == 1 << 20)
        environment.close()
        #expect(throws: LMDBError(.closed, call: "")) {
          _ = try environment.value([1], database)
        }
      }
    }
  }

  @Test("A size that never suffices ends in an error")
  func endlessAdoption() async {
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        let environment = try Environment(path: path, options: .test(mapSizeBytes: 1 << 20))
        let database = try environment.makeDatabase()
        // Times the size of a page this wraps round to 0.
        #expect(RawFile.overwriteMetas(path, at: RawFile.lastPage, with: 1 << 52 - 1))
        #expect(throws: LMDBError(.mapResized, call: "")) {
          _ = try environment.value([1], database)
        }
        environment.close()
      }
    }
  }
}
