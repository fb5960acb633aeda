import Foundation
import LedgerEngine
import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

/// `import`, with exports made up for it.
struct ImportTests {
  /// An export with a broken line among good ones, and one that holds a broken message.
  private func makeExport() throws -> WorkFolder {
    let folder = try WorkFolder()
    let lines = [
      #"{"path":"c1/2026-01-01.json","messages":[{"ts":"1577934245.000100","thread_ts":"1577934000.000000","reactions":[{"name":"+1","users":["u1","u2"],"count":3}]}]}"#,
      #"{"path":"c1/2026-01-02.json","messages":[{"ts":"2.5",,}]}"#,
      #"{"path":"c1/2026-01-03.json","messages":[7,{"ts":"3.5","reactions":[{"name":"tada","users":["u1",""],"count":2}]}]}"#,
    ]
    try folder.write(lines.joined(separator: "\n"), to: "export.jsonl")
    return folder
  }

  @Test("Broken parts are reported, and the rest is recorded") func broken() throws {
    try Transcript.expect(
      """
      $ import L --format slack export.jsonl --dry-run
      3 reactions on 2 messages by 2 users
      dry run: nothing was recorded
      skipped 1 in 1 list (countWithoutUsers), first in export.jsonl:1, message 0
      skipped 1 in 1 list (invalidUser), first in export.jsonl:3, message 1
      not read: export.jsonl:2, byte 53: expected a key in quotes
      not read: export.jsonl:3: message 0: expected an object, not a number
      ! reaction-ledger: 2 parts of the export could not be read, first export.jsonl:2, byte 53: \
      expected a key in quotes: mend it and import again; the rest was read
      => 4
      $ import L --format slack export.jsonl --json
      {"messages":2,"reactions":3,"recorded":3,"unchanged":0,"repeated":0,"refused":[],"merged":0,\
      "users":2,"skipped":[{"reason":"countWithoutUsers","count":1,"lists":1,\
      "first":{"path":"export.jsonl","line":1,"index":0}},{"reason":"invalidUser","count":1,\
      "lists":1,"first":{"path":"export.jsonl","line":3,"index":1}}],\
      "errors":[{"path":"export.jsonl","line":2,"offset":53,"text":"expected a key in quotes"},\
      {"path":"export.jsonl","line":3,"text":"message 0: expected an object, not a number"}],\
      "furtherErrors":0}
      ! reaction-ledger: 2 parts of the export could not be read, first export.jsonl:2, byte 53: \
      expected a key in quotes: mend it and import again; the rest was imported
      => 4
      $ import L --format slack no/such
      0 reactions on 0 messages by 0 users
      recorded 0, unchanged 0, repeated 0
      not read: no/such: no such file or folder
      ! reaction-ledger: 1 part of the export could not be read, first no/such: no such file or \
      folder: mend it and import again; the rest was imported
      => 4
      $ events L --after 1
      2 TIME added 👍 by u1 on group:c1/1577934245.000100 in thread 1577934000.000000 cause \
      imported reacted at 2020-01-02T03:04:05.000100Z
      3 TIME added 👍 by u2 on group:c1/1577934245.000100 in thread 1577934000.000000 cause \
      imported reacted at 2020-01-02T03:04:05.000100Z
      4 TIME added 🎉 by u1 on group:c1/3.5 cause imported reacted at 1970-01-01T00:00:03.500000Z
      """, in: makeExport())
  }

  @Test("A dry run makes no ledger") func dryRun() throws {
    let folder = try makeExport()
    #expect(try folder.run("import L --format slack export.jsonl --dry-run --json").status == 4)
    #expect(!folder.has("L"))
  }

  @Test("What the policy refuses is in the report, and no error") func refused() throws {
    let folder = try WorkFolder()
    try folder.write(
      #"[{"ts":"1.5","reactions":[{"name":"+1","users":["u1"]},{"name":"rlogo","users":["u1","u2"]}]}]"#,
      to: "export/c1/2026-01-01.json")
    try Transcript.expect(
      """
      $ create L --reactions emoji
      created ledger UUID at L
      policy: several reactions per user, at most 20 distinct, emoji
      $ import L --format slack export
      3 reactions on 1 message by 2 users
      recorded 1, unchanged 0, repeated 0
      refused 2 (invalidReaction), first in export/c1/2026-01-01.json, message 0
      $ import L --format slack export
      3 reactions on 1 message by 2 users
      recorded 0, unchanged 1, repeated 0
      refused 2 (invalidReaction), first in export/c1/2026-01-01.json, message 0
      """, in: folder)
  }
}

/// `import` of real exports; the numbers are those that their own description states.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared Slack exports"))
struct SharedImportTests {
  struct Export: CustomTestStringConvertible, Sendable {
    let name: String
    let reactions, messages, users: Int
    var skipped: [String] = []
    var testDescription: String { name }
  }

  static let exports = [
    Export(name: "rdevel-2024-08-22.jsonl", reactions: 3_760, messages: 1_375, users: 228),
    Export(name: "rdevel-2026-06-30.jsonl", reactions: 4_874, messages: 1_885, users: 302),
    Export(name: "tenacademy.jsonl", reactions: 10_353, messages: 3_986, users: 58),
    Export(
      name: "houston", reactions: 199, messages: 89, users: 17,
      skipped: ["skipped 43 in 15 lists (reactionsOnFiles)"]),
  ]

  @Test("Numbers; importing again records nothing; replay agrees", arguments: exports)
  func numbers(export: Export) throws {
    let folder = try WorkFolder()
    let path = try #require(SharedData.path("slack-export/" + export.name))
    let total =
      "\(export.reactions) reactions on \(export.messages) messages by \(export.users) users"
    for (recorded, unchanged) in [(export.reactions, 0), (0, export.reactions)] {
      let run = try folder.succeed("import L --format slack '\(path)'")
      #expect(
        Array(run.lines.prefix(2)) == [
          total, "recorded \(recorded), unchanged \(unchanged), repeated 0",
        ])
      #expect(run.lines.dropFirst(2).map { String($0.prefix { $0 != "," }) } == export.skipped)
      #expect(
        try folder.succeed("replay L").output
          .hasPrefix(
            "everything agrees, level tree: \(export.reactions) events on "
              + "\(export.messages) messages by \(export.users) users, up to sequence "
              + "\(export.reactions + 1), root "))
    }
    let stat = try folder.succeed("stat L --full --json").output
    #expect(stat.contains("\"liveReactions\":\(export.reactions),"))
  }

  @Test("An older export and then the newer end as the newer alone") func newer() throws {
    let folder = try WorkFolder()
    let (older, newer) = (Self.exports[0], Self.exports[1])
    for (ledger, export) in [("both", older), ("both", newer), ("newer", newer)] {
      let path = try #require(SharedData.path("slack-export/" + export.name))
      try folder.succeed("import \(ledger) --format slack '\(path)'")
    }
    let (both, alone) = (try summaries(folder, "both"), try summaries(folder, "newer"))
    #expect(alone.count == newer.messages)
    #expect(both == alone)
    #expect(try folder.provenHead(of: "both") == UInt64(newer.reactions + 1))
    #expect(try folder.provenHead(of: "newer") == UInt64(newer.reactions + 1))
  }

  /// What every message shows that the log speaks of.
  private func summaries(
    _ folder: WorkFolder, _ name: String
  ) throws -> [MessageKey: [ReactionSummary]] {
    try folder.withLedger(name) { ledger in
      var messages: Set<MessageKey> = []
      var last: UInt64 = 0
      while true {
        let entries = try ledger.read { (snapshot) throws(LedgerError) in
          try snapshot.records(after: last)
        }
        guard let end = entries.last?.sequence else { break }
        for entry in entries {
          if case .change(let change) = entry.record.content { messages.insert(change.message) }
        }
        last = end
      }
      let summaries = try ledger.read { (snapshot) throws(LedgerError) in
        try snapshot.summaries(of: messages.sorted())
      }
      return Dictionary(uniqueKeysWithValues: summaries.map { ($0.message, $0.reactions) })
    }
  }
}
