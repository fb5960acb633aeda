import LMDB
import LedgerTestSupport
import ReactionModel
import Testing

@testable import LedgerEngine

@Suite struct GroupTests {
  /// Holds the writer back until `count` callers wait, and gives the number of commits that they
  /// needed.
  private func commitCount(
    of count: Int, _ change: (inout LedgerOptions) -> Void
  ) throws -> UInt64 {
    let test = try TestLedger(adjust: change)
    let before = test.ledger.environment.information.lastTransaction
    let outcomes = try test.ledger.appendTogether(
      (0..<count).map { .add("👍", to: .m1, by: UserID(stringLiteral: "u\($0)")) })
    #expect(outcomes.allSatisfy { $0.name == "recorded" })
    let commits = test.ledger.environment.information.lastTransaction - before
    try test.requireSound()
    return commits
  }

  @Test("Who waits at the same time shares a commit") func shared() throws {
    #expect(try commitCount(of: 40) { _ in } == 1)
  }

  @Test("A commit has no more commands than it may") func boundedInCommands() throws {
    #expect(try commitCount(of: 40) { $0.maximumGroupCount = 8 } == 5)
  }

  @Test("A commit takes no further commands when its time is over") func boundedInTime() throws {
    #expect(try commitCount(of: 40) { $0.maximumGroupTime = .zero } == 40)
  }
}

@Suite struct FlushTests {
  private func ledger(_ durability: Durability, flushedAfter delay: Duration) throws -> TestLedger {
    let test = try TestLedger {
      $0.durability = durability
      $0.flushDelay = delay
    }
    for user in ["u1", "u2", "u3"] as [UserID] {
      _ = try test.ledger.append(.add("👍", to: .m1, by: user))
    }
    return test
  }

  private func isFlushed(_ test: TestLedger) -> Bool {
    test.ledger.writer.lastFlushedTransaction == test.ledger.environment.information.lastTransaction
  }

  @Test("A durable commit is flushed when it is answered") func durable() throws {
    let test = try ledger(.durable, flushedAfter: .seconds(3_600))
    #expect(isFlushed(test))
  }

  @Test("The last commit is flushed once the writer is idle, not before") func idle() async throws {
    let waiting = try ledger(.lastCommitMayVanish, flushedAfter: .seconds(3_600))
    #expect(!isFlushed(waiting))
    let test = try ledger(.lastCommitMayVanish, flushedAfter: .milliseconds(1))
    for _ in 0..<10_000 where !isFlushed(test) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(isFlushed(test))
    // And it goes on as before.
    _ = try test.append(.add("👍", to: .m1, by: "u4"))
    for _ in 0..<10_000 where !isFlushed(test) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(isFlushed(test))
    try test.requireSound()
  }

  @Test("The last commit is flushed at closing") func closing() throws {
    let test = try ledger(.lastCommitMayVanish, flushedAfter: .seconds(3_600))
    let last = test.ledger.environment.information.lastTransaction
    test.ledger.close()
    #expect(test.ledger.writer.lastFlushedTransaction == last)
  }
}
