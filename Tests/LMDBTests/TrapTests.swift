import Foundation
import LMDB
import Testing

/// Misuse that the compiler cannot see: the process stops with a message, in release builds too.
@Suite("Run-time checks")
struct TrapTests {
  private func expectTrap(
    _ message: String, _ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(message), sourceLocation: sourceLocation)
  }

  /// Hands a value to another thread behind the compiler's back, and waits for that.
  private static func onOtherThread<T: ~Copyable>(
    _ value: inout T, _ body: @escaping @Sendable (inout T) -> Void
  ) {
    unsafe withUnsafeMutablePointer(to: &value) { pointer in
      nonisolated(unsafe) let pointer = unsafe pointer
      let threads = Threads()
      threads.start { unsafe body(&pointer.pointee) }
      threads.join()
    }
  }

  @Test("A write inside a write on one thread")
  func nestedWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withDoomedEnvironment { environment, database in
        try environment.write { (_) throws(LMDBError) in
          try environment.put([1], [1], database)
        }
      }
    }
    expectTrap("begun inside another one", result)
  }

  @Test("A change on a foreign thread")
  func foreignWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withDoomedEnvironment { environment, database in
        try environment.write { (transaction) throws(LMDBError) in
          Self.onOtherThread(&transaction) { transaction in
            _ = try? transaction.delete([1].span, in: database)
          }
        }
      }
    }
    expectTrap("used on another thread", result)
  }

  @Test("A read of a write transaction on a foreign thread")
  func foreignRead() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withDoomedEnvironment { environment, database in
        try environment.write { (transaction) throws(LMDBError) in
          Self.onOtherThread(&transaction) { transaction in
            _ = try? transaction.reads.copy([1], database)
          }
        }
      }
    }
    expectTrap("used on another thread", result)
  }

  @Test("A snapshot may be used on another thread")
  func foreignSnapshot() throws {
    try withEnvironment { environment, database in
      try environment.put([1], [1], database)
      try environment.read { (snapshot) throws(LMDBError) in
        unsafe withUnsafePointer(to: snapshot) { pointer in
          nonisolated(unsafe) let pointer = unsafe pointer
          let threads = Threads()
          threads.start {
            expectNoThrow {
              let found = unsafe try pointer.pointee.copy([1], database)
              #expect(found == [1])
            }
          }
          threads.join()
        }
      }
    }
  }

  @Test("A database of another environment, in a read and in a write")
  func foreignDatabase() async {
    for isWrite in [false, true] {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [isWrite = isWrite as Bool] in
        try withDoomedEnvironment { first, _ in
          try withDoomedEnvironment { _, foreign in
            if isWrite {
              try first.put([1], [1], foreign)
            } else {
              _ = try first.pairs(foreign)
            }
          }
        }
      }
      expectTrap("of another environment", result)
    }
  }

  @Test("Closing inside a transaction", arguments: [false, true])
  func close(_ isWrite: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [isWrite] in
      try withDoomedEnvironment { environment, _ in
        if isWrite {
          try environment.write { (_) throws(LMDBError) in environment.close() }
        } else {
          try environment.read { (_) throws(LMDBError) in environment.close() }
        }
      }
    }
    expectTrap("close() inside a transaction", result)
  }

  @Test("Growing inside a transaction", arguments: [false, true])
  func grow(_ isWrite: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [isWrite] in
      try withDoomedEnvironment { environment, _ in
        if isWrite {
          try environment.write { (_) throws(LMDBError) in try environment.growMap() }
        } else {
          try environment.read { (_) throws(LMDBError) in try environment.growMap() }
        }
      }
    }
    expectTrap("cannot grow inside a transaction", result)
  }

  @Test("A reservation that is not filled", arguments: [0, 9])
  func reservation(_ count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [count] in
      try withDoomedEnvironment { environment, database in
        try environment.write { (transaction) throws(LMDBError) in
          try transaction.put(byteCount: 10, for: [1].span, in: database) { output in
            for _ in 0..<count { output.append(1) }
          }
        }
      }
    }
    expectTrap("\(count) of 10 reserved bytes were written", result)
  }

  @Test("Swapping the transactions of two environments")
  func swapped() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withDoomedEnvironment { first, _ in
        try withDoomedEnvironment { second, _ in
          try first.write { (outer) throws(LMDBError) in
            try second.write { (inner) throws(LMDBError) in swap(&outer, &inner) }
          }
        }
      }
    }
    expectTrap("was swapped", result)
  }

  @Test("Waiting for a writer in a read, while the map must grow", arguments: [false, true])
  func waitingReader(_ growsFirst: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [growsFirst] in
      try withDoomedEnvironment { environment, _ in
        let (threads, waits) = (Threads(), Signal())
        try environment.read { (_) throws(LMDBError) in
          threads.start {
            if !growsFirst { waits.wait() }
            expectNoThrow { try environment.growMap() }
          }
          // So that the other thread is at the gate.
          if growsFirst { usleep(300_000) }
          environment.waitingForWriter {
            waits.send()
            threads.join()
          }
        }
      }
    }
    expectTrap("appends and waits inside a read closure", result)
  }

  @Test("Waiting for a writer while the map need not grow, or outside a transaction")
  func waitingForWriter() throws {
    try withEnvironment { environment, database in
      let wait = {
        let threads = Threads()
        environment.waitingForWriter {
          threads.start { expectNoThrow { try environment.put([1], [1], database) } }
          threads.join()
        }
      }
      try environment.read { (_) throws(LMDBError) in wait() }
      wait()
      try environment.growMap()
      #expect(try environment.value([1], database) == [1])
    }
  }

  @Test("Flags of C that have no name here", arguments: ["put", "database", "environment"])
  func flags(_ place: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [place] in
      if place == "environment" {
        let flags = EnvironmentFlags(rawValue: 0x80000)
        _ = try Environment(path: "absent", options: .test(flags: flags))
      }
      try withDoomedEnvironment { environment, database in
        try environment.write { (transaction) throws(LMDBError) in
          if place == "database" {
            _ = try transaction.openDatabase("b", DatabaseFlags(rawValue: 0x40004))
          }
          let multiple = PutFlags(rawValue: 0x80000)
          try transaction.put([1].span, for: [1].span, in: database, multiple)
        }
      }
    }
    expectTrap("\(place) flags without a name", result)
  }
}
