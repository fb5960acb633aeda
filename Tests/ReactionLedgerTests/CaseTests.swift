import Foundation
import LedgerEngine
import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

/// Cases of the rules for reactions, by their numbers, through the tool.
struct CaseTests {
  private static let message = "--conversation group:c1 --message 1.5"
  private static let m1 = "--conversation group:g1 --message m1"

  @Test(arguments: CaseScript.all) func script(_ example: CaseScript) throws {
    let folder = try WorkFolder()
    var writer = JSONWriter()
    for command in try example.commands {
      writer.object { $0.members(of: command) }
      writer.endLine()
    }
    try folder.write(String(decoding: writer.bytes, as: UTF8.self), to: "commands")
    let outcomes = try folder.succeed("apply L commands").lines.map { line in
      let words = line.split(separator: "\"")
      let place = try #require(words.firstIndex(of: "outcome"))
      return CaseScript.letter(String(words[place + 2]))
    }
    #expect(String(outcomes) == example.outcomes)
    let shown = try folder.succeed("show L \(Self.m1)").lines.filter { $0.hasPrefix("  ") }
    let short = shown.map { line in
      let words = line.dropFirst(2).split(separator: " ", maxSplits: 2)
      let users = words[2].replacing(", …", with: "").replacing(", ", with: ",")
      return "\(CaseScript.short(String(words[0])))=\(words[1].dropLast())[\(users)]"
    }
    #expect((short.isEmpty ? "-" : short.joined(separator: " ")) == example.shown)
    #expect(try folder.provenHead(of: "L") > 1)
  }

  @Test("Case 6: one message and several at once show the same") func case6() throws {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.m1) --user u1 👍")
    try folder.succeed("add L \(Self.m1) --user u2 ❤")
    let one = try folder.succeed("show L \(Self.m1) --viewer u2 --json").lines
    let several = try folder.succeed(
      "show L \(Self.m1) --message m2 --message m1 --viewer u2 --json")
    #expect(several.lines.count == 3)
    #expect(one == [several.lines[0]] && one == [several.lines[2]])
  }

  @Test("Case 10: a count without users becomes no events, and is told") func case10() throws {
    let folder = try WorkFolder()
    try folder.write(
      #"[{"ts":"1.5","reactions":[{"name":"+1","count":1}]}]"#, to: "export/c1/2026-01-01.json")
    try Transcript.expect(
      """
      $ import L --format slack export
      0 reactions on 0 messages by 0 users
      recorded 0, unchanged 0, repeated 0
      skipped 1 in 1 list (countWithoutUsers), first in export/c1/2026-01-01.json, message 0
      $ show L \(Self.message)
      group:c1/1.5: no reactions
      """, in: folder)
    try folder.write(
      #"{"op":"add","conversation":"group:g1","message":"m1","reaction":"👍"}"#, to: "commands")
    #expect(try folder.run("apply L commands").status == 4)
    #expect(try folder.provenHead(of: "L") == 1)
  }

  @Test("Cases 11 and 12: 8 processes add the same at once, one is recorded") func case11() throws {
    let folder = try WorkFolder()
    let children = try (0..<8).map { index in
      let line =
        "add L \(Self.m1) --user u1 👍 --command-id 01234567-89ab-7def-8123-45678900000\(index)"
      return try Child(Tool.path, Transcript.words(of: line), in: folder.path)
    }
    let runs = try children.map { try $0.wait() }
    #expect(runs.map(\.status).sorted() == [0] + Array(repeating: 1, count: 7))
    #expect(runs.filter { $0.output.hasPrefix("unchanged (alreadyReacted)") }.count == 7)
    #expect(runs.allSatisfy { $0.errors.isEmpty })
    #expect(try folder.provenHead(of: "L") == 2)
  }

  @Test("Case 26: by place or by count, and the same each time") func case26() throws {
    let folder = try WorkFolder()
    for (user, reaction) in [("u1", ":b:"), ("u1", ":a:"), ("u2", ":a:"), ("u2", ":c:")] {
      try folder.succeed("add L \(Self.m1) --user \(user) \(reaction)")
    }
    try Transcript.expect(
      """
      $ show L \(Self.m1)
      group:g1/m1, last event 5:
        :b: 1: u1
        :a: 2: u1, u2
        :c: 1: u2
      $ show L \(Self.m1) --order count
      group:g1/m1, last event 5:
        :a: 2: u1, u2
        :b: 1: u1
        :c: 1: u2
      $ show L \(Self.m1) --order opening --json
      {"conversation":"group:g1","message":"m1","reactions":[{"reaction":":b:","count":1,\
      "reactedByMe":false,"firstUsers":["u1"]},{"reaction":":a:","count":2,"reactedByMe":false,\
      "firstUsers":["u1","u2"]},{"reaction":":c:","count":1,"reactedByMe":false,\
      "firstUsers":["u2"]}],"sequence":5}
      """, in: folder)
    #expect(try folder.run("show L \(Self.m1) --order name").status == 2)
  }

  @Test("Cases 27 and 28: pages of two of three, then the end, and what is no cursor")
  func case27() throws {
    let folder = try WorkFolder()
    for user in ["u1", "u2", "u3"] { try folder.succeed("add L \(Self.m1) --user \(user) 👍") }
    let first = try folder.succeed("reactors L \(Self.m1) --reaction 👍 --limit 2 --json").output
    #expect(first.contains(#""users":["u1","u2"]"#))
    let cursor = try #require(first.split(separator: "\"").dropLast().last)
    let second = try folder.succeed(
      "reactors L \(Self.m1) --reaction 👍 --limit 2 --json --cursor=\(cursor)")
    #expect(second.output == #"{"reaction":"👍","count":3,"users":["u3"],"cursor":null}"# + "\n")
    for wrong in ["x", "\(cursor)A", String(cursor.dropLast()), "AAAAAAAAAAAAAAAAAAAAAA"] {
      let run = try folder.run("reactors L \(Self.m1) --reaction 👍 --cursor=\(wrong)")
      #expect(run.status == 2 && run.output.isEmpty, "\(wrong)")
      #expect(run.errors.contains("--cursor"), "\(run.errors)")
    }
  }

  @Test("Case 30: times of the callers order nothing") func case30() throws {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.m1) --user u1 👍 --at 2020-01-01T00:00:02Z")
    try folder.succeed("add L \(Self.m1) --user u2 👍 --at 2020-01-01T00:00:01Z")
    let shown = try folder.succeed("show L \(Self.m1) --json")
    #expect(shown.output.contains(#""firstUsers":["u1","u2"]"#))
  }

  @Test("Case 36: a shortcode is not the emoji that it is named after") func namespace() throws {
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

  @Test("Case 36: a custom reaction that was retired can still be removed") func retired() throws {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.message) --user u1 :parrot:")
    try folder.succeed("add L \(Self.message) --user u2 :parrot:")
    try Transcript.expect(
      """
      $ policy L --reactions emoji
      recorded as sequence 4 at TIME (durable)
      $ add L \(Self.message) --user u3 :tada:
      refused (invalidReaction): the policy does not allow this custom reaction
      group:c1/1.5, last event 3:
        :parrot: 2: u1, u2
      => 1
      $ remove L \(Self.message) --user u1 :parrot:
      recorded as sequence 5 at TIME (durable)
      group:c1/1.5, last event 5:
        :parrot: 1: u2
      """, in: folder)
  }

  @Test("Cases 39 and 41: a deleted message shows nothing and its history says why, and an erasure")
  func deletedAndErased() throws {
    let folder = try WorkFolder()
    for (user, message) in [("u1", "m1"), ("u2", "m1"), ("u1", "m2"), ("u2", "m2")] {
      try folder.succeed("add L --conversation group:g1 --message \(message) --user \(user) 👍")
    }
    try Transcript.expect(
      """
      $ clear L \(Self.m1) --cause messageDeleted
      recorded as sequences 6 to 7 at TIME (durable)
      group:g1/m1: no reactions
      $ remove L \(Self.m1) --user u1 👍
      unchanged (notReacted): the user does not have this reaction on the message
      group:g1/m1: no reactions
      => 1
      $ history L \(Self.m1)
      2 TIME added 👍 by u1 on group:g1/m1
      3 TIME added 👍 by u2 on group:g1/m1
      6 TIME removed 👍 by u1 on group:g1/m1 ending 2 cause messageDeleted
      7 TIME removed 👍 by u2 on group:g1/m1 ending 3 cause messageDeleted
      $ erase L --user u1 --actor mod
      recorded as sequence 9 at TIME (durable)
      $ show L \(Self.m1) --message m2
      group:g1/m1: no reactions
      group:g1/m2, last event 8:
        👍 1: u2
      """, in: folder)
    #expect(try folder.provenHead(of: "L") == 9)
  }

  /// Slack's names, and the reactions that they are when typed.
  static let names: [(name: String, reaction: String)] = [
    ("+1::skin-tone-3", "👍🏼"), ("100", "💯"), ("two", "2️⃣"), ("fr", "🇫🇷"), ("flag-ar", "🇦🇷"),
    ("heart", "❤️"), ("heart", "❤"), ("rlogo", ":rlogo:"), ("thumbsup_all", ":thumbsup_all:"),
  ]

  @Test("Case 50: Slack's names are the reactions that they are when typed", arguments: names)
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
