import Testing

/// Wrong usage: exit status 2, one line that says what to do, and nothing done.
struct UsageTests {
  private static let message = "--conversation group:g1 --message m1"
  private static let id255 = String(repeating: "x", count: 255)
  private static let id256 = id255 + "x"

  /// A command, and what its message says.
  static let table: [(line: String, says: String)] = [
    ("", "no command is given"),
    ("frobnicate L", "there is no command \"frobnicate\""),
    ("create", "L is missing"),
    ("create ''", "L is empty"),
    ("create N --max-distinct 0", "--max-distinct must be a whole number from 1 to 100, not \"0\""),
    ("create N --max-distinct 101", "from 1 to 100, not \"101\""),
    ("create N --max-per-user many", "from 1 to 100, not \"many\""),
    ("create N --selection both", "--selection must be multiple, single, not \"both\""),
    ("create N --reactions all", "--reactions must be emoji, custom, any, not \"all\""),
    ("add L 👍 --message m1 --user u1", "--conversation is missing: add --conversation C"),
    ("add L 👍 --conversation group:g1 --user u1", "--message is missing"),
    ("add L 👍 \(message)", "--user is missing: add --user U"),
    ("add L \(message) --user u1", "REACTION is missing"),
    ("add L \(message) --user u1 👍 👎", "\"👎\" is one argument too many"),
    ("add L \(message) --user u1 --user u2 👍", "--user is given twice"),
    (
      "add L --conversation g1 --message m1 --user u1 👍",
      "\"g1\" names no conversation: write user:ID"
    ),
    (
      "add L --conversation group: --message m1 --user u1 👍",
      "--conversation: an id must have at least 1"
    ),
    (
      "add L --conversation group:g1 --message '' --user u1 👍",
      "--message: an id must have at least 1"
    ),
    ("add L \(message) --user '' 👍", "--user: an id must have at least 1 byte"),
    ("add L \(message) --user \(id256) 👍", "--user: an id has at most 255 bytes, this one has 256"),
    ("add L \(message) --user u1 --actor '' 👍", "--actor: an id must have"),
    ("add L \(message) --user u1 --parent \(id256) 👍", "--parent: an id has at most 255 bytes"),
    (
      "add L --conversation group:\(id256) --message m1 --user u1 👍",
      "--conversation: an id has at most"
    ),
    (
      "add L --conversation group:g1 --message \(id256) --user u1 👍",
      "--message: an id has at most 255"
    ),
    (
      "add L --conversation group:\(id255) --message \(id255.dropLast(29)) --user u1 👍",
      "at most 480 bytes together, these have 481"
    ),
    ("add L \(message) --user u1 👍 --at yesterday", "--at: \"yesterday\" is no time in ISO 8601"),
    ("add L \(message) --user u1 👍 --at 2026-02-30T00:00:00Z", "is no time in ISO 8601"),
    ("add L \(message) --user u1 👍 --at 2026-02-03T00:00:00", "is no time in ISO 8601"),
    ("add L \(message) --user u1 👍 --command-id 42", "--command-id: \"42\" is no UUID"),
    (
      "add L \(message) --user u1 👍 --cause fun",
      "--cause must be one of user, replaced, moderation"
    ),
    ("remove L \(message) --user '' 👍", "--user: an id must have at least 1 byte"),
    ("remove L \(message) 👍", "--user is missing"),
    ("show L --conversation group:g1", "--message is missing"),
    ("show L \(message) --message ''", "--message: an id must have at least 1 byte"),
    ("show L \(message) --viewer \(id256)", "--viewer: an id has at most 255 bytes"),
    ("show L \(message) --as-of-when 3", "there is no option --as-of-when"),
    ("reactors L \(message)", "--reaction is missing"),
    ("reactors L \(message) --reaction ''", "--reaction: a reaction must have at least 1 byte"),
    (
      "reactors L \(message) --reaction 👍 --limit 0", "--limit must be a whole number from 1 to 100"
    ),
    ("reactors L \(message) --reaction 👍 --limit 101", "from 1 to 100, not \"101\""),
    ("reactors L \(message) --reaction 👍 --cursor ''", "--cursor: the cursor is not valid here"),
    ("reactors L \(message) --reaction 👍 --cursor abc", "--cursor: the cursor is not valid here"),
    (
      "reactors L \(message) --reaction 👍 --cursor AAAAAAAAAAAAAAAAAAAAAA",
      "--cursor: the cursor is not valid here"
    ),
    ("events L --after -1", "--after must be a whole number from 0 to 18446744073709551615"),
    ("events L --after 18446744073709551616", "--after must be a whole number"),
    ("replay L --level all", "--level must be log, legality, projections, tree, not \"all\""),
    ("import L --format slack", "PATH is missing"),
    ("import L x.json", "--format is missing: add --format FORMAT"),
    ("import L --format fax x.json", "--format must be slack, not \"fax\""),
    ("generate", "--events is missing"),
    ("generate --events -1", "--events must be a whole number from 0 to"),
    ("generate --events 1 --seed x", "--seed must be a whole number"),
    ("generate --events 1 --message-ids odd", "--message-ids must be time, random, not \"odd\""),
    ("generate --events 1 --tsv --json", "--tsv prints commands"),
    ("generate L --events 1 --tsv", "--tsv prints commands"),
  ]

  @Test(arguments: table) func usage(line: String, says: String) throws {
    let folder = try WorkFolder()
    let run = try folder.run(line)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("reaction-ledger: ") && run.errors.hasSuffix("--help)\n"))
    #expect(run.errors.contains(says), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(!folder.has("L") && !folder.has("N"))
  }

  @Test("Ids at their limits are fine") func limits() throws {
    let folder = try WorkFolder()
    let conversation = "--conversation group:\(Self.id255)"
    let message = "--message \(Self.id255.dropLast(30))"
    try folder.succeed("add L \(conversation) \(message) --user \(Self.id255) 👍")
    let shown = try folder.succeed(
      "show L \(conversation) \(message) --viewer \(Self.id255) --json")
    #expect(shown.output.contains("\"reactedByMe\":true"))
  }

  @Test(
    "What is not UTF-8 is not recorded under another name",
    arguments: [
      #""$T" add L --conversation group:g --message m --user "$(printf 'u\377')" x"#,
      #""$T" add L --conversation group:g --message "$(printf '\303')" --user u x"#,
      #""$T" add L --conversation "group:$(printf '\355\240\200')" --message m --user u x"#,
      #""$T" add L --conversation group:g --message m --user u "$(printf '\360\237\221')""#,
      #""$T" create "$(printf 'L\200')""#,
      #""$T" "$(printf '\377')""#,
    ])
  func invalidUTF8(script: String) throws {
    let folder = try WorkFolder()
    let run = try Tool.shell(script, in: folder.path)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("is not valid UTF-8 at byte "), "\(run.errors)")
    #expect(try folder.contents().isEmpty)
  }
}
