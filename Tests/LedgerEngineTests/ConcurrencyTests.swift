import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Synchronization
import Testing

@Suite struct ConcurrencyTests {
  @Test("Case 11: 8 threads add the same, one is recorded") func case11() async throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await ledger.append(.add(":A:", to: .m1, by: "u1", id: CommandID()))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0.name == "recorded" } == 1)
    #expect(outcomes.count { $0 == .unchanged(.alreadyReacted) } == 7)
    #expect(try test.shown() == "A=1[u1]")
    try test.requireSound()
  }

  @Test("Case 12: three adds within milliseconds") func case12() throws {
    let test = try TestLedger()
    let add = Command.add(":A:", to: .m1, by: "u1")
    #expect(
      try test.ledger.append([add, add, add]).map(\.name) == ["recorded", "unchanged", "unchanged"])
  }

  #if DEBUG
    static let commandCount = 250
  #else
    static let commandCount = 2_000
  #endif

  @Test("8 threads append at once: no gap, and each acknowledged command is in the log once")
  func eightThreads() throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let acknowledged = Log()
    let threads = (0..<8).map { thread in
      TestThread {
        var generator = SeededGenerator(seed: UInt64(thread) + 1)
        for _ in 0..<Self.commandCount {
          let command = Self.randomCommand(&generator)
          do {
            let outcome = try ledger.append(command)
            if case .recorded(let receipt) = outcome, let id = command.id {
              acknowledged.add(id, receipt.sequences.lowerBound)
            }
            if generator.next() % 8 == 0 {
              let message = try #require(command.message)
              try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
                let summary = try snapshot.summary(of: message, viewer: command.user)
                #expect(summary.reactions.allSatisfy { $0.count >= $0.firstUsers.count })
              }
            }
          } catch {
            Issue.record("\(error)")
          }
        }
      }
    }
    for thread in threads { thread.join() }
    try test.requireSound()
    try Self.compareLog(ledger, acknowledged.entries)
  }

  private static func compareLog(_ ledger: Ledger, _ acknowledged: [CommandID: UInt64]) throws {
    var found: [CommandID: UInt64] = [:]
    var last: UInt64 = 0
    while true {
      let after = last
      let entries = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.records(after: after, limit: 500)
      }
      for entry in entries {
        #expect(entry.sequence == last + 1)
        last = entry.sequence
        guard let id = entry.record.commandID else { continue }
        #expect(found.updateValue(entry.sequence, forKey: id) == nil)
      }
      if entries.count < 500 { break }
    }
    #expect(found == acknowledged)
  }

  private static func randomCommand(_ generator: inout SeededGenerator) -> Command {
    let user = UserID(stringLiteral: "u\(generator.next() % 40)")
    let message = MessageKey.group("g1", MessageID(stringLiteral: "m\(generator.next() % 5)"))
    return Command(
      generator.next() % 3 == 0 ? .remove : .add, ["👍", "❤️", ":a:"][Int(generator.next() % 3)],
      on: message, by: user, id: CommandID())
  }

  @Test("Callers that wait together share transactions") func groupCommit() async throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let receipts = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for index in 0..<200 {
        group.addTask {
          let user = UserID(stringLiteral: "u\(index)")
          return try await ledger.append(.add("👍", to: .m1, by: user))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let times = Set(receipts.compactMap { $0.receipt?.recordedAt })
    #expect(receipts.count == 200)
    #expect(times.count < 200, "\(times.count) transactions for 200 callers")
    try test.requireSound()
  }

  @Test("Command ids of the library rise within a process") func commandIDs() {
    let ids = (0..<10_000).map { _ in CommandID() }
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    #expect(ids.allSatisfy { $0.high >> 12 & 15 == 7 && $0.low >> 62 == 2 })
  }

  private final class Log: Sendable {
    private let state = TestLock<[CommandID: UInt64]>([:])
    func add(_ id: CommandID, _ sequence: UInt64) { state.withLock { $0[id] = sequence } }
    var entries: [CommandID: UInt64] { state.withLock { $0 } }
  }
}
