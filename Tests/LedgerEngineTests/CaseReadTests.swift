import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Cases that need more than one script on one message: other messages, the feed, history, pages.
@Suite("Cases, every reader") struct CaseReadTests {
  private static let m2 = MessageKey.group("g1", "m2")
  private static let m3 = MessageKey.group("g1", "m3")

  @Test("Case 5: who leaves the conversation stays in summary and list") func case5() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u3 A, +u4 A")
    #expect(try test.ledger.summary(of: .m1).reactions.map(\.count) == [4])
    #expect(try test.allReactors(.named("A")) == ["u1", "u2", "u3", "u4"])
  }

  @Test("Case 10: there is no reaction without a user") func case10() throws {
    let nobody = ""
    #expect(throws: IdentifierError.self) { try UserID(nobody) }
  }

  @Test("Case 14: one live reaction after every command, now, as of then and in the feed")
  func case14() async throws {
    let test = try TestLedger(policy: try Policy(selection: .single))
    let outcomes = try test.run("+u1 A, +u1 B, +u1 B, +u1 A")
    for receipt in outcomes.compactMap(\.receipt) {
      let then = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.summary(of: .m1, viewer: "u1", asOf: .sequence(receipt.sequences.upperBound))
      }
      #expect(then.reactions.count == 1 && then.reactions[0].count == 1)
      #expect(then.reactions[0].reactedByMe)
    }
    var live: Set<Reaction> = []
    var feed = test.ledger.changes().makeAsyncIterator()
    for _ in 0..<3 {
      let change = try #require(try await feed.next())
      for operation in change.operations {
        switch operation.kind {
        case .added: live.insert(operation.reaction)
        case .removed: live.remove(operation.reaction)
        }
      }
      #expect(live.count == 1, "one after each change")
      #expect(change.reactions.map(\.reaction) == [.named("A")])
    }
    #expect(try test.ledger.reactions(by: "u1").reactions.map(\.reaction) == [.named("A")])
  }

  @Test("Case 18: another's event takes nothing from what is mine") func case18() async throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A")
    var feed = test.ledger.changes().makeAsyncIterator()
    _ = try await feed.next()
    let change = try #require(try await feed.next())
    #expect(change.operations.map(\.user) == ["u2"])
    #expect(change.reactions.map(\.count) == [2])
    #expect(change.reactions.allSatisfy { !$0.reactedByMe }, "an event is nobody's view")
    #expect(try test.isMine("u1", ":A:") && test.isMine("u2", ":A:"))
  }

  @Test("Case 19: what a second device adds is mine on the first") func case19() async throws {
    let test = try TestLedger()
    let path = test.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let second = try Ledger.open(at: path)
      _ = try await second.append(.add(":A:", to: .m1, by: "u1"))
      second.close()
    }
    #expect(try test.isMine("u1", ":A:"))
    try test.run("+u2 B")
    #expect(try !test.isMine("u1", ":B:"))
    try test.requireSound()
  }

  @Test("Case 26: by place, or by count and then place; the same again each time") func case26()
    throws
  {
    let test = try TestLedger()
    try test.run("+u1 C, +u1 B, +u1 A, +u2 A, +u2 D, +u3 B")
    let names = { (order: ReactionOrder) in
      try test.ledger.summary(of: .m1).ordered(by: order).reactions.map(\.reaction.text)
    }
    for _ in 0..<20 {
      #expect(try names(.opening) == [":C:", ":B:", ":A:", ":D:"])
      #expect(try names(.count) == [":B:", ":A:", ":C:", ":D:"])
    }
  }

  @Test("Case 35: skin tones are reactions of their own; a view may show them as one")
  func case35() throws {
    let test = try TestLedger()
    for (reaction, user) in [("👍🏻", "u1"), ("👍🏽", "u1"), ("👍", "u2")] as [(String, UserID)] {
      #expect(try test.ledger.append(.add(reaction, to: .m1, by: user)).name == "recorded")
    }
    let page = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.reactions(on: .m1)
    }
    #expect(page.reactions.count == 3 && Set(page.reactions.map(\.user)).count == 2)
  }

  @Test("Case 36: a retired custom reaction goes on where it is, and can be removed")
  func case36() throws {
    let test = try TestLedger()
    try test.run("+u1 parrot, +u2 parrot")
    let emoji = try Policy(validity: .emoji)
    #expect(try test.ledger.append(.setPolicy(emoji, actor: "admin")).name == "recorded")
    #expect(try test.run("+u3 tada") == [.refused(.invalidReaction(.notAllowed(.custom)))])
    #expect(try test.run("+u3 parrot, -u1 parrot").map(\.name) == ["recorded", "recorded"])
    #expect(try test.shown() == "parrot=2[u2,u3]")
    #expect(try test.run("-u2 parrot, -u3 parrot").map(\.name) == ["recorded", "recorded"])
    #expect(try test.run("+u3 parrot").map(\.name) == ["refused"])
    try test.requireSound()
  }

  @Test(
    "Case 37: every line of emoji-test.txt is recorded, its forms as one reaction",
    .enabled(if: SharedData.isPresent, "needs the folder of shared data"))
  func case37() throws {
    let test = try TestLedger()
    let path = try #require(SharedData.path("unicode/emoji-test.txt"))
    var (forms, commands): ([Int], [Command]) = ([], [])
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    where !line.hasPrefix("#") && !line.contains("; component") {
      let scalars = line.prefix { $0 != ";" }.split(separator: " ").compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      // The file lists the other forms of an emoji after the fully qualified one.
      if line.contains("; fully-qualified") { forms.append(0) }
      forms[forms.count - 1] += 1
      commands.append(
        .add(
          String(String.UnicodeScalarView(scalars)),
          to: .group("g1", MessageID(stringLiteral: "m\(forms.count)")),
          by: UserID(stringLiteral: "u\(forms[forms.count - 1])")))
    }
    #expect(forms.count > 3_000)
    #expect(try test.ledger.append(commands).allSatisfy { $0.name == "recorded" })
    let messages = (1...forms.count).map {
      MessageKey.group("g1", MessageID(stringLiteral: "m\($0)"))
    }
    let counts = try test.ledger.summaries(of: messages).map { $0.reactions.map(\.count) }
    #expect(counts == forms.map { [$0] })
  }

  @Test("Case 38: 512 bytes are more than a key of the store holds, and no trouble")
  func case38() throws {
    let test = try TestLedger(policy: try Policy(validity: .anyText))
    let long = String(repeating: "👍", count: 128)
    for index in 0..<40 {
      let user = UserID(stringLiteral: "u\(index)")
      #expect(try test.ledger.append(.add(long, to: .m1, by: user)).name == "recorded")
    }
    #expect(try test.allReactors(Reaction(long)).count == 40)
    let accents = "e" + String(repeating: "\u{301}", count: 1_000)
    let refused = try test.ledger.append(.add(accents, to: .m1, by: "u1"))
    #expect(refused.name == "refused")
    try test.requireSound()
  }

  @Test("Case 39: a deleted message shows nothing to anybody, and its history says why")
  func case39() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u1 B")
    _ = try test.ledger.append(.add("👍", to: Self.m2, by: "u1"))
    let receipt = try #require(
      try test.ledger.append(.clear(.m1, cause: .messageDeleted)).receipt)
    #expect(receipt.sequences.count == 3)
    #expect(try test.shown() == "-")
    #expect(try !test.isMine("u1", ":A:"))
    #expect(try test.allReactors(.named("A")).isEmpty)
    #expect(try test.ledger.reactions(by: "u1").reactions.map(\.message) == [Self.m2])
    #expect(try test.ledger.reactions(by: "u2").reactions.isEmpty)
    let history = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.history(of: .m1)
    }
    let ends = history.compactMap { entry -> UInt64? in
      guard case .change(let change) = entry.record.content,
        case .removed(let ends) = change.kind
      else { return nil }
      #expect(entry.record.cause == .messageDeleted && entry.actor == nil)
      return ends
    }
    #expect(ends.sorted() == [2, 3, 4])
    #expect(history.map(\.user) == ["u1", "u2", "u1", "u1", "u2", "u1"])
    try test.requireSound()
  }

  @Test("Case 40: after that a removal changes nothing, and a retry gets its first receipt")
  func case40() throws {
    let test = try TestLedger()
    let first = try test.run("+u1 A #1")[0]
    _ = try test.ledger.append(.clear(.m1, cause: .messageDeleted))
    #expect(try test.run("-u1 A") == [.unchanged(.notReacted)])
    #expect(try test.run("+u1 A #1") == [.repeated(try #require(first.receipt))])
    #expect(try test.shown() == "-")
  }

  @Test("Case 41: a moderator erases a user over three messages") func case41() throws {
    let test = try TestLedger()
    for message in [MessageKey.m1, Self.m2, Self.m3] {
      for user in ["u1", "u2", "u3", "u4", "u5"] as [UserID] {
        _ = try test.ledger.append(.add(":A:", to: message, by: user))
      }
    }
    _ = try test.ledger.append(.add(":B:", to: Self.m3, by: "u1"))
    let before = try test.ledger.statistics().eventCount
    let outcome = try test.ledger.append(.erase("u1", actor: "mod", cause: .moderation))
    #expect(outcome.name == "recorded")
    for message in [MessageKey.m1, Self.m2, Self.m3] {
      #expect(try test.shown(message) == "A=4[u2,u3,u4]")
      #expect(try test.allReactors(.named("A"), on: message) == ["u2", "u3", "u4", "u5"])
    }
    #expect(try test.ledger.statistics().eventCount == before + 4, "one event each")
    let removals = try CopyTests.records(of: test.ledger).map(\.entry).filter {
      $0.record.place.operation == .erase && $0.record.isEvent
    }
    #expect(removals.count == 4 && removals.allSatisfy { $0.user == nil && $0.actor == "mod" })
    #expect(removals.allSatisfy { $0.record.cause == .moderation })
    try test.requireSound()
  }

  @Test("Case 44: a reaction to a message nobody has told of is kept") func case44() throws {
    let test = try TestLedger()
    let unknown = MessageKey.group("never told", "of")
    _ = try test.ledger.append(.add("👍", to: unknown, by: "u1"))
    try test.reopen()
    #expect(try test.shown(unknown) == "👍=1[u1]")
  }

  @Test("Case 46: commands without a time are accepted, in their order; with equal times too")
  func case46() throws {
    let test = try TestLedger()
    let time = Timestamp(microseconds: 5)
    let commands: [Command] = [
      .add(":A:", to: .m1, by: "u2", cause: .imported),
      .add(":A:", to: .m1, by: "u1", cause: .imported, at: time),
      .add(":A:", to: .m1, by: "u3", cause: .imported, at: time),
    ]
    #expect(try test.ledger.append(commands).allSatisfy { $0.name == "recorded" })
    #expect(try test.shown() == "A=3[u2,u1,u3]")
  }

  @Test("Case 48: exported, restored and exported again, removed reactions and all, is identical")
  func case48() throws {
    let test = try TestLedger()
    try test.run("+u1 A #1, +u2 A, -u1 A, +u3 B, +u1 A")
    _ = try test.ledger.append([.clear(.m1, cause: .expired), .erase("u2")])
    let exported = try CopyTests.records(of: test.ledger)
    let path = test.folder.file("copy")
    try CopyTests.restore(exported, at: path)
    let restored = try Ledger.open(at: path)
    #expect(try CopyTests.records(of: restored) == exported)
    let retried = Command.add(":A:", to: .m1, by: "u1", id: CommandID(high: 1, low: 1))
    #expect(try restored.append(retried).name == "repeated")
    #expect(try restored.replay().findings == [])
    restored.close()
  }
}
