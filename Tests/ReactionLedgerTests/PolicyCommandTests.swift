import Testing

/// `policy`, and commands of every kind through `apply`.
struct PolicyCommandTests {
  private static let m1 = "--conversation group:g1 --message m1"
  private static let id = "--command-id 01234567-89ab-7def-8123-456789abcdef"

  @Test("Rules that are not given stay as they are") func policy() throws {
    try Transcript.expect(
      """
      $ create L --max-per-user 3
      created ledger UUID at L
      policy: several reactions per user (at most 3), at most 20 distinct, emoji and custom reactions
      $ policy L
      policy: several reactions per user (at most 3), at most 20 distinct, emoji and custom reactions
      $ policy L --selection single --actor admin \(Self.id)
      recorded as sequence 2 at TIME (durable)
      $ policy L --selection single --actor admin \(Self.id)
      recorded before, as sequence 2 at TIME (durable)
      $ policy L --selection multiple \(Self.id)
      refused (commandIDReused): the command id was used for another command; take a new one
      => 1
      $ policy L --selection single
      unchanged (samePolicy): this policy is in force already
      => 1
      $ policy L --max-per-user none --max-distinct 5 --json
      {"outcome":"recorded","sequences":[3,3],"recordedAt":"TIME","durability":"durable"}
      $ policy L --allow ❤ --allow :a: --allow ❤️
      recorded as sequence 4 at TIME (durable)
      $ policy L
      policy: one reaction per user, at most 5 distinct, one of 2 listed reactions
        :a:
        ❤️
      $ policy L --json
      {"policy":{"selection":"single","maxDistinct":5,"maxPerUser":null,"reactions":"allowed",\
      "allowed":[":a:","❤️"]}}
      $ add L \(Self.m1) --user u1 👍
      refused (invalidReaction): the policy does not allow this emoji reaction
      group:g1/m1: no reactions
      => 1
      $ add L \(Self.m1) --user u1 ❤
      recorded as sequence 5 at TIME (durable)
      group:g1/m1, last event 5:
        ❤️ 1: u1 (the viewer among them)
      $ policy L --reactions any
      recorded as sequence 6 at TIME (durable)
      $ events L --after 1 --json
      {"sequence":2,"kind":"policyChanged","recordedAt":"TIME","policy":{"selection":"single",\
      "maxDistinct":20,"maxPerUser":3,"reactions":"custom"},"actor":"admin","cause":"user",\
      "commandId":"01234567-89ab-7def-8123-456789abcdef"}
      {"sequence":3,"kind":"policyChanged","recordedAt":"TIME","policy":{"selection":"single",\
      "maxDistinct":5,"maxPerUser":null,"reactions":"custom"},"cause":"user"}
      {"sequence":4,"kind":"policyChanged","recordedAt":"TIME","policy":{"selection":"single",\
      "maxDistinct":5,"maxPerUser":null,"reactions":"allowed","allowed":[":a:","❤️"]},"cause":"user"}
      {"sequence":5,"kind":"added","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u1","userNumber":2,"reaction":"❤️","cause":"user"}
      {"sequence":6,"kind":"policyChanged","recordedAt":"TIME","policy":{"selection":"single",\
      "maxDistinct":5,"maxPerUser":null,"reactions":"any"},"cause":"user"}
      """, in: WorkFolder())
  }

  @Test("What is no policy is wrong usage, and changes nothing") func errors() throws {
    let folder = try WorkFolder()
    try folder.succeed("create L")
    for options in [
      "--selection both", "--max-distinct 0", "--max-distinct 101", "--max-per-user 0",
      "--max-per-user many", "--reactions some", "--reactions emoji --allow 👍", "--allow ''",
    ] {
      let run = try folder.run("policy L \(options)")
      #expect(run.status == 2 && run.output.isEmpty, "\(options): \(run.output)")
      #expect(run.errors.hasPrefix("reaction-ledger: --"), "\(options): \(run.errors)")
    }
    #expect(try folder.run("policy absent").status == 3)
    #expect(try folder.provenHead(of: "L") == 1)
  }

  @Test("Commands of every kind, each with its id, twice") func applyAll() throws {
    let folder = try WorkFolder()
    func id(_ number: Int) -> String {
      #""commandId":"00000000-0000-7000-8000-00000000000\#(number)""#
    }
    let place = #""conversation":"group:g1","message":"m1""#
    try folder.write(
      """
      {"op":"add",\(place),"user":"u1","reaction":"👍","parent":"p","reactedAt":"2020-01-02T03:04:05Z",\(id(1))}
      {"op":"add",\(place),"user":"u2","reaction":"👍","actor":"bot","cause":"imported",\(id(2))}
      {"op":"add",\(place),"user":"u2","reaction":":a:",\(id(3))}
      {"op":"remove",\(place),"user":"u1","reaction":"👍",\(id(4))}
      {"op":"clear",\(place),"reaction":":a:","cause":"expired",\(id(5))}
      {"op":"clear",\(place),"actor":"mod",\(id(6))}
      {"op":"setPolicy","policy":{"selection":"single","maxDistinct":3,"maxPerUser":null,"reactions":"allowed","allowed":["👍"]},\(id(7))}
      {"op":"erase","user":"u2","actor":"mod",\(id(8))}
      {"op":"erase","user":"u2"}
      {"op":"clear",\(place)}
      {"op":"add",\(place),"user":"u2","reaction":":a:","commandId":"00000000-0000-7000-8000-000000000004"}
      """, to: "commands")
    let sequences = [[2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [7, 7], [8, 8], [9, 9]]
    for outcome in ["recorded", "repeated"] {
      let lines = try folder.succeed("apply L commands").lines
      #expect(lines.count == 11)
      for (index, pair) in sequences.enumerated() {
        let start =
          "{\"line\":\(index + 1),\"outcome\":\"\(outcome)\",\"sequences\":[\(pair[0]),\(pair[1])],"
        #expect(lines[index].hasPrefix(start), "\(lines[index])")
      }
      #expect(
        lines.suffix(3) == [
          #"{"line":9,"outcome":"unchanged","reason":"nothingToErase"}"#,
          #"{"line":10,"outcome":"unchanged","reason":"nothingToClear"}"#,
          #"{"line":11,"outcome":"refused","reason":"commandIDReused"}"#,
        ])
    }
    #expect(try folder.provenHead(of: "L") == 9)
    // All of it in one transaction in a ledger of its own, but for the line that is refused.
    let all = try Tool.shell(
      #"head -n 10 commands > ten && "$T" apply M ten --all-or-nothing && "$T" replay M"#,
      in: folder.path)
    #expect(all.status == 0, "\(all.errors)")
    #expect(try folder.provenHead(of: "M") == 9)
    let rolledBack = try folder.succeed("apply N commands --all-or-nothing").lines
    #expect(rolledBack.count == 11 && rolledBack[10].contains("refused"))
    #expect(rolledBack.dropLast().allSatisfy { $0.contains(#""outcome":"rolledBack""#) })
    #expect(try folder.provenHead(of: "N") == 1)
  }

  @Test("What a message showed at a sequence and at a time") func asOf() throws {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.m1) --user u1 👍")
    try folder.succeed("add L \(Self.m1) --user u2 👍")
    try folder.succeed("clear L \(Self.m1)")
    let history = try folder.succeed("history L \(Self.m1) --json").lines
    let time = try #require(history[0].split(separator: "\"").first { $0.hasPrefix("20") })
    try Transcript.expect(
      """
      $ show L \(Self.m1) --as-of 0
      group:g1/m1: no reactions
      $ show L \(Self.m1) --as-of 2
      group:g1/m1, last event 2:
        👍 1: u1
      $ show L \(Self.m1) --as-of 3 --viewer u2
      group:g1/m1, last event 3:
        👍 2: u1, u2 (the viewer among them)
      $ show L \(Self.m1) --as-of 4
      group:g1/m1, last event 3:
        👍 2: u1, u2
      $ show L \(Self.m1) --as-of 999
      group:g1/m1: no reactions
      $ show L \(Self.m1) --as-of 2001-01-01T00:00:00Z
      group:g1/m1: no reactions
      $ show L \(Self.m1) --as-of 2 --order count --json
      {"conversation":"group:g1","message":"m1","reactions":[{"reaction":"👍","count":1,\
      "reactedByMe":false,"firstUsers":["u1"]}],"sequence":2}
      """, in: folder)
    let then = try folder.succeed("show L \(Self.m1) --as-of \(time)")
    #expect(then.output.contains("👍 1: u1"))
    for wrong in ["yesterday", "-1", "2.5", ""] {
      #expect(try folder.run("show L \(Self.m1) --as-of '\(wrong)'").status == 2, "\(wrong)")
    }
  }

  @Test("The events of a user, on all messages") func historyOfUser() throws {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.m1) --user u1 👍")
    try folder.succeed("add L \(Self.m1) --user u2 👍")
    try folder.succeed("add L --conversation user:u2 --message x --user u1 ❤ --actor u2")
    try folder.succeed("clear L \(Self.m1)")
    try Transcript.expect(
      """
      $ history L --user u1
      2 TIME added 👍 by u1 on group:g1/m1
      4 TIME added ❤️ by u1 on user:u2/x asked for by u2
      5 TIME removed 👍 by u1 on group:g1/m1 ending 2 cause moderation
      $ history L --user u2 --json
      {"sequence":3,"kind":"added","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u2","userNumber":2,"reaction":"👍","cause":"user"}
      {"sequence":6,"kind":"removed","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u2","userNumber":2,"reaction":"👍","cause":"moderation","ends":3}
      $ history L --user nobody
      nobody: no events
      $ history L --user nobody --json
      """, in: folder)
    #expect(try folder.run("history L --user u1 \(Self.m1)").status == 2)
    #expect(try folder.run("history L").status == 2)
  }
}
