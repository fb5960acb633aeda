import LedgerEngine
import LedgerTestSupport
import ReactionClient
import ReactionModel
import Testing

/// A page as a text: `alice 👍, bob ❤️`.
private func text(_ page: [UserReaction]) -> String {
  page.map { "\($0.user.id) \($0.reaction)" }.joined(separator: ", ")
}

@Suite("ReactionsRequest fetchNext", .timeLimit(.minutes(15)))
struct FetchNextTests {
  @Test("It begins with the oldest, and ends in empty pages until there is more")
  func ascends() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    let request = try client.reactionsRequestBuilder(messageID: 38230).setLimit(2).build()
    #expect(request.limit == 2 && request.messageID == MessageID(38230))
    #expect(try await request.fetchNext() == [])
    try await chat.react("👍", by: ["bob", "alice"])
    try await chat.react("❤️", by: ["carol"])
    #expect(text(try await request.fetchNext()) == "bob 👍, alice 👍")
    #expect(text(try await request.fetchNext()) == "carol ❤️")
    #expect(try await request.fetchNext() == [])
    #expect(try await request.fetchPrevious() == [])
    try await chat.react("👍", by: ["dave", "erin"])
    try await chat.react("❤️", by: ["dave"])
    #expect(text(try await request.fetchNext()) == "dave 👍, erin 👍")
    #expect(text(try await request.fetchNext()) == "dave ❤️")
    #expect(try await request.fetchNext() == [])
  }

  @Test("An item has reaction, message, user with name, and time")
  func items() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["bob", "carol"])
    let request = try chat.client("alice").reactionsRequestBuilder(messageID: 38230).build()
    let page = try await request.fetchNext()
    #expect(page.map(\.user.displayName) == ["Bob", nil])
    #expect(page.allSatisfy { $0.messageID == MessageID(38230) && $0.reaction.text == "👍" })
    #expect(page.allSatisfy { $0.time > Timestamp(microseconds: 1_700_000_000_000_000) })
    #expect(page.map(\.sequence) == [2, 3])
  }

  @Test("Of one reaction, in any form")
  func filtered() async throws {
    let chat = try TestChat()
    try await chat.react("❤️", by: ["bob"])
    try await chat.react("👍", by: ["bob"])
    try await chat.react("❤️", by: ["carol"])
    let request = try chat.client("alice").reactionsRequestBuilder(messageID: 38230)
      .setReaction("❤").build()
    #expect(text(try await request.fetchNext()) == "bob ❤️, carol ❤️")
  }

  @Test("Limits 0, 1, 100 and 101; 30 unless set")
  func limits() async throws {
    let chat = try TestChat()
    for index in 0..<102 {
      let user = try UserID("u\(index)")
      chat.directory.change { _ = $0.members[TestDirectory.group]?.insert(user) }
      try await chat.react("👍", by: [user])
    }
    let builder = try chat.client("alice").reactionsRequestBuilder(messageID: 38230)
    #expect(try await builder.build().fetchNext().count == 30)
    #expect(try await builder.setLimit(1).build().fetchNext().count == 1)
    let request = try builder.setLimit(100).build()
    #expect(try await request.fetchNext().count == 100)
    #expect(try await request.fetchNext().count == 2)
    let many = await failure { try builder.setLimit(101).build() }
    #expect(many == "ERROR_LIMIT_EXCEEDED - Limit Exceeded Max limit of 100")
    let none = await failure { try builder.setLimit(0).build() }
    #expect(none == "ERROR_NON_POSITIVE_LIMIT - The limit must be 1 to 100, not 0")
    let invalid = await failure { try builder.setReaction("").build() }
    #expect(invalid.hasPrefix("ERR_INVALID_REACTION"))
  }

  @Test("A page that could not be named comes again")
  func failing() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["bob", "carol"])
    let request = try chat.client("alice").reactionsRequestBuilder(messageID: 38230)
      .setLimit(1).build()
    #expect(text(try await request.fetchNext()) == "bob 👍")
    chat.directory.change { $0.namesFailure = DirectoryFailure("no names") }
    let told = await failure { try await request.fetchNext() }
    #expect(told == "ERR_DIRECTORY - The directory failed: no names")
    chat.directory.change { $0.namesFailure = nil }
    #expect(text(try await request.fetchNext()) == "carol 👍")
  }
}

@Suite("ReactionsRequest fetchPrevious", .timeLimit(.minutes(15)))
struct FetchPreviousTests {
  @Test("It begins with the newest; every page ascends; each way goes on from its edge")
  func descends() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["alice", "bob", "carol", "dave", "erin"])
    let request = try chat.client("alice").reactionsRequestBuilder(messageID: 38230)
      .setLimit(2).build()
    #expect(text(try await request.fetchPrevious()) == "dave 👍, erin 👍")
    #expect(try await request.fetchNext() == [])
    #expect(text(try await request.fetchPrevious()) == "bob 👍, carol 👍")
    try await chat.react("❤️", by: ["alice", "bob", "carol"])
    #expect(text(try await request.fetchNext()) == "alice ❤️, bob ❤️")
    #expect(text(try await request.fetchPrevious()) == "alice 👍")
    #expect(try await request.fetchPrevious() == [])
    #expect(text(try await request.fetchNext()) == "carol ❤️")
    #expect(try await request.fetchNext() == [])
  }

  @Test("A page that is the whole list, or has one reaction, has both edges", arguments: [1, 2, 3])
  func whole(limit: Int) async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["alice"])
    let builder = try chat.client("alice").reactionsRequestBuilder(messageID: 38230)
    let request = try builder.setLimit(limit).build()
    #expect(text(try await request.fetchPrevious()) == "alice 👍")
    #expect(try await request.fetchPrevious() == [])
    try await chat.react("👍", by: ["bob"])
    #expect(text(try await request.fetchNext()) == "bob 👍")
    #expect(try await request.fetchPrevious() == [])
  }

  @Test(
    "Whatever others add and remove between pages, nobody there throughout is skipped or repeated",
    arguments: [true, false], [1, 2, 3, 4, 5, 6] as [UInt64])
  func changing(isNext: Bool, seed: UInt64) async throws {
    let chat = try TestChat()
    var random = SeededGenerator(seed: seed)
    let users = try (0..<24).map { try UserID("u\($0)") }
    chat.directory.change { $0.members[TestDirectory.group]?.formUnion(users) }
    let reactions = ["👍", "❤️", "😂"]
    try await change(chat, users, reactions, &random, count: 60)
    // Those of the first eight users stay: they must be given, once each, in order.
    let viewer = try chat.client("alice")
    let limit = Int.random(in: 1...7, using: &random)
    let everything = try viewer.reactionsRequestBuilder(messageID: 38230).setLimit(100).build()
    let staying = try await everything.fetchNext().filter { users.prefix(8).contains($0.user.id) }
    let request = try viewer.reactionsRequestBuilder(messageID: 38230).setLimit(limit).build()
    var given: [UserReaction] = []
    while true {
      let page = isNext ? try await request.fetchNext() : try await request.fetchPrevious()
      #expect(page.map(\.sequence) == page.map(\.sequence).sorted())
      #expect(page.count <= limit)
      if page.isEmpty { break }
      given = isNext ? given + page : page + given
      try await change(chat, Array(users.dropFirst(8)), reactions, &random, count: 2)
      if given.count > 300 { break }
    }
    let sequences = given.map(\.sequence)
    #expect(sequences == sequences.sorted())
    #expect(Set(sequences).count == sequences.count)
    #expect(given.filter { users.prefix(8).contains($0.user.id) } == staying)
    // Going back, what came since is still to be had the other way.
    let newest = try await everything.fetchNext().map(\.sequence)
    if !isNext {
      var later: [UInt64] = []
      while true {
        let page = try await request.fetchNext()
        if page.isEmpty { break }
        later += page.map(\.sequence)
      }
      #expect(later == later.sorted())
      #expect(Set(newest).subtracting(sequences).isSubset(of: later))
    }
  }

  /// Adds or removes random reactions of random users, whichever is possible.
  private func change(
    _ chat: TestChat, _ users: [UserID], _ reactions: [String], _ random: inout SeededGenerator,
    count: Int
  ) async throws {
    for _ in 0..<count {
      let user = users[Int.random(in: 0..<users.count, using: &random)]
      let reaction = reactions[Int.random(in: 0..<reactions.count, using: &random)]
      let client = try chat.client(user)
      do throws(ReactionClientError) {
        _ = try await client.addReaction(reaction, to: 38230)
      } catch {
        _ = try await client.removeReaction(reaction, from: 38230)
      }
    }
  }
}
