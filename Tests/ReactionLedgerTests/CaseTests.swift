import Foundation
import LedgerEngine
import ReactionModel
import Testing

/// Cases 36 and 50 of the rules for reactions, through the tool.
struct CaseTests {
  private static let message = "--conversation group:c1 --message 1.5"

  @Test("36: a shortcode is not the emoji that it is named after") func namespace() throws {
    try Transcript.expect(
      """
      $ add L \(Self.message) --user u1 ❤
      recorded as sequence 2 at TIME (durable)
      group:c1/1.5, last event 2:
        ❤️ 1: u1 (the viewer among them)
      $ add L \(Self.message) --user u1 :heart:
      recorded as sequence 3 at TIME (durable)
      group:c1/1.5, last event 3:
        ❤️ 1: u1 (the viewer among them)
        :heart: 1: u1 (the viewer among them)
      $ remove L \(Self.message) --user u1 ❤️
      recorded as sequence 4 at TIME (durable)
      group:c1/1.5, last event 4:
        :heart: 1: u1 (the viewer among them)
      """, in: WorkFolder())
  }

  @Test("36: a custom reaction that was retired can still be removed") func retired() throws {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.message) --user u1 :parrot:")
    try folder.succeed("add L \(Self.message) --user u2 :parrot:")
    // Until policies can be set, the one of another ledger takes the place of this one's.
    try folder.succeed("create other --reactions emoji")
    let key = Array("policy".utf8)
    let strict = try LedgerFile.value(of: key, in: "meta", of: folder("other"))
    try LedgerFile.put(strict, for: key, in: "meta", of: folder("L"))
    try Transcript.expect(
      """
      $ add L \(Self.message) --user u3 :tada:
      refused (invalidReaction): the policy does not allow this custom reaction
      group:c1/1.5, last event 3:
        :parrot: 2: u1, u2
      => 1
      $ remove L \(Self.message) --user u1 :parrot:
      recorded as sequence 4 at TIME (durable)
      group:c1/1.5, last event 4:
        :parrot: 1: u2
      """, in: folder)
  }

  /// Slack's names, and the reactions that they are when typed.
  static let names: [(name: String, reaction: String)] = [
    ("+1::skin-tone-3", "👍🏼"), ("100", "💯"), ("two", "2️⃣"), ("fr", "🇫🇷"), ("flag-ar", "🇦🇷"),
    ("heart", "❤️"), ("heart", "❤"), ("rlogo", ":rlogo:"), ("thumbsup_all", ":thumbsup_all:"),
  ]

  @Test("50: Slack's names are the reactions that they are when typed", arguments: names)
  func slackNames(name: String, reaction: String) throws {
    let folder = try WorkFolder()
    try folder.write(
      #"[{"ts":"1.5","reactions":[{"name":"\#(name)","users":["u1"],"count":1}]}]"#,
      to: "export/c1/2026-01-01.json")
    try folder.succeed("import L --format slack export")
    let again = try folder.run("add L \(Self.message) --user u1 \(reaction)")
    #expect(again.status == 1 && again.lines[0].hasPrefix("unchanged (alreadyReacted)"))
    try folder.succeed("add L \(Self.message) --user u2 \(reaction)")
    let summary = try folder.withLedger("L") { ledger in
      let message = try MessageKey(.group("c1"), "1.5")
      return try ledger.read { (snapshot) throws(LedgerError) in
        try snapshot.summary(of: message)
      }
    }
    let expected = try Reaction(reaction)
    #expect(summary.reactions.map(\.reaction) == [expected])
    #expect(summary.reactions.map(\.count) == [2])
  }
}
