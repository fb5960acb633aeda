import Testing

/// What the commands print that make and change a ledger, in text and in JSON.
struct GoldenChangeTests {
  @Test func create() throws {
    try Transcript.expect(
      """
      $ create L
      created ledger UUID at L
      policy: several reactions per user, at most 20 distinct, emoji and custom reactions
      $ create L
      ! reaction-ledger: there is a ledger at L already: nothing was created
      => 1
      $ create M --json --selection single --max-distinct=3 --max-per-user 2 --reactions any
      {"ledger":"UUID","policy":{"selection":"single","maxDistinct":3,"maxPerUser":2,\
      "reactions":"any"},"format":N}
      $ create N --reactions emoji --max-per-user 1
      created ledger UUID at N
      policy: several reactions per user (at most 1), at most 20 distinct, emoji
      """, in: WorkFolder())
  }

  @Test func changesInText() throws {
    try Transcript.expect(
      """
      $ add L --conversation group:g1 --message m1 --user u1 👍
      recorded as sequence 2 at TIME (durable)
      group:g1/m1, last event 2:
        👍 1: u1 (the viewer among them)
      $ add L --conversation group:g1 --message m1 --user u1 👍
      unchanged (alreadyReacted): the user has this reaction on the message already
      group:g1/m1, last event 2:
        👍 1: u1 (the viewer among them)
      => 1
      $ add L --conversation group:g1 --message m1 --user u2 ❤
      recorded as sequence 3 at TIME (durable)
      group:g1/m1, last event 3:
        👍 1: u1
        ❤️ 1: u2 (the viewer among them)
      $ remove L --conversation group:g1 --message m1 --user u1 👍
      recorded as sequence 4 at TIME (durable)
      group:g1/m1, last event 4:
        ❤️ 1: u2
      $ remove L --conversation group:g1 --message m1 --user u1 👍
      unchanged (notReacted): the user does not have this reaction on the message
      group:g1/m1, last event 4:
        ❤️ 1: u2
      => 1
      $ remove L --conversation group:g1 --message m1 --user u2 ❤️
      recorded as sequence 5 at TIME (durable)
      group:g1/m1: no reactions
      $ add L --conversation group:g1 --message m1 --user u1 hello
      refused (invalidReaction): the policy does not allow this text reaction
      group:g1/m1: no reactions
      => 1
      """, in: WorkFolder())
  }

  @Test func changesInJSON() throws {
    try Transcript.expect(
      """
      $ add L --conversation user:a --message m1 --user u1 👍 --json
      {"outcome":"recorded","sequences":[2,2],"recordedAt":"TIME","durability":"durable",\
      "summary":{"conversation":"user:a","message":"m1","reactions":[{"reaction":"👍","count":1,\
      "reactedByMe":true,"firstUsers":["u1"]}],"sequence":2}}
      $ add L --conversation user:a --message m1 --user u1 👍 --json
      {"outcome":"unchanged","reason":"alreadyReacted","code":"ERR_ALREADY_REACTED",\
      "summary":{"conversation":"user:a","message":"m1","reactions":[{"reaction":"👍","count":1,\
      "reactedByMe":true,"firstUsers":["u1"]}],"sequence":2}}
      => 1
      $ remove L --conversation user:a --message m1 --user u2 👍 --json
      {"outcome":"unchanged","reason":"notReacted","code":"ERR_REACTION_NOT_FOUND",\
      "summary":{"conversation":"user:a","message":"m1","reactions":[{"reaction":"👍","count":1,\
      "reactedByMe":false,"firstUsers":["u1"]}],"sequence":2}}
      => 1
      $ remove L --conversation user:a --message m1 --user u1 👍 --json
      {"outcome":"recorded","sequences":[3,3],"recordedAt":"TIME","durability":"durable",\
      "summary":{"conversation":"user:a","message":"m1","reactions":[],"sequence":3}}
      $ add L --conversation room:r1 --message m1 --user u1 👍 --json
      {"outcome":"refused","reason":"conversationNotSupported","summary":{"conversation":"room:r1",\
      "message":"m1","reactions":[],"sequence":0}}
      => 1
      $ add L --conversation user:a --message m1 --user u1 ::: --json
      {"outcome":"refused","reason":"invalidReaction","code":"ERR_INVALID_REACTION",\
      "summary":{"conversation":"user:a","message":"m1","reactions":[],"sequence":3}}
      => 1
      """, in: WorkFolder())
  }

  @Test("A command id makes a command safe to give again") func repeated() throws {
    let id = "--command-id 01234567-89AB-7def-8123-456789abcdef"
    let message = "--conversation group:g1 --message m1"
    try Transcript.expect(
      """
      $ add L \(message) --user u1 👍 \(id) --json
      {"outcome":"recorded","sequences":[2,2],"recordedAt":"TIME","durability":"durable",\
      "summary":{"conversation":"group:g1","message":"m1","reactions":[{"reaction":"👍","count":1,\
      "reactedByMe":true,"firstUsers":["u1"]}],"sequence":2}}
      $ remove L \(message) --user u1 👍
      recorded as sequence 3 at TIME (durable)
      group:g1/m1: no reactions
      $ add L \(message) --user u1 👍 \(id)
      recorded before, as sequence 2 at TIME (durable)
      group:g1/m1: no reactions
      $ add L \(message) --user u1 👍 \(id) --json
      {"outcome":"repeated","sequences":[2,2],"recordedAt":"TIME","durability":"durable",\
      "summary":{"conversation":"group:g1","message":"m1","reactions":[],"sequence":3}}
      $ add L \(message) --user u2 👍 \(id) --json
      {"outcome":"refused","reason":"commandIDReused","summary":{"conversation":"group:g1",\
      "message":"m1","reactions":[],"sequence":3}}
      => 1
      """, in: WorkFolder())
  }

  @Test("Limits and single selection") func policies() throws {
    let message = "--conversation group:g1 --message m1"
    try Transcript.expect(
      """
      $ create S --selection single
      created ledger UUID at S
      policy: one reaction per user, at most 20 distinct, emoji and custom reactions
      $ add S \(message) --user u1 👍
      recorded as sequence 2 at TIME (durable)
      group:g1/m1, last event 2:
        👍 1: u1 (the viewer among them)
      $ add S \(message) --user u1 🎉
      recorded as sequences 3 to 4 at TIME (durable)
      group:g1/m1, last event 4:
        🎉 1: u1 (the viewer among them)
      $ create D --max-distinct 1 --json
      {"ledger":"UUID","policy":{"selection":"multiple","maxDistinct":1,"maxPerUser":null,\
      "reactions":"custom"},"format":N}
      $ add D \(message) --user u1 👍 --json
      {"outcome":"recorded","sequences":[2,2],"recordedAt":"TIME","durability":"durable",\
      "summary":{"conversation":"group:g1","message":"m1","reactions":[{"reaction":"👍","count":1,\
      "reactedByMe":true,"firstUsers":["u1"]}],"sequence":2}}
      $ add D \(message) --user u2 🎉
      refused (limitReached): the message has as many distinct reactions as the policy allows
      group:g1/m1, last event 2:
        👍 1: u1
      => 1
      """, in: WorkFolder())
  }
}
