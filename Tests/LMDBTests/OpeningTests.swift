import Foundation
import LMDB
import Testing

@Suite("Opening and closing")
struct OpeningTests {
  @Test("One folder is opened once in a process, however it is spelled")
  func twice() throws {
    try withFolder { outer in
      let path = outer + "/store"
      let manager = FileManager.default
      try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
      try manager.createSymbolicLink(atPath: outer + "/link", withDestinationPath: path)
      let spellings = [
        path, path + "/", outer + "/./store", outer + "/store/../store//", outer + "/link",
        outer + "/link/",
      ]
      for first in spellings {
        let environment = try Environment(path: first, options: .test())
        let database = try environment.makeDatabase()
        for second in spellings {
          #expect(throws: LMDBError(.alreadyOpenInProcess, call: "")) {
            _ = try Environment(path: second, options: .test())
          }
        }
        // The refused ones left the open one alone.
        try environment.put([1], [1], database)
        environment.close()
        environment.close()
      }
      let last = try Environment(path: path, options: .test())
      #expect(try last.value([1], last.makeDatabase()) == [1])
      last.close()
    }
  }

  @Test("An environment that is let go closes itself")
  func dropped() throws {
    try withFolder { path in
      for _ in 0..<3 { _ = try Environment(path: path, options: .test()).makeDatabase() }
    }
  }

  @Test("Opening fails with the system's reason, and leaves nothing behind")
  func failures() throws {
    try withFolder { path in
      #expect(throws: LMDBError(.noSuchFile, call: "")) {
        _ = try Environment(path: path + "/absent", options: .test())
      }
      let file = path + "/file"
      try Data([1]).write(to: URL(filePath: file))
      #expect(throws: LMDBError(.notADirectory, call: "")) {
        _ = try Environment(path: file, options: .test())
      }
      let data = URL(filePath: path + "/data.mdb")
      try Data(repeating: 0x5a, count: 50_000).write(to: data)
      for _ in 0..<2 {
        let failure = #expect(throws: LMDBError.self) {
          _ = try Environment(path: path, options: .test())
        }
        #expect(failure?.code == .corrupted || failure?.code == .invalid)
      }
      try FileManager.default.removeItem(at: data)
      try Environment(path: path, options: .test()).close()
      #expect(throws: LMDBError(.invalidArgument, call: "")) {
        _ = try Environment(path: path, options: .test(maximumReaderCount: 0))
      }
    }
  }

  @Test("A file of another version of the format is refused")
  func version() throws {
    try withFolder { path in
      try Environment(path: path, options: .test()).close()
      let data = URL(filePath: path + "/data.mdb")
      var bytes = try Data(contentsOf: data)
      for page in 0..<2 { bytes[page * 4096 + 20] = 9 }
      try bytes.write(to: data)
      #expect(throws: LMDBError(.versionMismatch, call: "")) {
        _ = try Environment(path: path, options: .test())
      }
    }
  }

  @Test("After closing, everything throws and the information is what it was")
  func closed() throws {
    try withFolder { path in
      let environment = try Environment(path: path, options: .test())
      let database = try environment.makeDatabase()
      let before = environment.information
      environment.close()
      let closed = LMDBError(.closed, call: "")
      #expect(throws: closed) { _ = try environment.value([1], database) }
      #expect(throws: closed) { try environment.put([1], [1], database) }
      #expect(throws: closed) { try environment.growMap() }
      #expect(throws: closed) { try environment.flush() }
      #expect(throws: closed) { try environment.clearStaleReaders() }
      #expect(environment.information == before)
      #expect(environment.path == path)
    }
  }

  @Test("Closing waits for transactions, and those that come later throw")
  func closingWaits() throws {
    try withFolder { path in
      let environment = try Environment(path: path, options: .test())
      let database = try environment.makeDatabase()
      let (began, threads) = (Signal(), Threads())
      threads.start {
        expectNoThrow {
          try environment.write { (transaction) throws(LMDBError) in
            began.send()
            Thread.sleep(forTimeInterval: 0.2)
            try transaction.put([1].span, for: [1].span, in: database)
            return
          }
        }
      }
      began.wait()
      for _ in 0..<3 { threads.start { environment.close() } }
      threads.join()
      let again = try Environment(path: path, options: .test())
      defer { again.close() }
      #expect(try again.value([1], again.makeDatabase()) == [1])
    }
  }

  @Test("Without a size the map is large; with one it is of that size")
  func mapSize() throws {
    try withFolder { path in
      let standard = try Environment(path: path)
      let size = standard.information.mapSizeBytes
      #expect(size >= 1 << 30 && size <= 256 << 30 && size.nonzeroBitCount == 1)
      standard.close()
      let small = try Environment(path: path, options: .test(mapSizeBytes: 3 << 20))
      #expect(small.information.mapSizeBytes == 3 << 20)
      small.close()
    }
  }

  @Test("A compacted copy holds the same pairs in fewer pages, and follows a grown map")
  func copy() async throws {
    try await withFolder { path in
      let environment = try Environment(path: path, options: .test(mapSizeBytes: 1 << 20))
      defer { environment.close() }
      let database = try environment.makeDatabase()
      try environment.put([UInt8](repeating: 1, count: 400_000), [1], database)
      try environment.put([1], [1], database)
      let folder = path + "/copy"
      let manager = FileManager.default
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try Environment(path: path, options: .test())
        try other.put([UInt8](repeating: 2, count: 2_000_000), [2], other.makeDatabase())
        other.close()
      }
      try environment.copyCompacted(to: folder + "/data.mdb")
      #expect(throws: LMDBError(.init(rawValue: 17), call: "")) {
        try environment.copyCompacted(to: folder + "/data.mdb")
      }
      #expect(throws: LMDBError(.noSuchFile, call: "")) {
        try environment.copyCompacted(to: path + "/absent/data.mdb")
      }
      let copy = try Environment(path: folder, options: .test())
      defer { copy.close() }
      #expect(try copy.pairs(copy.makeDatabase()) == environment.pairs(database))
      #expect(copy.information.lastPage < environment.information.lastPage - 90)
    }
  }

  @Test("Two processes may open and close one folder all the time")
  func processes() async throws {
    try await withFolder { path in
      async let other: Void = openOftenElsewhere(path)
      try Self.openOften(path, 2)
      await other
      let last = try Environment(path: path, options: .test())
      defer { last.close() }
      let pairs = try last.pairs(last.makeDatabase())
      #expect(pairs == [1, 2].map { Pair([$0], [UInt8](number: 199)) })
    }
  }

  private func openOftenElsewhere(_ path: String) async {
    await #expect(processExitsWith: .success) { [path] in try Self.openOften(path, 1) }
  }

  private static func openOften(_ path: String, _ key: UInt8) throws(LMDBError) {
    for number in 0..<200 {
      let environment = try Environment(path: path, options: .test())
      defer { environment.close() }
      try environment.put([UInt8](number: number), [key], environment.makeDatabase())
    }
  }
}
