import LedgerEngine
import LedgerTestSupport
import ReactionClient
import ReactionModel
import Testing

/// Random commands of every kind under random policies, and clients that only apply what they are
/// told: their counts and `reactedByMe` are the model's after every change that it tells of.
///
/// 40 seeds optimised, 8 unoptimised.
@Suite struct ModelTests {
  #if DEBUG
    static let seeds: [UInt64] = Array(1...8)
  #else
    static let seeds: [UInt64] = Array(1...40)
  #endif
  static let commandCount = 400

  @Test(arguments: seeds) func appliedChangesAreTheModel(seed: UInt64) async throws {
    var source = CommandSource(seed: seed)
    let policy = source.policy()
    let chat = try TestChat(policy: policy)
    let viewers = Array(source.users.prefix(3))
    let everyone = Set(source.users)
    for message in source.messages {
      chat.directory.change { content in
        // One fact for each id: the test reads two messages with different ids.
        content.messages[message.message] = MessageFacts(
          conversation: message.conversation, receiver: .group("g1"))
        content.members[message.conversation] = everyone
      }
    }
    // Message ids are unique in this host, so of two that share one only the last is known to it.
    let known = source.messages.filter { message in
      source.messages.last { $0.message == message.message } == message
    }
    var model = NaiveModel(policy: policy)
    var states: [UInt64: NaiveModel] = [:]
    for _ in 0..<Self.commandCount {
      let command = source.next()
      let outcome = try await chat.ledger.append(command)
      #expect(NaiveModel.Expected(outcome) == model.run(command), "seed \(seed): \(command)")
      states[model.lastEvent] = model
    }
    for viewer in viewers {
      try await follow(chat, viewer, known, states, model, "seed \(seed), viewer \(viewer)")
    }
  }

  /// Applies all that a viewer is told from the beginning, and compares after each change.
  private func follow(
    _ chat: TestChat, _ viewer: UserID, _ known: [MessageKey], _ states: [UInt64: NaiveModel],
    _ model: NaiveModel, _ place: Comment
  ) async throws {
    var kept: [MessageKey: ReactionMessage] = [:]
    for key in known { kept[key] = ReactionMessage(key: key, viewer: viewer) }
    let last = lastTold(known, states, model)
    guard last > 0 else { return }
    for try await change in try chat.client(viewer).changes(after: .beginning) {
      guard var message = kept[change.message.key] else {
        Issue.record("a change of a message that the host does not know: \(place)")
        continue
      }
      for (event, operation) in zip(change.events, change.operations) {
        let update = LedgerClient.updateMessageWithReactionInfo(message, event, operation.action)
        guard case .applied(let next) = update else {
          Issue.record("\(update): \(place)")
          return
        }
        #expect(
          LedgerClient.updateMessageWithReactionInfo(next, event, operation.action)
            == .alreadyApplied, place)
        message = next
      }
      kept[message.key] = message
      // Erasures have states only at their ends: there is one command for each message.
      if let then = states[message.sequence] { compare(message, then, model, place) }
      if message.sequence == last { break }
    }
    for message in kept.values { compare(message, model, model, place) }
  }

  /// The last event on a message that the host knows.
  private func lastTold(
    _ known: [MessageKey], _ states: [UInt64: NaiveModel], _ model: NaiveModel
  ) -> UInt64 {
    known.map { model.lastSequence(of: $0) }.max() ?? 0
  }

  private func compare(
    _ message: ReactionMessage, _ then: NaiveModel, _ now: NaiveModel, _ place: Comment
  ) {
    let shown = then.shown(message.key)
    #expect(message.reactions.map(\.reaction) == shown.map(\.reaction), place)
    #expect(message.reactions.map(\.count) == shown.map(\.people.count), place)
    // Who was erased since has no name in the feed, and was not the viewer for those who look now.
    let isViewers = shown.map { block in
      block.people.contains { $0.id == message.viewer && !now.erased.contains($0) }
    }
    #expect(message.reactions.map(\.reactedByMe) == isViewers, place)
    for (overview, block) in zip(message.reactions, shown) {
      let first = block.people.prefix(3).map(\.id)
      #expect(first.starts(with: overview.firstUsers), place)
    }
  }
}
