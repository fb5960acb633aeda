import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

/// Real exports; their numbers are those that their own description states.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared Slack exports"))
struct SlackSharedDataTests {
  struct Export: CustomTestStringConvertible, Sendable {
    let name: String
    let messages, reactions, users, merged: Int
    var testDescription: String { name }
  }

  static let exports = [
    Export(
      name: "rdevel-2024-08-22.jsonl", messages: 1_375, reactions: 3_760, users: 228, merged: 0),
    Export(
      name: "rdevel-2026-06-30.jsonl", messages: 1_885, reactions: 4_874, users: 302, merged: 0),
    Export(name: "tenacademy.jsonl", messages: 3_986, reactions: 10_353, users: 58, merged: 0),
    Export(name: "houston", messages: 89, reactions: 199, users: 17, merged: 0),
  ]

  @Test(arguments: exports) func numbers(export: Export) throws {
    let path = try #require(SharedData.path("slack-export/" + export.name))
    var ledger = NaiveLedger()
    let report = ledger.run(path)
    #expect(report.errors.isEmpty && report.refused.isEmpty && report.addsUp)
    #expect(report.messages == export.messages && report.reactions == export.reactions)
    #expect(report.users == export.users && report.merged == export.merged)
    #expect(report.recorded == ledger.live.count && report.unchanged == export.merged)
    #expect(ledger.batchCounts.allSatisfy { $0 <= SlackImporter.batchCeiling })
    #expect(ledger.commands.allSatisfy { $0.cause == .imported && $0.clientTime != nil })
    if export.name == "houston" {
      #expect(report.skipped.map(\.reason) == ["reactionsOnFiles"])
      #expect(report.skipped.first?.lists == 15 && report.skipped.first?.count == 43)
    } else {
      #expect(report.skipped.isEmpty)
    }
    let again = ledger.run(path)
    #expect(again.recorded == 0 && again.unchanged == export.reactions)
  }

  @Test func theOlderExportThenTheNewerEndAsTheNewerAlone() throws {
    let older = try #require(SharedData.path("slack-export/rdevel-2024-08-22.jsonl"))
    let newer = try #require(SharedData.path("slack-export/rdevel-2026-06-30.jsonl"))
    var (both, alone) = (NaiveLedger(), NaiveLedger())
    let first = both.run(older)
    let second = both.run(newer)
    _ = alone.run(newer)
    #expect(both.live == alone.live)
    #expect(second.recorded == 4_874 - 3_760 && second.unchanged == first.recorded)
  }
}
