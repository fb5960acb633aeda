import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Readers of the feed beside a long load, with clears and an erasure that is killed and resumed.
@Suite struct FeedLoadTests {
  #if DEBUG
    static let eventCount = 10_000
  #else
    static let eventCount = 200_000
  #endif
  static let end = MessageKey.group("end", "m")
  static let tick = MessageKey.group("tick", "m")

  /// What a reader has seen: events in order, told once each.
  struct Seen: Sendable {
    private(set) var count = 0
    private(set) var last: UInt64 = 0
    private(set) var position = Position.beginning
    private(set) var isInOrder = true

    /// Takes a change; whether it is the last one.
    mutating func take(_ change: Change) -> Bool {
      for operation in change.operations {
        if operation.sequence <= last { isInOrder = false }
        last = operation.sequence
        count += 1
      }
      position = change.position
      return change.message == FeedLoadTests.end
    }
  }

  static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

  /// What another process does: it reads to the end, and tells its memory and its delay.
  static func readInAnotherProcess(_ path: String) async throws {
    let ledger = try Ledger.open(at: path)
    var (seen, delays, memory): (Seen, [Int64], [Int]) = (Seen(), [], [])
    for try await change in ledger.changes() {
      if change.message == tick { delays.append(now() - change.recordedAt.microseconds) }
      if seen.count % (eventCount / 10) == 0 { memory.append(ProcessMemory.anonymousByteCount) }
      if seen.take(change) { break }
    }
    delays.sort()
    memory = memory.map { $0 / 1024 }
    print(
      "another process: \(seen.count) events; private memory in KiB, sampled: \(memory); delay of "
        + "single commits: median \(delays[delays.count / 2]) µs, most \(delays[delays.count - 1]) µs"
    )
    precondition(seen.isInOrder, "each is told once, in order")
    precondition(
      ProcessMemory.isInstrumented || memory[memory.count - 1] - memory[1] < 16 * 1024,
      "memory is flat")
    let noticeCount = try noticeCount(ledger)
    precondition(UInt64(seen.count) == seen.last - noticeCount, "none is lost")
    ledger.close()
  }

  /// The records that are no events.
  static func noticeCount(_ ledger: Ledger) throws -> UInt64 {
    let statistics = try ledger.statistics()
    return statistics.head - UInt64(statistics.eventCount)
  }

  /// A part of the load: adds and removals on many messages, and clears of large ones.
  static func write(_ ledger: Ledger, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var (written, round) = (0, 0)
    while written < eventCount / 2 {
      round += 1
      let large = MessageKey.group("large", MessageID(stringLiteral: "m\(round % 3)"))
      let commands = (0..<1_000).map { index in
        let user = UserID(stringLiteral: index % 50 == 0 ? "gone" : "u\(generator.next() % 5_000)")
        let message = MessageKey.group("g", MessageID(stringLiteral: "m\(generator.next() % 400)"))
        return index % 3 == 0
          ? Command.add("👍", to: large, by: UserID(stringLiteral: "u\(seed)-\(round)-\(index)"))
          : Command(generator.next() % 4 == 0 ? .remove : .add, "👍", on: message, by: user)
      }
      for outcome in try ledger.append(commands) {
        written += outcome.receipt?.sequences.count ?? 0
      }
      if round % 5 == 0 {
        let clear = Command.clear(large, cause: .expired)
        written += try ledger.append(clear).receipt?.sequences.count ?? 0
      }
      if round % 20 == 0 { _ = try ledger.append(Command.erase("gone")) }
    }
  }

  /// The second part, on a thread of its own: readers in other processes wait for its end, so it
  /// must not wait for a thread that runs tasks.
  static func writeOn(_ ledger: Ledger) throws {
    // Another process began it and was killed.
    let erased = try ledger.append(Command.erase("gone"))
    #expect(erased.name == "recorded")
    try write(ledger, seed: 2)
    for index in 0..<20 {
      usleep(20_000)
      let user = UserID(stringLiteral: "u\(index)")
      _ = try ledger.append(Command.add("👍", to: tick, by: user))
    }
    _ = try ledger.append(Command.add("👍", to: end, by: "u1"))
  }

  @Test("Fast, slow, cancelled and in another process: none lost, none twice, memory flat")
  func readers() async throws {
    let test = try TestLedger { $0.clock = { Timestamp(microseconds: Self.now()) } }
    let (path, ledger) = (test.path, test.ledger)
    try Self.write(ledger, seed: 1)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var options = LedgerOptions()
      options.erasureRowCount = 50
      options.clock = KillClock.after(3)
      _ = try await Ledger.open(at: path, options: options).append(.erase("gone"))
    }
    let fast = Task {
      var seen = Seen()
      for try await change in ledger.changes() where seen.take(change) { break }
      return seen
    }
    let slow = Task {
      var seen = Seen()
      // It rests, and goes on from what it has saved.
      while true {
        var (rest, isLast) = (Self.eventCount / 20, false)
        for try await change in ledger.changes(after: seen.position) {
          isLast = seen.take(change)
          rest -= 1
          if isLast || rest <= 0 { break }
        }
        if isLast { return seen }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    let cancelled = Task {
      var seen = Seen()
      for try await change in ledger.changes() { _ = seen.take(change) }
      return seen
    }
    let writer = TestThread {
      #expect(throws: Never.self) { try Self.writeOn(ledger) }
      cancelled.cancel()
    }
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [path = path as String] in
      try await FeedLoadTests.readInAnotherProcess(path)
    }
    print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    writer.join()
    let eventCount = try ledger.statistics().eventCount
    #expect(eventCount > Self.eventCount)
    for reader in [fast, slow] {
      let seen = try await reader.value
      #expect(seen.isInOrder && seen.count == eventCount)
    }
    let seen = try await cancelled.value
    #expect(seen.isInOrder && seen.count <= eventCount)
    try test.requireSound()
  }

  @Test("A position that a restored backup does not have is refused, one from before it is not")
  func restoredBackup() async throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A")
    let copy = test.folder.file("copy")
    try test.ledger.backup(to: copy)
    let before = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.position
    }
    _ = try test.append(.clear(.m1, cause: .expired))
    _ = try test.append(.erase("u2"))
    let after = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.position
    }
    // The backup takes the ledger's place, and goes on in its own way.
    try test.reopen {
      try FileManager.default.removeItem(atPath: test.path)
      try FileManager.default.moveItem(atPath: copy, toPath: test.path)
    }
    for index in 0..<5 { try test.run("+new\(index) A") }
    var feed = test.ledger.changes(after: before).makeAsyncIterator()
    #expect(try await feed.next()?.operations[0].user == "new0")
    var lost = test.ledger.changes(after: after).makeAsyncIterator()
    do {
      _ = try await lost.next()
      Issue.record("a position of another history was taken")
    } catch .notInThisHistory(let position) {
      #expect(position == after)
    } catch {
      Issue.record("\(error)")
    }
    try test.requireSound()
  }
}
