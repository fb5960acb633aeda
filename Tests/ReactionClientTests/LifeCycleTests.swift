import LedgerEngine
import ReactionClient
import ReactionModel
import Testing

@Suite("What hosts do to messages and users", .timeLimit(.minutes(15)))
struct LifeCycleTests {
  @Test("A deleted message's reactions are cleared: one change, one event for each (cases 39, 40)")
  func deleted() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    _ = try await client.addReaction("👍", to: 38230)
    try await chat.react("👍", by: ["bob"])
    try await chat.react("❤️", by: ["bob"])
    var message = try #require(try await client.message(38230))
    let recorder = Recorder()
    client.addReactionListener(id: "a", recorder)
    _ = await recorder.changes(2)
    chat.directory.change { $0.messages["38230"]?.isDeleted = true }
    _ = try await chat.ledger.append(
      .clear(try MessageKey(.group("g1"), "38230"), cause: .messageDeleted))
    let change = try #require(await recorder.changes(1).first)
    #expect(
      change.operations.map { "\($0.action) \($0.reaction) \($0.user?.text ?? "-")" } == [
        "removed 👍 alice", "removed 👍 bob", "removed ❤️ bob",
      ])
    #expect(change.reactions == [])
    for (operation, event) in zip(change.operations, change.events) {
      let update = LedgerClient.updateMessageWithReactionInfo(message, event, operation.action)
      guard case .applied(let updated) = update else {
        Issue.record("\(update)")
        return
      }
      message = updated
    }
    #expect(message.reactions == [])
    #expect(message == change.message)
    let told = await failure { try await client.removeReaction("👍", from: 38230) }
    #expect(told == "ERR_MESSAGE_NOT_FOUND - Message does not exist")
  }

  @Test("An erased user is counted no more, and is nobody in what is told (cases 4 and 41)")
  func erased() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["carol", "alice", "bob", "dave"])
    let client = try chat.client("alice")
    var message = try #require(try await client.message(38230))
    let start = client.position
    _ = try await chat.ledger.append(.erase("carol"))
    let recorder = Recorder()
    let later = try chat.client("alice", after: start)
    later.addReactionListener(id: "a", recorder)
    let change = try #require(await recorder.changes(1).first)
    #expect(change.operations == [.init(user: nil, reaction: try Reaction("👍"), action: .removed)])
    #expect(change.events.first?.user == nil)
    #expect(previews(change.reactions) == "👍 3 alice,bob,dave")
    let event = try #require(change.events.first)
    let update = LedgerClient.updateMessageWithReactionInfo(message, event, .removed)
    guard case .applied(let updated) = update else {
      Issue.record("\(update)")
      return
    }
    message = updated
    #expect(table(message.reactions) == "👍 3 true")
    #expect(message.reactions.first?.isPreviewStale == true)
  }
}
