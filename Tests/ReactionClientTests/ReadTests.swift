import LedgerEngine
import LedgerTestSupport
import ReactionClient
import ReactionModel
import Testing

@Suite("getReactionList", .timeLimit(.minutes(15)))
struct ReactionListTests {
  @Test("Several messages at once: overviews, an empty list, and nothing for an unknown one")
  func several() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["dave", "bob", "alice", "carol"])
    try await chat.react("❤️", by: ["bob"])
    try await chat.react("😂", on: 38231, by: ["alice"])
    let list = try await chat.client("alice").getReactionList(
      [38230, 38231, 38232, 1], chatType: .group, groupID: "g1")
    #expect(list.count == 3)
    let first = list[MessageID(38230)] ?? []
    #expect(table(first) == "👍 4 true, ❤️ 1 false")
    #expect(previews(first) == "👍 4 dave,bob,alice, ❤️ 1 bob")
    #expect(table(list[MessageID(38231)] ?? []) == "😂 1 true")
    #expect(list[MessageID(38232)] == [])
    #expect(list[MessageID(1)] == nil)
  }

  @Test("Three earliest users, refilled after a removal (case 25)")
  func earliest() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["alice", "bob", "carol", "dave", "erin"])
    _ = try await chat.client("bob").removeReaction("👍", from: 38230)
    let client = try chat.client("bob")
    var list = try await client.getReactionList(["38230"], chatType: .group)
    #expect(previews(list[MessageID(38230)] ?? []) == "👍 4 alice,carol,dave")
    _ = try await client.addReaction("👍", to: 38230)
    list = try await client.getReactionList(["38230"], chatType: .group)
    #expect(previews(list[MessageID(38230)] ?? []) == "👍 5 alice,carol,dave")
  }

  @Test("A message of another sort of conversation, or another group, is left out")
  func otherConversations() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["alice"])
    let client = try chat.client("alice")
    _ = try await client.addReaction("😂", to: "direct")
    let ids = ["38230", "direct"]
    var list = try await client.getReactionList(ids, chatType: .user)
    #expect(list.mapValues(table) == ["direct": "😂 1 true"])
    list = try await client.getReactionList(ids, chatType: .group)
    #expect(list.mapValues(table) == ["38230": "👍 1 true"])
    #expect(try await client.getReactionList(ids, chatType: .group, groupID: "g2") == [:])
    #expect(try await client.getReactionList(ids, chatType: .room) == [:])
    #expect(try await client.getReactionList([MessageID](), chatType: .group) == [:])
  }

  @Test("A deleted message shows nothing (case 39)")
  func deleted() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["alice"])
    chat.directory.change { $0.messages["38230"]?.isDeleted = true }
    let client = try chat.client("alice")
    #expect(try await client.getReactionList([38230], chatType: .group) == ["38230": []])
    #expect(try await client.message(38230)?.reactions == [])
    #expect(try await client.message(1) == nil)
    #expect(try await client.getReactionDetail(38230, reaction: "👍").users == [])
    let request = try client.reactionsRequestBuilder(messageID: 38230).build()
    #expect(try await request.fetchNext() == [])
    let told = await failure { try await client.removeReaction("👍", from: 38230) }
    #expect(told == "ERR_MESSAGE_NOT_FOUND - Message does not exist")
  }
}

@Suite("getReactionDetail", .timeLimit(.minutes(15)))
struct ReactionDetailTests {
  @Test("Users in order of adding, page by page, with the total (case 27)")
  func pages() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["carol", "alice", "bob"])
    let client = try chat.client("erin")
    let first = try await client.getReactionDetail(38230, reaction: "👍", cursor: "", pageSize: 2)
    #expect(first.users == ["carol", "alice"])
    #expect(first.count == 3)
    #expect(first.reaction.text == "👍")
    let cursor = try #require(first.cursor)
    let second = try await client.getReactionDetail(
      38230, reaction: "👍", cursor: cursor, pageSize: 2)
    #expect(second.users == ["bob"])
    #expect(second.count == 3)
    #expect(second.cursor == nil)
    // A position, not an offset: whoever goes makes no one be skipped.
    _ = try await chat.client("carol").removeReaction("👍", from: 38230)
    let again = try await client.getReactionDetail(38230, reaction: "👍", cursor: cursor)
    #expect(again.users == ["bob"])
    #expect(again.count == 2)
  }

  @Test("Page sizes 0, 1, 100 and 101")
  func sizes() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["carol", "alice", "bob"])
    let client = try chat.client("alice")
    #expect(
      try await client.getReactionDetail(38230, reaction: "👍", pageSize: 1).users == ["carol"])
    let all = try await client.getReactionDetail(38230, reaction: "👍", cursor: nil, pageSize: 100)
    #expect(all.users == ["carol", "alice", "bob"])
    #expect(all.cursor == nil)
    let none = await failure {
      try await client.getReactionDetail(38230, reaction: "👍", pageSize: 0)
    }
    #expect(none == "ERROR_NON_POSITIVE_LIMIT - The limit must be 1 to 100, not 0")
    let many = await failure {
      try await client.getReactionDetail(38230, reaction: "👍", pageSize: 101)
    }
    #expect(many == "ERROR_LIMIT_EXCEEDED - Limit Exceeded Max limit of 100")
  }

  @Test("One-to-one conversations, and what nobody has")
  func others() async throws {
    let chat = try TestChat()
    _ = try await chat.client("alice").addReaction("👍", to: "direct")
    let client = try chat.client("bob")
    _ = try await client.addReaction("👍", to: "direct")
    let detail = try await client.getReactionDetail("direct", reaction: "👍")
    #expect(detail.users == ["alice", "bob"])
    let none = try await client.getReactionDetail("direct", reaction: "😂")
    #expect(none.users == [] && none.count == 0 && none.cursor == nil)
    #expect(try await client.getReactionDetail(1, reaction: "😂").count == 0)
  }

  @Test("A cursor that is none, or of another list, is an error (case 28)")
  func cursors() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["carol", "alice"])
    let client = try chat.client("alice")
    let page = try await client.getReactionDetail(38230, reaction: "👍", pageSize: 1)
    let cursor = try #require(page.cursor)
    let none = await failure {
      try await client.getReactionDetail(38230, reaction: "👍", cursor: "nonsense")
    }
    #expect(none.hasPrefix("ERR_INVALID_CURSOR - Invalid cursor: "))
    let other = await failure {
      try await client.getReactionDetail(38230, reaction: "😂", cursor: cursor)
    }
    #expect(other.hasPrefix("ERR_INVALID_CURSOR - Invalid cursor: "))
    let invalid = await failure { try await client.getReactionDetail(38230, reaction: "") }
    #expect(invalid.hasPrefix("ERR_INVALID_REACTION - "))
  }
}
