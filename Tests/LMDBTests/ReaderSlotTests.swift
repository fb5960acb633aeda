import Glibc
import LMDB
import Testing

@Suite("Reader slots")
struct ReaderSlotTests {
  /// Reads inside reads; calls `body` in the innermost one.
  private static func nested(
    _ depth: Int, _ environment: Environment, _ body: () throws(LMDBError) -> Void
  ) throws(LMDBError) {
    guard depth > 0 else { return try body() }
    try environment.read { (_) throws(LMDBError) in try nested(depth - 1, environment, body) }
  }

  @Test("10,000 reads, one after the other, take one slot")
  func sequential() throws {
    try withEnvironment { environment, database in
      for _ in 0..<10_000 { _ = try environment.value([1], database) }
      #expect(environment.information.readerCount == 1)
    }
  }

  @Test("10,000 nested reads take as many slots as they are deep")
  func nestedReads() throws {
    try withEnvironment { environment, _ in
      for _ in 0..<2_000 { try Self.nested(5, environment) { () throws(LMDBError) in } }
      #expect(environment.information.readerCount == 5)
    }
  }

  @Test("When all slots are taken a read throws, and works again afterwards")
  func full() throws {
    try withEnvironment(.test(maximumReaderCount: 3)) { environment, database in
      #expect(environment.information.maximumReaderCount == 3)
      for _ in 0..<100 {
        let failure = #expect(throws: LMDBError(.readersFull, call: "")) {
          try Self.nested(4, environment) { () throws(LMDBError) in }
        }
        #expect(failure?.call == "mdb_txn_begin")
        try Self.nested(3, environment) { () throws(LMDBError) in
          try environment.put([1], [1], database)
        }
      }
      #expect(environment.information.readerCount == 3)
    }
  }

  @Test("Slots are given back to other processes after a peak")
  func peak() async throws {
    try await withFolder { path in
      let environment = try Environment(path: path, options: .test(maximumReaderCount: 8))
      defer { environment.close() }
      try Self.nested(8, environment) { () throws(LMDBError) in }
      // A quarter is kept: 6 of 8 are free.
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try Environment(path: path, options: .test(maximumReaderCount: 8))
        try Self.nested(6, other) { () throws(LMDBError) in }
        #expect(throws: LMDBError(.readersFull, call: "")) {
          try Self.nested(7, other) { () throws(LMDBError) in }
        }
      }
      try Self.nested(8, environment) { () throws(LMDBError) in }
    }
  }

  /// A process that dies while it reads.
  private func killReader(_ path: String) async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let environment = try Environment(path: path, options: .test(maximumReaderCount: 2))
      try environment.read { (_) throws(LMDBError) in
        kill(getpid(), SIGKILL)
        return
      }
    }
  }

  @Test("The slot of a process that was killed is cleared when asked for")
  func clear() async throws {
    try await withFolder { path in
      let environment = try Environment(path: path, options: .test(maximumReaderCount: 2))
      defer { environment.close() }
      #expect(try environment.clearStaleReaders() == 0)
      await killReader(path)
      #expect(try environment.clearStaleReaders() == 1)
      #expect(try environment.clearStaleReaders() == 0)
    }
  }

  @Test("The slot of a process that was killed is cleared at open")
  func clearAtOpen() async throws {
    try await withFolder { path in
      // Another process keeps the lock file alive: the last one to go would leave a fresh one.
      let environment = try Environment(path: path, options: .test(maximumReaderCount: 2))
      defer { environment.close() }
      await killReader(path)
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try Environment(path: path, options: .test(maximumReaderCount: 2))
        #expect(try other.clearStaleReaders() == 0)
      }
      #expect(try environment.clearStaleReaders() == 0)
    }
  }

  @Test("The slots of processes that were killed are cleared when a read finds none free")
  func clearWhenFull() async throws {
    try await withFolder { path in
      let environment = try Environment(path: path, options: .test(maximumReaderCount: 1))
      defer { environment.close() }
      await killReader(path)
      try environment.read { (_) throws(LMDBError) in }
      #expect(environment.information.readerCount == 1)
    }
  }

  @Test("Readers are listed with their process and commit; idle slots without one")
  func list() throws {
    try withEnvironment { environment, database in
      #expect(try environment.readers().isEmpty)
      try environment.put([1], [1], database)
      try Self.nested(2, environment) { () throws(LMDBError) in
        let readers = try environment.readers()
        let last = environment.information.lastTransaction
        #expect(readers.map(\.transaction) == [last, last])
        #expect(readers.allSatisfy { $0.processID == Int(getpid()) })
      }
      #expect(try environment.readers().map(\.transaction) == [nil, nil])
      environment.close()
      #expect(throws: LMDBError(.closed, call: "")) { _ = try environment.readers() }
    }
  }

  @Test("Pages that an old reader sees are kept, and free again when it ends")
  func reuse() throws {
    try withEnvironment { environment, database in
      func fill(_ byte: UInt8, rounds: Int) throws(LMDBError) {
        let value = [UInt8](repeating: byte, count: 40_000)
        for _ in 0..<rounds { try environment.put(value, [1], database) }
      }
      try fill(1, rounds: 20)
      let start = environment.information.lastPage
      try fill(2, rounds: 50)
      #expect(environment.information.lastPage == start)
      try environment.read { (old) throws(LMDBError) in
        try fill(3, rounds: 50)
        let seen = try old.copy([1], database)
        #expect(seen == [UInt8](repeating: 2, count: 40_000))
      }
      let pinned = environment.information.lastPage
      #expect(pinned >= start + 400)
      // The idle slot of that reader pins nothing.
      try fill(4, rounds: 50)
      #expect(environment.information.lastPage == pinned)
    }
  }
}
