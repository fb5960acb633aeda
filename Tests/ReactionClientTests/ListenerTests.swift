import LedgerEngine
import ReactionClient
import ReactionModel
import Testing

@Suite("onMessageReactionAdded, onMessageReactionRemoved", .timeLimit(.minutes(15)))
struct ReactionEventTests {
  @Test("Both have one shape: conversation, receiver, receiver type, parent message")
  func shape() async throws {
    let chat = try TestChat()
    let (alice, bob) = (try chat.client("alice"), try chat.client("bob"))
    let recorder = Recorder()
    bob.addReactionListener(id: "LISTENER_ID", recorder)
    _ = try await alice.addReaction("👍", to: 38231)
    _ = try await alice.removeReaction("👍", from: 38231)
    let heard = await recorder.next(4)
    guard case .added(let added) = heard[0], case .changed = heard[1],
      case .removed(let removed) = heard[2], case .changed = heard[3]
    else {
      Issue.record("heard \(heard)")
      return
    }
    for event in [added, removed] {
      #expect(event.conversation == .group("g1"))
      #expect(event.messageID == MessageID(38231))
      #expect(event.receiver == .group("g1") && event.receiver.id == "g1")
      #expect(event.receiverType == .group)
      #expect(event.parentMessageID == MessageID(38230))
      #expect(event.reaction.text == "👍")
      #expect(event.user == ReactionUser(id: "alice", displayName: "Alice A."))
    }
    #expect(added.time == removed.time)
    #expect((added.sequence, added.previousSequence) == (2, 0))
    #expect((removed.sequence, removed.previousSequence) == (3, 2))
  }

  @Test("One-to-one conversations")
  func direct() async throws {
    let chat = try TestChat()
    let (alice, bob) = (try chat.client("alice"), try chat.client("bob"))
    let recorder = Recorder()
    alice.addReactionListener(id: "a", recorder)
    _ = try await bob.addReaction("👍", to: "direct")
    guard case .added(let event)? = await recorder.next(1).first else {
      Issue.record("nothing was added")
      return
    }
    #expect(event.receiver == .user("bob") && event.receiver.id == "bob")
    #expect(event.receiverType == .user)
    #expect(event.conversation == .user("alice_user_bob"))
    #expect(event.parentMessageID == nil)
  }

  @Test("Several listeners; one that is removed, or replaced, hears no more")
  func several() async throws {
    let chat = try TestChat()
    let (alice, bob) = (try chat.client("alice"), try chat.client("bob"))
    let (first, second, third) = (Recorder(), Recorder(), Recorder())
    bob.addReactionListener(id: "first", first)
    bob.addReactionListener(id: "second", second)
    _ = try await alice.addReaction("👍", to: 38230)
    #expect(await first.events(1) == ["+👍 alice"])
    #expect(await second.events(1) == ["+👍 alice"])
    // Wait until both were told everything, so that nothing is on its way.
    _ = await second.changes(1)
    bob.removeReactionListener(id: "first")
    bob.removeReactionListener(id: "not there")
    _ = try await alice.addReaction("❤️", to: 38230)
    #expect(await second.events(1) == ["+❤️ alice"])
    _ = await second.changes(1)
    bob.addReactionListener(id: "second", third)
    bob.addReactionListener(id: "first", first)
    _ = try await alice.removeReaction("👍", from: 38230)
    #expect(await third.events(1) == ["-👍 alice"])
    // What came while it was away, the first one has not heard.
    #expect(await first.events(1) == ["-👍 alice"])
    second.finish()
    #expect(await second.next(1) == [])
  }
}

@Suite("messageReactionDidChange", .timeLimit(.minutes(15)))
struct ReactionChangeTests {
  @Test("Conversation, message, the list after the change, and operations")
  func content() async throws {
    let chat = try TestChat(policy: try Policy(selection: .single))
    let (alice, bob) = (try chat.client("alice"), try chat.client("bob"))
    _ = try await bob.addReaction("👍", to: 38230)
    _ = try await alice.addReaction("👍", to: 38230)
    let recorder = Recorder()
    let listening = try chat.client("bob")
    listening.addReactionListener(id: "b", recorder)
    _ = try await alice.addReaction("❤️", to: 38230)
    let change = try #require(await recorder.changes(1).first)
    #expect(change.conversation == .group("g1"))
    #expect(change.messageID == MessageID(38230))
    #expect(table(change.reactions) == "👍 1 true, ❤️ 1 false")
    #expect(
      change.operations == [
        .init(user: "alice", reaction: try Reaction("👍"), action: .removed),
        .init(user: "alice", reaction: try Reaction("❤️"), action: .added),
      ])
    #expect(change.events.count == 2)
    #expect(change.message.viewer == "bob")
    #expect(change.message.sequence == change.position.sequence)
  }

  @Test("Another device of the same user is told, the client that made it is not (case 19)")
  func devices() async throws {
    let chat = try TestChat()
    let (phone, laptop) = (try chat.client("alice"), try chat.client("alice"))
    let (onPhone, onLaptop) = (Recorder(), Recorder())
    phone.addReactionListener(id: "p", onPhone)
    laptop.addReactionListener(id: "l", onLaptop)
    _ = try await phone.addReaction("👍", to: 38230)
    _ = try await laptop.addReaction("❤️", to: 38230)
    let first = try #require(await onLaptop.changes(1).first)
    #expect(first.reactions.first?.reactedByMe == true)
    // The phone's first change is the laptop's: its own was passed over.
    let second = try #require(await onPhone.changes(1).first)
    #expect(
      second.operations == [.init(user: "alice", reaction: try Reaction("❤️"), action: .added)])
    #expect(table(second.reactions) == "👍 1 true, ❤️ 1 true")
  }

  @Test("A user outside the conversation is told nothing, nor anyone of an unknown message")
  func outsiders() async throws {
    let chat = try TestChat()
    let carol = try chat.client("carol")
    let recorder = Recorder()
    carol.addReactionListener(id: "c", recorder)
    let alice = try chat.client("alice")
    _ = try await alice.addReaction("👍", to: "direct")
    _ = try await chat.ledger.append(.add("👍", to: MessageKey(.group("g1"), "999"), by: "alice"))
    chat.directory.change {
      $0.messages["2"] = MessageFacts(conversation: .group("g2"), receiver: .group("g2"))
      $0.members[.group("g2")] = ["alice"]
    }
    _ = try await alice.addReaction("👍", to: "2")
    _ = try await alice.addReaction("😂", to: 38230)
    #expect(await recorder.events(1) == ["+😂 alice"])
  }

  @Test("What a moderator removes is told, and what comes of a deleted message, with an empty list")
  func deleted() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["alice"])
    let client = try chat.client("alice")
    let recorder = Recorder()
    client.addReactionListener(id: "a", recorder)
    chat.directory.change { $0.messages["38230"]?.isDeleted = true }
    _ = try await chat.ledger.append(
      .remove(
        "👍", from: MessageKey(.group("g1"), "38230"), by: "alice", actor: "moderator",
        cause: .messageDeleted))
    let change = try #require(await recorder.changes(1).first)
    #expect(
      change.operations == [.init(user: "alice", reaction: try Reaction("👍"), action: .removed)])
    #expect(change.reactions == [])
  }

  @Test("A client goes on after the position it was given, and tells how far it has come")
  func resuming() async throws {
    let chat = try TestChat()
    let alice = try chat.client("alice")
    let recorder = Recorder()
    let bob = try chat.client("bob")
    let start = bob.position
    _ = try await alice.addReaction("👍", to: 38230)
    _ = try await bob.addReaction("👍", to: 38230)
    _ = try await alice.addReaction("❤️", to: 38230)
    bob.addReactionListener(id: "b", recorder)
    #expect(await recorder.events(2) == ["+👍 alice", "+❤️ alice"])
    var feed = chat.ledger.changes(after: start).makeAsyncIterator()
    var last: Change?
    for _ in 0..<3 { last = try await feed.next() }
    await waitUntil(bob, isAt: last)
    #expect(bob.position.sequence == 4)
    bob.stopListening()
    _ = try await alice.addReaction("😂", to: 38230)
    // Another run of the same device, which knows its own changes again, and another device.
    let (same, other) = (Recorder(), Recorder())
    let again = try chat.client("bob", after: start, mark: bob.mark)
    again.addReactionListener(id: "b", same)
    #expect(await same.events(3) == ["+👍 alice", "+❤️ alice", "+😂 alice"])
    let tablet = try chat.client("bob", after: start)
    tablet.addReactionListener(id: "b", other)
    #expect(await other.events(3) == ["+👍 alice", "+👍 bob", "+❤️ alice"])
    // The first client goes on where it stopped.
    bob.addReactionListener(id: "b", recorder)
    #expect(await recorder.events(1) == ["+😂 alice"])
  }

  @Test("The same changes as a sequence")
  func sequence() async throws {
    let chat = try TestChat()
    let (alice, bob) = (try chat.client("alice"), try chat.client("bob"))
    var changes = bob.changes().makeAsyncIterator()
    _ = try await bob.addReaction("👍", to: 38230)
    _ = try await alice.addReaction("❤️", to: 38230)
    let change = try #require(try await changes.next())
    #expect(change.operations.map(\.reaction.text) == ["❤️"])
    #expect(change.position.sequence == 3)
    let waiting = Task {
      var changes = bob.changes(after: change.position).makeAsyncIterator()
      return try await changes.next() == nil
    }
    waiting.cancel()
    #expect(try await waiting.value)
  }

  @Test("A feed that fails says so, and goes on with the next listener that is added")
  func failing() async throws {
    let chat = try TestChat()
    let (alice, bob) = (try chat.client("alice"), try chat.client("bob"))
    let recorder = Recorder()
    bob.addReactionListener(id: "b", recorder)
    chat.directory.change { $0.namesFailure = DirectoryFailure("no names") }
    _ = try await alice.addReaction("👍", to: 38230)
    #expect(await recorder.next(1) == [.failed("ERR_DIRECTORY")])
    #expect(bob.failure?.code == "ERR_DIRECTORY")
    chat.directory.change { $0.namesFailure = nil }
    bob.addReactionListener(id: "b", recorder)
    #expect(bob.failure == nil)
    #expect(await recorder.events(1) == ["+👍 alice"])
    let lost = try chat.client("bob", after: Position(sequence: 2, seal: 1))
    let other = Recorder()
    lost.addReactionListener(id: "b", other)
    #expect(await other.next(1) == [.failed("ERR_STORAGE")])
  }

  @Test("A client that goes ends its feed")
  func released() async throws {
    let chat = try TestChat()
    var client: LedgerClient? = try chat.client("bob")
    weak var held: Held?
    do {
      let listener = Held()
      held = listener
      client?.addReactionListener(id: "b", listener)
    }
    #expect(held != nil)
    client = nil
    while held != nil, !Task.isCancelled { await Task.yield() }
    #expect(held == nil)
  }
}

/// A listener that is held by nobody but the client.
private final class Held: ReactionListener {}

/// Waits until a client has dealt with a change.
private func waitUntil(_ client: LedgerClient, isAt change: Change?) async {
  while client.position != change?.position, !Task.isCancelled { await Task.yield() }
}
