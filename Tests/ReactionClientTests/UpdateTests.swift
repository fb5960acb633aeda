import LedgerEngine
import LedgerTestSupport
import ReactionClient
import ReactionModel
import Testing

@Suite("updateMessageWithReactionInfo", .timeLimit(.minutes(15)))
struct UpdateTests {
  private static let thumb = "👍"

  private static func key() throws -> MessageKey { try MessageKey(.group("g1"), "38230") }

  private static func event(
    _ reaction: String, _ user: UserID?, _ sequence: UInt64, after previous: UInt64? = nil
  ) throws -> ReactionEvent {
    ReactionEvent(
      reaction: try Reaction(reaction), user: user.map { ReactionUser(id: $0) }, message: try key(),
      receiver: .group("g1"), time: Timestamp(microseconds: 0), sequence: sequence,
      previousSequence: previous ?? sequence - 1)
  }

  /// Applies steps such as `+👍 u1` in order, as events 1, 2, 3 …; `-👍 ?` is an erased user's.
  private static func message(_ steps: [String], viewer: UserID) throws -> ReactionMessage {
    var message = ReactionMessage(key: try key(), viewer: viewer)
    for (index, step) in steps.enumerated() {
      let parts = step.dropFirst().split(separator: " ")
      let user = parts[1] == "?" ? nil : try UserID(String(parts[1]))
      let event = try event(String(parts[0]), user, UInt64(index + 1))
      let update = LedgerClient.updateMessageWithReactionInfo(
        message, event, step.hasPrefix("+") ? .added : .removed)
      guard case .applied(let updated) = update else {
        Issue.record("\(step): \(update)")
        return message
      }
      message = updated
    }
    return message
  }

  @Test(
    "Steps, seen by u1, and what the message shows",
    arguments: [
      ("+A u1", "A 1 true"),
      // Case 18.
      ("+A u1, +A u2", "A 2 true"),
      // Case 19.
      ("+A u1, +B u2", "A 1 true, B 1 false"),
      ("+A u2, +A u1, -A u1", "A 1 false"),
      ("+A u1, -A u1", ""),
      // Case 22: A never reached 0, then it does.
      ("+A u1, +B u1, +A u2, -A u1", "A 1 false, B 1 true"),
      ("+A u1, +B u1, -A u1, +A u2", "B 1 true, A 1 false"),
      // Removing what is not there: a deleted message's list was emptied.
      ("-A u1, +A u1", "A 1 true"),
      ("+A ?, +A u1, -A ?", "A 1 true"),
    ])
  func steps(steps: String, shown: String) throws {
    let message = try Self.message(Self.split(steps), viewer: "u1")
    #expect(
      table(message.reactions) == shown.replacing("A", with: ":A:").replacing("B", with: ":B:"))
  }

  @Test(
    "Steps, and the first users: a true prefix, stale where who moved up is not known",
    arguments: [
      ("+A u1, +A u2, +A u3, +A u4", "A 4 u1,u2,u3"),
      ("+A u1, +A u2, +A u3, -A u2", "A 2 u1,u3"),
      ("+A u1, +A u2, +A u3, -A u2, +A u2", "A 3 u1,u3,u2"),
      // Case 25: who is third only the ledger knows, as long as there is a third.
      ("+A u1, +A u2, +A u3, +A u4, +A u5, -A u2", "A 4 u1,u3…"),
      ("+A u1, +A u2, +A u3, +A u4, -A u2, +A u2", "A 4 u1,u3…"),
      ("+A u1, +A u2, +A u3, +A u4, -A u2, -A u4", "A 2 u1,u3"),
      ("+A u1, +A u2, +A u3, +A u4, -A u4", "A 3 u1,u2,u3"),
      // An erased user may have been any of them.
      ("+A u1, +A u2, -A ?", "A 1 …"),
      ("+A u1, +A ?, +A u2", "A 3 u1…"),
    ])
  func previews(steps: String, shown: String) throws {
    let message = try Self.message(Self.split(steps), viewer: "u9")
    #expect(ReactionClientTests.previews(message.reactions) == shown.replacing("A", with: ":A:"))
  }

  private static func split(_ steps: String) -> [String] {
    steps.split(separator: ", ").map { step in
      String(step).replacing("A", with: ":A:").replacing("B", with: ":B:")
    }
  }

  @Test("An event that was applied before changes nothing; a lost one is a gap")
  func sequences() throws {
    let message = ReactionMessage(key: try Self.key(), viewer: "u1")
    let first = try Self.event("👍", "u1", 5, after: 0)
    guard
      case .applied(let updated) = LedgerClient.updateMessageWithReactionInfo(
        message, first, .added)
    else {
      Issue.record("it was not applied")
      return
    }
    #expect(updated.sequence == 5)
    #expect(
      LedgerClient.updateMessageWithReactionInfo(updated, first, .added) == .alreadyApplied)
    let third = try Self.event("👍", "u3", 9, after: 7)
    #expect(
      LedgerClient.updateMessageWithReactionInfo(updated, third, .added)
        == .gap(messageSequence: 5, previousSequence: 7))
    let other = ReactionMessage(key: try MessageKey(.group("g1"), "1"), viewer: "u1")
    #expect(LedgerClient.updateMessageWithReactionInfo(other, first, .added) == .otherMessage)
  }

  @Test(
    "Kept by events alone, a message shows what the ledger does; own changes come with the reply",
    arguments: [1, 2, 3, 4] as [UInt64])
  func agreement(seed: UInt64) async throws {
    let chat = try TestChat()
    var random = SeededGenerator(seed: seed)
    let alice = try chat.client("alice")
    var message = try #require(try await alice.message(38230))
    var feed = alice.changes().makeAsyncIterator()
    for _ in 0..<80 {
      let user: UserID = ["alice", "bob", "carol", "dave", "erin"][
        Int.random(in: 0..<5, using: &random)]
      let reaction = ["👍", "❤️", "😂"][Int.random(in: 0..<3, using: &random)]
      let client = user == "alice" ? alice : try chat.client(user)
      let reply: ReactionReply
      do throws(ReactionClientError) {
        reply = try await client.addReaction(reaction, to: 38230)
      } catch {
        reply = try await client.removeReaction(reaction, from: 38230)
      }
      if user == "alice" {
        message = reply.message
        continue
      }
      let change = try #require(try await feed.next())
      for (operation, event) in zip(change.operations, change.events) {
        let update = LedgerClient.updateMessageWithReactionInfo(message, event, operation.action)
        guard case .applied(let updated) = update else {
          Issue.record("\(update)")
          return
        }
        message = updated
      }
      let shown = try #require(try await alice.message(38230))
      #expect(table(message.reactions) == table(shown.reactions))
      #expect(message.sequence == shown.sequence)
      for (kept, real) in zip(message.reactions, shown.reactions) {
        #expect(real.firstUsers.starts(with: kept.firstUsers))
        #expect(kept.isPreviewStale || kept.firstUsers == real.firstUsers)
      }
    }
  }
}
