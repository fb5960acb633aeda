import LedgerEngine
import ReactionClient
import ReactionModel
import Testing

@Suite("addReaction", .timeLimit(.minutes(15)))
struct AddReactionTests {
  @Test("The documented exchange: 👍, ❤️, 😂 on message 38230")
  func documented() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    let steps = [
      ("👍", "👍 1 true"), ("❤️", "👍 1 true, ❤️ 1 true"),
      ("😂", "👍 1 true, ❤️ 1 true, 😂 1 true"),
    ]
    for (reaction, list) in steps {
      let reply = try await client.addReaction(reaction, to: 38230)
      #expect(reply.messageID == MessageID(38230))
      #expect(reply.reaction.text == reaction)
      #expect(reply.action == .added)
      #expect(
        reply.operations == [.init(user: "alice", reaction: try Reaction(reaction), action: .added)]
      )
      #expect(table(reply.reactions) == list)
    }
    let message = try #require(try await client.message(38230))
    #expect(table(message.reactions) == "👍 1 true, ❤️ 1 true, 😂 1 true")
    #expect(message.isReactedByMe(try Reaction("👍")))
    #expect(!message.isReactedByMe(try Reaction("🎉")))
  }

  @Test("A message's id is an Int, a String or an id of the model")
  func references() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    let (number, text) = (38230, "38230")
    _ = try await client.addReaction("👍", to: number)
    _ = try await client.addReaction("❤️", to: text)
    let reply = try await client.addReaction("😂", to: MessageID(38230))
    #expect(reply.reactions.count == 3)
    #expect(MessageID(-1).text == "-1")
    #expect(MessageID(Int.min).text == "-9223372036854775808")
  }

  @Test("Duplicates are errors, in whatever form they are written")
  func strict() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    _ = try await client.addReaction("❤", to: 38230)
    let told = await failure {
      try await client.addReaction("❤️", to: 38230)
    }
    #expect(told == "ERR_ALREADY_REACTED 1301 Already reacted to message")
  }

  @Test("Unknown and deleted messages do not exist")
  func missing() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    _ = try await client.addReaction("👍", to: 38231)
    chat.directory.change { $0.messages[38231.messageID ?? "-"]?.isDeleted = true }
    let long = String(repeating: "m", count: 256)
    for id in ["1", "", long, "38231"] {
      let adding = await failure {
        try await client.addReaction("👍", to: id)
      }
      #expect(adding == "ERR_MESSAGE_NOT_FOUND - Message does not exist")
      let removing = await failure {
        try await client.removeReaction("👍", from: id)
      }
      #expect(removing == "ERR_MESSAGE_NOT_FOUND - Message does not exist")
    }
    // Another conversation than the message's is not where it is.
    let elsewhere = await failure {
      try await client.addReaction("👍", to: 38230, in: .group("g2"))
    }
    #expect(elsewhere == "ERR_MESSAGE_NOT_FOUND - Message does not exist")
    _ = try await client.addReaction("👍", to: 38230, in: .group("g1"))
  }

  @Test("What is no reaction is invalid", arguments: ["", "\u{FE0F}", "hello"])
  func invalid(text: String) async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    let told = await failure {
      try await client.addReaction(text, to: 38230)
    }
    #expect(told.hasPrefix("ERR_INVALID_REACTION - Invalid reaction: "))
  }

  @Test("Limits, permissions and refusals have their codes")
  func refusals() async throws {
    let chat = try TestChat(
      policy: try Policy(maximumDistinctPerMessage: 2, maximumPerUserAndMessage: 1))
    let client = try chat.client("alice")
    _ = try await client.addReaction("👍", to: 38230)
    let perUser = await failure {
      try await client.addReaction("❤️", to: 38230)
    }
    #expect(perUser.hasPrefix("REACTION_REACH_LIMIT 1300 The user has"))
    try await chat.react("❤️", by: ["bob"])
    let distinct = await failure {
      try await chat.client("carol").addReaction("😂", to: 38230)
    }
    #expect(distinct.hasPrefix("REACTION_REACH_LIMIT 1300 The message has"))
    // Case 17: a further user on what is there, and removing, are no matter of the limit.
    try await chat.react("👍", by: ["carol"])
    _ = try await client.removeReaction("👍", from: 38230)

    let stranger = await failure {
      try await chat.client("mallory").addReaction("👍", to: 38230)
    }
    let illegal =
      "REACTION_OPERATION_IS_ILLEGAL 1302 The user may not react to this message"
    #expect(stranger == illegal)
    chat.directory.change { $0.mayNotReact = ["bob"] }
    let muted = await failure {
      try await chat.client("bob").removeReaction("❤️", from: 38230)
    }
    #expect(muted == illegal)

    chat.directory.change {
      $0.messages["r"] = MessageFacts(conversation: .room("r1"), receiver: .group("r1"))
      $0.members[.room("r1")] = ["alice"]
    }
    let room = await failure {
      try await client.addReaction("👍", to: "r")
    }
    #expect(room == "ERR_REFUSED - The ledger refused it: conversationNotSupported")
    chat.directory.change { $0.failure = DirectoryFailure("no connection") }
    let failed = await failure {
      try await client.addReaction("👍", to: 38230)
    }
    #expect(failed == "ERR_DIRECTORY - The directory failed: no connection")
    chat.directory.change { $0.failure = nil }
    chat.ledger.close()
    let closed = await failure {
      try await client.addReaction("👍", to: 38230)
    }
    #expect(closed == "ERR_STORAGE - the ledger was closed")
  }

  @Test("Single selection: the reply has what was replaced, and one reaction is mine (case 16)")
  func single() async throws {
    let chat = try TestChat(policy: try Policy(selection: .single))
    try await chat.react("👍", by: ["bob", "alice"])
    let reply = try await chat.client("alice").addReaction("❤️", to: 38230)
    #expect(
      reply.operations == [
        .init(user: "alice", reaction: try Reaction("👍"), action: .removed),
        .init(user: "alice", reaction: try Reaction("❤️"), action: .added),
      ])
    #expect(reply.reaction.text == "❤️")
    #expect(table(reply.reactions) == "👍 1 false, ❤️ 1 true")
  }

  @Test("Eight devices of one user add at once: one of them does (case 11)")
  func racing() async throws {
    let chat = try TestChat()
    let clients = try (0..<8).map { _ in try chat.client("alice") }
    let told = await withTaskGroup(of: String.self) { group in
      for client in clients {
        group.addTask { await failure { try await client.addReaction("👍", to: 38230) } }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(told == ["none": 1, "ERR_ALREADY_REACTED 1301 Already reacted to message": 7])
    #expect(table(try await clients[0].message(38230)?.reactions ?? []) == "👍 1 true")
  }

  @Test("A reply's reaction is the canonical one, and removes what another form added (case 20)")
  func canonical() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    let reply = try await client.addReaction("❤", to: 38230)
    #expect(reply.reaction.text.unicodeScalars.count == 2)
    #expect(table(try await client.removeReaction("❤️", from: 38230).reactions) == "")
  }
}

@Suite("removeReaction", .timeLimit(.minutes(15)))
struct RemoveReactionTests {
  @Test("The documented exchange: 👍 goes from message 38230")
  func documented() async throws {
    let chat = try TestChat()
    let client = try chat.client("alice")
    for reaction in ["👍", "❤️", "😂"] { _ = try await client.addReaction(reaction, to: 38230) }
    let reply = try await client.removeReaction("👍", from: 38230)
    #expect(reply.messageID == MessageID(38230))
    #expect(reply.reaction.text == "👍")
    #expect(reply.action == .removed)
    #expect(
      reply.operations == [.init(user: "alice", reaction: try Reaction("👍"), action: .removed)])
    #expect(table(reply.reactions) == "❤️ 1 true, 😂 1 true")
  }

  @Test("A reaction that the user does not have is not found (cases 1 and 2)")
  func strict() async throws {
    let chat = try TestChat()
    try await chat.react("👍", by: ["bob"])
    let client = try chat.client("alice")
    _ = try await client.addReaction("👍", to: 38230)
    _ = try await client.removeReaction("👍", from: 38230)
    let told = await failure {
      try await client.removeReaction("👍", from: 38230)
    }
    #expect(told == "ERR_REACTION_NOT_FOUND - Reaction not found on message")
    #expect(table(try await client.message(38230)?.reactions ?? []) == "👍 1 false")
  }
}
