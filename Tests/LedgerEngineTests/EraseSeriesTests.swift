import LMDB
import LedgerTestSupport
import ReactionModel
import Testing

@testable import LedgerEngine

/// Two who erase the same user at once, in steps.
@Suite struct EraseSeriesTests {
  /// Does the next step of an erasure, as a writer of another process would.
  private func step(
    _ ledger: Ledger, _ user: UserID, _ series: CommandProcessor.Series
  ) throws -> (outcome: Outcome?, series: CommandProcessor.Series) {
    let (databases, options) = (ledger.databases, ledger.options)
    return try ledger.runStep {
      (transaction: inout WriteTransaction) throws(LedgerError)
        -> (outcome: Outcome?, series: CommandProcessor.Series) in
      var processor = CommandProcessor(databases, options)
      try processor.begin(transaction.reads)
      var (outcomes, next): ([Outcome], CommandProcessor.Series) = ([], series)
      try processor.run(
        PreparedBatch([.erase(user)]), &outcomes, &next, at: processor.time(options.clock()),
        &transaction)
      return (outcomes.first, next)
    }
  }

  @Test("A user who comes back between the steps of a slower erasure is erased whole")
  func comesBack() throws {
    let test = try TestLedger { $0.erasureRowCount = 2 }
    let messages = (0..<8).map { MessageKey.group("g1", MessageID(stringLiteral: "m\($0)")) }
    for message in messages {
      _ = try test.append(.add("👍", to: message, by: "gone"))
      _ = try test.append(.add("👍", to: message, by: "stays"))
    }
    var (outcome, series) = try step(test.ledger, "gone", .init())
    (outcome, series) = try step(test.ledger, "gone", series)
    #expect(outcome == nil, "there is more to do")
    #expect(try test.append(.erase("gone")).name == "recorded", "another is quicker")
    #expect(try test.append(.add("👍", to: messages[0], by: "gone")).name == "recorded")
    #expect(try test.append(.add("👍", to: messages[7], by: "gone")).name == "recorded")
    for _ in 0..<20 where outcome == nil {
      (outcome, series) = try step(test.ledger, "gone", series)
    }
    #expect(outcome?.name == "recorded")
    for message in messages { #expect(try test.shown(message) == "👍=1[stays]") }
    try test.requireSound()
    #expect(try test.append(.erase("gone")) == .unchanged(.nothingToErase))
  }
}
