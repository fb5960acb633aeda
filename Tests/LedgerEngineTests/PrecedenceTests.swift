import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Of two reasons to refuse that hold at once the first in order is given: each pair is tried.
///
/// In order: command id reused, conversation not supported, user being erased, invalid reaction,
/// limit reached.
@Suite struct PrecedenceTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    /// The places of the two in the order, 0 to 4.
    let first: Int
    let second: Int

    var testDescription: String {
      "\(PrecedenceTests.names[first]) before \(PrecedenceTests.names[second])"
    }
  }

  static let names = [
    "commandIDReused", "conversationNotSupported", "userBeingErased", "invalidReaction",
    "limitReached",
  ]
  static let pairs: [Pair] = (0..<5).flatMap { first in
    (first + 1..<5).map { Pair(first: first, second: $0) }
  }

  /// A ledger where a message is full, a command id was used, and the erasure of a user was begun.
  static func sample() async throws -> TestLedger {
    let test = try TestLedger(
      policy: try Policy(maximumDistinctPerMessage: 2, maximumPerUserAndMessage: 1))
    try test.run("+u1 A #5, +u2 B")
    for index in 0..<5 {
      let message = MessageKey.group("g2", MessageID(stringLiteral: "m\(index)"))
      _ = try test.append(.add("👍", to: message, by: "closing"))
    }
    test.ledger.close()
    let path = test.path
    await #expect(processExitsWith: .signal(9)) { [path = path as String] in
      var options = LedgerOptions()
      options.erasureRowCount = 1
      options.clock = KillClock.after(1)
      _ = try await Ledger.open(at: path, options: options).append(.erase("closing"))
    }
    try test.reopen()
    return test
  }

  /// A command to which the reasons at these places hold, and no other.
  static func command(_ places: Set<Int>) throws -> Command {
    let isFull = places.contains(4)
    let message: MessageKey =
      places.contains(1)
      ? try MessageKey(.room("r1"), "m1") : isFull ? .m1 : .group("g3", "m1")
    return .add(
      places.contains(3) ? "no reaction" : ":new:", to: message,
      by: places.contains(2) ? "closing" : "u1",
      id: places.contains(0) ? CommandID(high: 1, low: 5) : nil)
  }

  @Test func each() async throws {
    let test = try await Self.sample()
    for place in 0..<5 {
      let outcome = try test.append(try Self.command([place]))
      #expect(NaiveModel.Expected(outcome) == .refused(Self.names[place]))
    }
    #expect(try test.append(try Self.command([])).name == "recorded")
    // Both limits at once: that of the message is told.
    #expect(try test.run("+u1 C") == [.refused(.limitReached(.distinctPerMessage))])
    #expect(try test.run("+u1 B") == [.refused(.limitReached(.perUserAndMessage))])
  }

  @Test func pairwise() async throws {
    let test = try await Self.sample()
    let head = try test.ledger.statistics().head
    for pair in Self.pairs {
      // A room has no reactions, so no limit is reached there; the message's is what would be.
      let outcome = try test.append(try Self.command([pair.first, pair.second]))
      #expect(NaiveModel.Expected(outcome) == .refused(Self.names[pair.first]), "\(pair)")
    }
    for count in 2...5 {
      for start in 0...5 - count {
        let outcome = try test.append(try Self.command(Set(start..<start + count)))
        #expect(NaiveModel.Expected(outcome) == .refused(Self.names[start]), "\(start), \(count)")
      }
    }
    #expect(try test.ledger.statistics().head == head, "refusals append nothing")
    try test.requireSound()
  }

  @Test("A removal is refused only for its id and its conversation") func removals() async throws {
    let test = try await Self.sample()
    let room = try MessageKey(.room("r1"), "m1")
    let id = CommandID(high: 1, low: 5)
    #expect(
      try test.append(.remove("no reaction", from: room, by: "closing", id: id))
        == .refused(.commandIDReused))
    #expect(
      try test.append(.remove("no reaction", from: room, by: "closing"))
        == .refused(.conversationNotSupported))
    #expect(
      try test.append(.remove("no reaction", from: .m1, by: "closing")) == .unchanged(.notReacted))
    #expect(
      try test.append(.clear(room, reaction: "no reaction", cause: .user, id: id))
        == .refused(.commandIDReused))
    #expect(
      try test.append(.clear(room, reaction: "no reaction", cause: .user))
        == .refused(.conversationNotSupported))
    #expect(try test.append(.erase("nobody", id: id)) == .refused(.commandIDReused))
    #expect(try test.append(.setPolicy(.standard, id: id)) == .refused(.commandIDReused))
  }
}
