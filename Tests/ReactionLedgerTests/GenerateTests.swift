import LedgerInterchange
import Testing

/// `generate`: the workload is the same everywhere, so that what it begins with can stand here.
struct GenerateTests {
  @Test func lines() throws {
    try Transcript.expect(
      """
      $ generate --events 2 --tsv
      add\t1750000004054808\tgroup:vhp4kjzm4zm7js5533fx\t1384120324336910384\t48n0zp82jrcnpap8w7fw\
      \t😂
      add\t1750000005568844\tgroup:vhp4kjzm4zm7js5533fx\t1384120324336910384\tpwyrd49nece677sdfqca\
      \t😂
      $ generate --events 0
      $ generate --events 0 --tsv --seed 7
      """, in: WorkFolder())
    let folder = try WorkFolder()
    #expect(
      try folder.succeed("generate --events 2").output == """
        {"op":"add","conversation":"group:vhp4kjzm4zm7js5533fx",\
        "message":"1384120324336910384","user":"48n0zp82jrcnpap8w7fw","reaction":"😂",\
        "reactedAt":"2025-06-15T15:06:44.054808Z"}
        {"op":"add","conversation":"group:vhp4kjzm4zm7js5533fx",\
        "message":"1384120324336910384","user":"pwyrd49nece677sdfqca","reaction":"😂",\
        "reactedAt":"2025-06-15T15:06:45.568844Z"}

        """)
  }

  @Test("Seeds, lengths and forms of ids") func seeds() throws {
    let folder = try WorkFolder()
    let long = try folder.succeed("generate --events 2000 --seed 42 --json")
    #expect(long.lines.count == 2000)
    #expect(try folder.succeed("generate --events 500").lines == Array(long.lines.prefix(500)))
    #expect(
      try folder.succeed("generate --events 500 --seed 43").lines != Array(long.lines.prefix(500)))
    let random = try folder.succeed("generate --events 500 --message-ids random")
    for (line, other) in zip(long.lines, random.lines) {
      let (command, renamed) = (
        try JSONParser.parse(Array(line.utf8)), try JSONParser.parse(Array(other.utf8))
      )
      #expect(command["message"]?.string?.utf8.count == 19)
      #expect(renamed["message"]?.string?.utf8.count == 26)
      for key in ["op", "reactedAt", "conversation", "user", "reaction"] {
        #expect(command[key] != nil && command[key] == renamed[key])
      }
    }
    #expect(long.lines.contains { $0.hasPrefix(#"{"op":"remove","#) })
  }

  @Test("Into a ledger: all of it, and the same as printed") func append() throws {
    let folder = try WorkFolder()
    try Transcript.expect(
      """
      $ create L
      created ledger UUID at L
      policy: several reactions per user, at most 20 distinct, emoji and custom reactions
      $ generate L --events 12000
      12000 events of seed 42: recorded 12000, unchanged 0, refused 0; the last record is 12001
      $ create M --json
      {"ledger":"UUID","policy":{"selection":"multiple","maxDistinct":20,"maxPerUser":null,\
      "reactions":"custom"},"format":N}
      $ generate --events 1 --seed 9 M --json
      {"events":1,"seed":9,"recorded":1,"unchanged":0,"refused":0,"head":2}
      $ generate --events 1 --seed 9 M
      1 event of seed 9: recorded 0, unchanged 1, refused 0; the last record is 2
      """, in: folder)
    #expect(try folder.provenHead(of: "L") == 12_001)
    let commands = try folder.succeed("generate --events 12000").lines
    let events = try folder.succeed("events L --json --after 1").lines
    #expect(commands.count == events.count)
    for (line, other) in zip(commands, events) {
      let (command, event) = (
        try JSONParser.parse(Array(line.utf8)), try JSONParser.parse(Array(other.utf8))
      )
      try #require(event["kind"]?.string == (command["op"]?.string == "add" ? "added" : "removed"))
      for key in ["reactedAt", "conversation", "message", "user", "reaction"] {
        try #require(command[key] != nil && command[key] == event[key])
      }
    }
  }
}
