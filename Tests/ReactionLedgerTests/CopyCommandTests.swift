import Foundation
import LedgerTestSupport
import Testing

/// `apply`, `export`, `restore`, `backup` and `compact`.
struct CopyCommandTests {
  private static let line = #""conversation":"group:g1","message":"m1","user":"u1""#

  @Test func applyAnswersEachLine() throws {
    let folder = try WorkFolder()
    try folder.write(
      """
      {"op":"add",\(Self.line),"reaction":"❤"}

      {"op":"add",\(Self.line),"reaction":"❤️"}
      {"op":"add",\(Self.line),"reaction":"no reaction"}
      {"op":"remove",\(Self.line),"reaction":"❤️","cause":"moderation","actor":"mod"}
      """, to: "commands")
    let run = try folder.succeed("apply L commands")
    #expect(run.lines.count == 4)
    let starts = [
      #"{"line":1,"outcome":"recorded","sequences":[2,2],"#,
      #"{"line":3,"outcome":"unchanged","reason":"alreadyReacted","code":"ERR_ALREADY_REACTED"}"#,
      #"{"line":4,"outcome":"refused","reason":"invalidReaction","code":"ERR_INVALID_REACTION"}"#,
      #"{"line":5,"outcome":"recorded","sequences":[3,3],"#,
    ]
    for (line, start) in zip(run.lines, starts) { #expect(line.hasPrefix(start), "\(line)") }
    #expect(try folder.succeed("replay L --json").output.contains(#""ok":true,"events":2"#))
  }

  @Test("Lines that are no commands are told, the others are done, and the status is 4")
  func applyBadLines() throws {
    let folder = try WorkFolder()
    let bad = [
      "{", "[]", "{}", #"{"op":"clear"}"#, #"{"op":"add","reaction":"👍"}"#,
      #"{"op":"add",\#(Self.line),"reaction":"👍","colour":"red"}"#,
      #"{"op":"add",\#(Self.line),"reaction":"👍","op":"add"}"#,
      #"{"op":"add",\#(Self.line),"reaction":1}"#,
      #"{"op":"add",\#(Self.line),"reaction":"👍","commandId":"7"}"#,
      #"{"op":"add",\#(Self.line),"reaction":"👍","reactedAt":"yesterday"}"#,
      #"{"op":"add","conversation":"g1","message":"m1","user":"u1","reaction":"👍"}"#,
      #"{"op":"add","conversation":"group:g1","message":"","user":"u1","reaction":"👍"}"#,
    ]
    let good = #"{"op":"add",\#(Self.line),"reaction":"👍"}"#
    try folder.write((bad + [good]).joined(separator: "\n"), to: "commands")
    let run = try Tool.run(["apply", "L", "commands"], in: folder.path)
    #expect(run.status == 4)
    #expect(run.lines.count == 1 && run.lines[0].hasPrefix(#"{"line":13,"outcome":"recorded""#))
    let errors = run.errors.split(separator: "\n")
    #expect(errors.count == bad.count)
    for (index, error) in errors.enumerated() {
      #expect(error.hasPrefix("reaction-ledger: commands:\(index + 1)"), "\(error)")
    }
    let all = try Tool.run(["apply", "L", "commands", "--all-or-nothing"], in: folder.path)
    #expect(all.status == 4 && all.output.isEmpty)
    #expect(try folder.succeed("replay L --json").output.contains(#""ok":true,"events":1"#))
  }

  @Test func applyAllOrNothing() throws {
    let folder = try WorkFolder()
    try folder.write(
      """
      {"op":"add",\(Self.line),"reaction":"👍"}
      {"op":"add",\(Self.line),"reaction":""}
      {"op":"add",\(Self.line),"reaction":"🎉"}
      """, to: "commands")
    let run = try folder.succeed("apply L commands --all-or-nothing")
    #expect(
      run.lines == [
        #"{"line":1,"outcome":"rolledBack"}"#,
        #"{"line":2,"outcome":"refused","reason":"invalidReaction","code":"ERR_INVALID_REACTION"}"#,
        #"{"line":3,"outcome":"rolledBack"}"#,
      ])
    #expect(try folder.succeed("replay L --json").output.contains(#""events":0"#))
  }

  @Test("A generated workload through a pipe, exported, restored and exported again")
  func exportAndRestore() throws {
    let folder = try WorkFolder()
    let run = try Tool.shell(
      #"""
      set -e
      "$T" generate --events 3000 --seed 5 | "$T" apply L > outcomes
      "$T" export L > first
      "$T" restore M first
      "$T" export M > second
      "$T" export L | "$T" restore N - --json
      cmp first second
      "$T" replay M && "$T" replay N
      "$T" backup L B && "$T" export B | cmp - first
      "$T" compact B && "$T" export B | cmp - first
      """#, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#"{"restored":true,"head":3001}"#))
  }

  @Test("What restore refuses: nothing is left, and the line is told") func restoreBadLines() throws
  {
    let folder = try WorkFolder()
    try folder.succeed("add L --conversation group:g1 --message m1 --user u1 👍")
    try folder.succeed("add L --conversation group:g1 --message m1 --user u2 👍")
    let lines = try folder.succeed("export L").lines
    let table: [(changed: [String], status: Int32, told: String)] = [
      ([], 4, "inside a command"),
      ([lines[0], "{", lines[2]], 4, "export:2"),
      ([lines[0], lines[2]], 4, "record 3"),
      ([lines[0], lines[1].replacing(#""user":"u1""#, with: #""user":1"#)], 4, "export:2"),
      (
        [lines[0], lines[1].replacing(#""userNumber":1"#, with: #""userNumber":2"#)], 4, "record 2"
      ),
      ([lines[0], lines[1].replacing(#""message":"m1""#, with: #""message":"m2""#)], 4, "rule L4"),
      ([lines[0].replacing(#""format":0"#, with: #""format":1"#)], 4, "newer"),
      ([lines[0], lines[1], lines[1]], 4, "record 2"),
    ]
    for (changed, status, told) in table {
      try folder.write(changed.joined(separator: "\n"), to: "export")
      let run = try Tool.run(["restore", "M", "export"], in: folder.path)
      #expect(run.status == status && run.errors.contains(told), "\(run.errors)")
      #expect(try folder.contents().sorted() == ["L", "export"])
    }
    try folder.write(lines.joined(separator: "\n"), to: "export")
    #expect(try Tool.run(["restore", "L", "export"], in: folder.path).status == 1)
    #expect(try Tool.run(["restore", "M", "absent"], in: folder.path).status == 4)
    try folder.succeed("restore M export")
    #expect(try Tool.run(["backup", "L", "M"], in: folder.path).status == 1)
    #expect(try Tool.run(["compact", "absent"], in: folder.path).status == 3)
  }

  @Test(
    "Case 48: exported, restored and exported again, real exports are identical",
    .enabled(if: SharedData.isPresent),
    arguments: [
      "rdevel-2024-08-22.jsonl", "rdevel-2026-06-30.jsonl", "tenacademy.jsonl", "houston",
    ])
  func realExports(name: String) throws {
    let source = try #require(SharedData.path("slack-export/\(name)"))
    let folder = try WorkFolder()
    let run = try Tool.shell(
      #"""
      set -e
      "$T" import L --format slack '\#(source)' > /dev/null
      "$T" export L > first
      "$T" restore M first
      "$T" export M | cmp - first
      "$T" replay M
      """#, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("Case 48: events with ids, applied a second time, record nothing") func appliedTwice()
    throws
  {
    let folder = try WorkFolder()
    let run = try Tool.shell(
      #"""
      set -e
      "$T" generate --events 500 --seed 9 |
        awk '{ printf "%s,\"commandId\":\"00000000-0000-7000-8000-%012d\"}\n",
          substr($0, 1, length($0) - 1), NR }' > events
      "$T" apply L events > first
      "$T" export L > before
      "$T" apply L events > second
      "$T" export L | cmp - before
      test $(grep -c '"outcome":"recorded"' first) = 500
      test $(grep -c '"outcome":"repeated"' second) = 500
      "$T" replay L
      """#, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("Case 46: without times the order is the file's; a time equal to the message's is accepted")
  func importWithoutTimes() throws {
    let folder = try WorkFolder()
    try folder.write(
      #"{"path":"c1/2020-01-01.json","messages":[{"ts":"1577880000.000000","reactions":"#
        + #"[{"name":"wave","users":["u2","u1"],"count":2},{"name":"+1","users":["u3"],"count":1}]}]}"#,
      to: "export.jsonl")
    try folder.succeed("import L --format slack export.jsonl")
    let history = try folder.succeed(
      "history L --conversation group:c1 --message 1577880000.000000 --json")
    #expect(history.lines.count == 3)
    for (line, expected) in zip(history.lines, [("u2", "👋"), ("u1", "👋"), ("u3", "👍")]) {
      #expect(line.contains(#""user":"\#(expected.0)""#) && line.contains(expected.1), "\(line)")
      #expect(line.contains(#""reactedAt":"2020-01-01T12:00:00.000000Z""#), "\(line)")
    }
    // Commands without any time are accepted too, in the order of their lines.
    try folder.write(
      """
      {"op":"add",\(Self.line),"reaction":"👍"}
      {"op":"add","conversation":"group:g1","message":"m1","user":"u0","reaction":"👍"}
      """, to: "commands")
    try folder.succeed("apply L commands")
    let shown = try folder.succeed("show L --conversation group:g1 --message m1 --json")
    #expect(shown.output.contains(#""firstUsers":["u1","u0"]"#))
  }
}
