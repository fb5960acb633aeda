import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

@Suite struct BulkTests {
  private static func adds(_ names: String) throws -> [Command] {
    try names.split(separator: " ").map { .add(":\($0):", to: .m1, by: try UserID("u\($0)")) }
  }

  @Test("One outcome for each command, in order, each on its own") func independent() throws {
    let test = try TestLedger()
    var commands = try Self.adds("a b c")
    commands.insert(.add("no reaction", to: .m1, by: "u1"), at: 1)
    commands.insert(commands[0], at: 2)
    commands.append(.remove(":a:", from: .m1, by: "ua"))
    let outcomes = try test.ledger.append(commands)
    #expect(
      outcomes.map(\.name) == [
        "recorded", "refused", "unchanged", "recorded", "recorded", "recorded",
      ])
    #expect(outcomes.compactMap(\.receipt?.sequences.lowerBound) == [2, 3, 4, 5])
    #expect(try test.ledger.append([]).isEmpty)
    try test.requireSound()
  }

  @Test("All or nothing: a refusal undoes the commands before and after it, and new users")
  func allOrNothing() throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    let before = try test.ledger.statistics()
    var commands = try Self.adds("a b c d")
    commands.insert(.add("", to: .m1, by: "u1"), at: 2)
    let outcomes = try test.ledger.appendAllOrNothing(commands)
    #expect(outcomes[2] == .refused(.invalidReaction(.empty)))
    #expect(outcomes.count == 5)
    for index in [0, 1, 3, 4] { #expect(outcomes[index] == .rolledBack(because: 2)) }
    #expect(try test.ledger.statistics().head == before.head)
    #expect(try test.ledger.statistics().userCount == before.userCount)
    #expect(try test.shown() == "A=1[u1]")

    // The numbers that were given and taken back are in no cache.
    #expect(try test.ledger.append(Self.adds("d c b a")).allSatisfy { $0.name == "recorded" })
    #expect(try test.shown() == "A=1[u1] d=1[ud] c=1[uc] b=1[ub] a=1[ua]")
    try test.requireSound()
  }

  @Test("All or nothing: what changes nothing does not undo the others")
  func allOrNothingUnchanged() async throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    let commands = try Self.adds("a b") + [.add(":A:", to: .m1, by: "u1")]
    let outcomes = try await test.ledger.appendAllOrNothing(commands)
    #expect(outcomes.map(\.name) == ["recorded", "recorded", "unchanged"])
    try test.requireSound()
  }

  @Test("All or nothing sees its own earlier commands, also across limits and ids")
  func allOrNothingSeesItself() throws {
    let test = try TestLedger(policy: try Policy(maximumDistinctPerMessage: 2))
    let outcomes = try test.ledger.appendAllOrNothing(Self.adds("a b c"))
    #expect(outcomes[2] == .refused(.limitReached(.distinctPerMessage)))
    #expect(try test.shown() == "-")
    let id = CommandID()
    let twice = Command.add(":a:", to: .m1, by: "u1", id: id)
    let both = try test.ledger.appendAllOrNothing([twice, twice])
    #expect(both.map(\.name) == ["recorded", "repeated"])
    #expect(both[0].receipt == both[1].receipt)
    try test.requireSound()
  }

  @Test(
    "Random bulks, every third of them all or nothing, against the naive model", arguments: 1...20)
  func random(seed: UInt64) throws {
    let test = try TestLedger()
    var (source, model) = (CommandSource(seed: seed), NaiveModel())
    for index in 0..<60 {
      let commands = (0..<(1 + index % 7)).map { _ in source.next() }
      var attempt = model
      let expected = commands.map { attempt.run($0) }
      if index % 3 == 0 {
        let outcomes = try test.ledger.appendAllOrNothing(commands)
        if let refused = expected.firstIndex(where: \.isRefusal) {
          for (place, outcome) in outcomes.enumerated() {
            #expect(outcome.name == (place == refused ? "refused" : "rolledBack"))
          }
        } else {
          model = attempt
        }
      } else {
        _ = try test.ledger.append(commands)
        model = attempt
      }
      #expect(try test.ledger.statistics().head == model.head, "seed \(seed), bulk \(index)")
    }
    for message in source.messages {
      let summary = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.summary(of: message)
      }
      #expect(summary.reactions.map(\.count) == model.shown(message).map(\.users.count))
    }
    try test.requireSound()
  }
}
