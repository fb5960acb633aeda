import Testing

/// What the commands print that read and check a ledger, in text and in JSON.
struct GoldenReadTests {
  /// A ledger `L` with six records.
  private func makeLedger() throws -> WorkFolder {
    let folder = try WorkFolder()
    let message = "--conversation group:g1 --message m1"
    try folder.succeed("add L \(message) --user u1 👍 --at 2020-01-02T03:04:05+01:00 --parent p1")
    try folder.succeed(
      "add L \(message) --user u2 👍 --actor mod --cause moderation "
        + "--command-id 01234567-89ab-7def-8123-456789abcdef")
    try folder.succeed("add L \(message) --user u3 👍")
    try folder.succeed("add L \(message) --user u4 👍")
    try folder.succeed("add L \(message) --user u4 ❤")
    try folder.succeed("remove L \(message) --user u2 👍")
    return folder
  }

  @Test func show() throws {
    try Transcript.expect(
      """
      $ show L --conversation group:g1 --message m1 --message 'no such' --viewer u3
      group:g1/m1, last event 7:
        👍 3: u1, u3, u4 (the viewer among them)
        ❤️ 1: u4
      group:g1/no such: no reactions
      $ show L --conversation group:g1 --message m1 --message 'no such' --viewer u3 --json
      {"conversation":"group:g1","message":"m1","reactions":[{"reaction":"👍","count":3,\
      "reactedByMe":true,"firstUsers":["u1","u3","u4"]},{"reaction":"❤️","count":1,\
      "reactedByMe":false,"firstUsers":["u4"]}],"sequence":7}
      {"conversation":"group:g1","message":"no such","reactions":[],"sequence":0}
      $ show L --conversation room:r1 --message m1 --json
      {"conversation":"room:r1","message":"m1","reactions":[],"sequence":0}
      """, in: makeLedger())
  }

  @Test func reactors() throws {
    let folder = try makeLedger()
    let message = "--conversation group:g1 --message m1"
    try Transcript.expect(
      """
      $ reactors L \(message) --reaction 👍
      👍 on group:g1/m1: 3 users
        u1
        u3
        u4
      $ reactors L \(message) --reaction ❤ --json
      {"reaction":"❤️","count":1,"users":["u4"],"cursor":null}
      $ reactors L \(message) --reaction 🎉 --json
      {"reaction":"🎉","count":0,"users":[],"cursor":null}
      """, in: folder)
    let first = try folder.succeed("reactors L \(message) --reaction 👍 --limit 2")
    #expect(first.lines.dropLast() == ["👍 on group:g1/m1: 3 users", "  u1", "  u3"])
    let prefix = "next page: "
    let cursor = try #require(first.lines.last?.dropFirst(prefix.count))
    try Transcript.expect(
      """
      $ reactors L \(message) --reaction 👍 --limit 2 \(cursor) --json
      {"reaction":"👍","count":3,"users":["u4"],"cursor":null}
      """, in: folder)
    let other = try folder.run("reactors L \(message) --reaction ❤️ \(cursor)")
    #expect(other.status == 2 && other.output.isEmpty)
    #expect(other.errors.hasPrefix("reaction-ledger: --cursor: the cursor is not valid here: "))
  }

  @Test func history() throws {
    try Transcript.expect(
      """
      $ history L --conversation group:g1 --message m1
      2 TIME added 👍 by u1 on group:g1/m1 in thread p1 reacted at 2020-01-02T02:04:05.000000Z
      3 TIME added 👍 by u2 on group:g1/m1 asked for by mod cause moderation command \
      01234567-89ab-7def-8123-456789abcdef
      4 TIME added 👍 by u3 on group:g1/m1
      5 TIME added 👍 by u4 on group:g1/m1
      6 TIME added ❤️ by u4 on group:g1/m1
      7 TIME removed 👍 by u2 on group:g1/m1 ending 3
      $ history L --conversation group:g1 --message m1 --json
      {"sequence":2,"kind":"added","recordedAt":"TIME","reactedAt":"2020-01-02T02:04:05.000000Z",\
      "conversation":"group:g1","message":"m1","parent":"p1","user":"u1","userNumber":1,\
      "reaction":"👍","cause":"user"}
      {"sequence":3,"kind":"added","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u2","userNumber":2,"actor":"mod","reaction":"👍","cause":"moderation",\
      "commandId":"01234567-89ab-7def-8123-456789abcdef"}
      {"sequence":4,"kind":"added","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u3","userNumber":4,"reaction":"👍","cause":"user"}
      {"sequence":5,"kind":"added","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u4","userNumber":5,"reaction":"👍","cause":"user"}
      {"sequence":6,"kind":"added","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u4","userNumber":5,"reaction":"❤️","cause":"user"}
      {"sequence":7,"kind":"removed","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u2","userNumber":2,"reaction":"👍","cause":"user","ends":3}
      $ history L --conversation group:g2 --message m1
      group:g2/m1: no events
      $ history L --conversation group:g2 --message m1 --json
      """, in: makeLedger())
  }

  @Test func events() throws {
    try Transcript.expect(
      """
      $ create E --reactions emoji
      created ledger UUID at E
      policy: several reactions per user, at most 20 distinct, emoji
      $ events E
      1 TIME created ledger UUID, several reactions per user, at most 20 distinct, emoji
      $ events E --json
      {"sequence":1,"kind":"created","recordedAt":"TIME","ledger":"UUID",\
      "policy":{"selection":"multiple","maxDistinct":20,"maxPerUser":null,"reactions":"emoji"},\
      "format":N,"cause":"user"}
      $ events L --after 5
      6 TIME added ❤️ by u4 on group:g1/m1
      7 TIME removed 👍 by u2 on group:g1/m1 ending 3
      $ events L --after 6 --json
      {"sequence":7,"kind":"removed","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":"u2","userNumber":2,"reaction":"👍","cause":"user","ends":3}
      $ events L --after 7
      $ events L --after 18446744073709551615 --json
      """, in: makeLedger())
  }

  @Test func replayAndRebuild() throws {
    try Transcript.expect(
      """
      $ replay L
      everything agrees, level tree: 6 events on 1 message by 5 users, up to sequence 7, root ROOT
      $ replay L --json
      {"ok":true,"events":6,"messages":1,"findings":[],"findingCount":0,"head":7,"users":5,\
      "level":"tree","root":"ROOT","passes":1,"jobs":1,"tableBytes":N}
      $ replay L --level log --json
      {"ok":true,"events":6,"messages":1,"findings":[],"findingCount":0,"head":7,"users":5,\
      "level":"log","root":null,"passes":1,"jobs":1,"tableBytes":N}
      $ replay L --jobs 2 --memory 8M --json
      {"ok":true,"events":6,"messages":1,"findings":[],"findingCount":0,"head":7,"users":5,\
      "level":"tree","root":"ROOT","passes":1,"jobs":2,"tableBytes":N}
      $ replay L --memory 1K
      ! reaction-ledger: --memory: the memory limit of 1024 bytes is too small: at least 8392 are needed \
      (see reaction-ledger replay --help)
      => 2
      $ replay L --memory 1X
      ! reaction-ledger: --memory must be a size like 512M or 2G, not "1X" \
      (see reaction-ledger replay --help)
      => 2
      $ replay L --jobs 65
      ! reaction-ledger: --jobs must be a whole number from 1 to 64, not "65" \
      (see reaction-ledger replay --help)
      => 2
      $ replay L --level legality
      everything agrees, level legality: 6 events on 1 message by 5 users, up to sequence 7
      $ rebuild L
      rebuilt up to sequence 7: 1 message, 0 reactors beside the rows, 1 command id
      $ rebuild L --json
      {"rebuilt":true,"head":7,"messages":1,"reactors":0,"commands":1}
      $ replay L
      everything agrees, level tree: 6 events on 1 message by 5 users, up to sequence 7, root ROOT
      """, in: makeLedger())
  }

  @Test func stat() throws {
    try Transcript.expect(
      """
      $ stat L
      head:           7
      events:         6
      messages:       1
      users:          5
      file:           N bytes
      map:            N bytes
      free pages:     N
      oldest reader:  none
      policy:         several reactions per user, at most 20 distinct, emoji and custom reactions
      format:         N
      LMDB:           N
      index by user:  none
      $ stat L --json
      {"head":7,"events":6,"messages":1,"users":5,"fileBytes":N,"mapBytes":N,"freePages":N,\
      "oldestReader":null,"policy":{"selection":"multiple","maxDistinct":20,"maxPerUser":null,\
      "reactions":"custom"},"format":N,"lmdb":"N","byUser":false,"warnings":[]}
      $ stat L --full --json
      {"head":7,"events":6,"messages":1,"liveReactions":4,"users":5,"fileBytes":N,"mapBytes":N,\
      "freePages":N,"oldestReader":null,"policy":{"selection":"multiple","maxDistinct":20,\
      "maxPerUser":null,"reactions":"custom"},"format":N,"lmdb":"N","byUser":false,"warnings":[]}
      """, in: makeLedger())
  }

  @Test("Ids cannot steer the terminal, and JSON keeps them") func steering() throws {
    let folder = try WorkFolder()
    try Transcript.expect(
      """
      $ add L --conversation group:g --message 'a\u{1b}[2J' --user 'u\u{202e}\u{85}' 👨‍👩‍👧 --json
      {"outcome":"recorded","sequences":[2,2],"recordedAt":"TIME","durability":"durable",\
      "summary":{"conversation":"group:g","message":"a\\u001b[2J","reactions":[{"reaction":"👨‍👩‍👧",\
      "count":1,"reactedByMe":true,"firstUsers":["u\u{202e}\u{85}"]}],"sequence":2}}
      $ show L --conversation group:g --message 'a\u{1b}[2J'
      group:g/a\\u{1B}[2J, last event 2:
        👨‍👩‍👧 1: u\\u{202E}\\u{85}
      """, in: folder)
  }
}
