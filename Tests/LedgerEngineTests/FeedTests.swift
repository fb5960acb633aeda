import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

@Suite struct FeedTests {
  @Test("A change tells operations, ids, times and what the message shows") func change()
    async throws
  {
    let test = try TestLedger(policy: try Policy(selection: .single))
    let id = CommandID()
    let time = Timestamp(microseconds: 77)
    _ = try await test.ledger.append(.add(":A:", to: .m1, by: "u1", at: time, parent: "m0"))
    _ = try await test.ledger.append(.add(":B:", to: .m1, by: "u1", actor: "mod", id: id))
    var feed = test.ledger.changes().makeAsyncIterator()
    let first = try #require(try await feed.next())
    #expect(first.message == .m1 && first.parent == "m0" && first.commandID == nil)
    #expect(first.operations.map(\.kind) == [.added])
    #expect(first.operations[0].time == time && first.operations[0].previous == 0)
    let second = try #require(try await feed.next())
    #expect(second.commandID == id)
    #expect(second.operations.map(\.kind) == [.removed, .added])
    #expect(second.operations.map(\.reaction.text) == [":A:", ":B:"])
    #expect(second.operations.map(\.cause) == [.replaced, .user])
    #expect(second.operations.map(\.sequence) == [3, 4])
    #expect(second.operations.map(\.previous) == [2, 3])
    #expect(second.operations.map(\.actor) == ["mod", "mod"])
    #expect(second.operations[0].time == time, "a removed reaction's time is that of its add")
    #expect(second.reactions.map(\.reaction.text) == [":B:"])
    #expect(second.position.sequence == 4 && second.snapshotSequence == 4)
  }

  @Test(
    "Fast, slow and cancelled readers, from the start and from the middle: none lost, none twice")
  func readers() async throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let count = 1_500
    let writer = TestThread {
      var generator = SeededGenerator(seed: 3)
      for index in 0..<count {
        let user = UserID(stringLiteral: "u\(index)")
        let message = MessageKey.group("g1", MessageID(stringLiteral: "m\(generator.next() % 9)"))
        _ = try? ledger.append(.add("👍", to: message, by: user))
        if index % 100 == 0 { usleep(2_000) }
      }
    }
    let cancelled = Task {
      var seen = 0
      for try await _ in ledger.changes() { seen += 1 }
      return seen
    }
    try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for delay in [0, 50] as [UInt64] {
        group.addTask {
          var sequences: [UInt64] = []
          for try await change in ledger.changes() {
            sequences += change.operations.map(\.sequence)
            if sequences.count == count { break }
            if delay > 0, sequences.count % 200 == 0 {
              try await Task.sleep(for: .milliseconds(delay))
            }
          }
          return sequences
        }
      }
      for try await sequences in group {
        #expect(sequences == (0..<UInt64(count)).map { $0 + 2 })
      }
    }
    writer.join()
    cancelled.cancel()
    #expect(try await cancelled.value <= count)
    let middle = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.position(at: 701)
    }
    var feed = ledger.changes(after: try #require(middle)).makeAsyncIterator()
    #expect(try await feed.next()?.operations[0].sequence == 702)
    try test.requireSound()
  }

  @Test("A waiting reader is woken by a commit of another process") func otherProcess() async throws
  {
    let test = try TestLedger()
    let path = test.path
    let ledger = test.ledger
    let reader = Task {
      var feed = ledger.changes().makeAsyncIterator()
      return try await feed.next()?.operations.first?.user
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let ledger = try Ledger.open(at: path)
      _ = try await ledger.append(.add("👍", to: .m1, by: "another"))
      ledger.close()
    }
    #expect(try await reader.value == "another")
    try test.requireSound()
  }

  @Test("A position of another history is refused, one ahead too") func positions() async throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A")
    let copy = test.folder.file("copy")
    try test.ledger.backup(to: copy)
    try test.run("+u3 A")
    let position = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.position
    }
    #expect(Position(parsing: position.description) == position)
    for text in [
      "", "1", "1-", "1-0", "01-0000000000000001", "+1-0000000000000001", "1-00000000000000FF",
    ] {
      #expect(Position(parsing: text) == nil, "\(text)")
    }
    let restored = try Ledger.open(at: copy)
    var ahead = restored.changes(after: position).makeAsyncIterator()
    await #expect(throws: LedgerError.self) { try await ahead.next() }
    _ = try await restored.append(.add(":B:", to: .m1, by: "u9"))
    #expect(
      try restored.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.standing(of: position)
      } == .notInThisHistory)
    var other = restored.changes(after: position).makeAsyncIterator()
    do {
      _ = try await other.next()
      Issue.record("a position of another history was taken")
    } catch .notInThisHistory(let told) {
      #expect(told == position)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("A waiting reader ends with its task, and fails when the ledger is closed")
  func ends() async throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let waiting = Task {
      var feed = ledger.changes().makeAsyncIterator()
      return try await feed.next() == nil
    }
    try await Task.sleep(for: .milliseconds(30))
    waiting.cancel()
    #expect(try await waiting.value)
    let closed = Task {
      var feed = ledger.changes().makeAsyncIterator()
      do {
        _ = try await feed.next()
        return false
      } catch LedgerError.closed {
        return true
      }
    }
    try await Task.sleep(for: .milliseconds(30))
    ledger.close()
    #expect(try await closed.value)
  }
}
