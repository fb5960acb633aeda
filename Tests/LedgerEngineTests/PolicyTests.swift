import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

@Suite struct PolicyTests {
  @Test("Case 14: single selection keeps one live reaction of a user") func case14() throws {
    let test = try TestLedger(policy: try Policy(selection: .single))
    for (command, shown) in [
      ("+u1 A", "A=1[u1]"), ("+u1 B", "B=1[u1]"), ("+u1 B", "B=1[u1]"), ("+u1 A", "A=1[u1]"),
    ] {
      try test.run(command)
      #expect(try test.shown() == shown)
    }
    try test.requireSound()
  }

  @Test("Case 15: a command id asked again is answered with its first receipt")
  func case15() throws {
    let test = try TestLedger(policy: try Policy(selection: .single))
    let first = try test.run("+u1 A #1, +u1 B #2")
    #expect(try test.run("+u1 A #1") == [.repeated(try #require(first[0].receipt))])
    #expect(try test.run("+u1 B #2") == [.repeated(try #require(first[1].receipt))])
    #expect(try test.shown() == "B=1[u1]")
  }

  @Test("Case 16: replacement is one command: remove with cause replaced, then add")
  func case16() throws {
    let test = try TestLedger(policy: try Policy(selection: .single))
    try test.run("+u2 A, +u1 A")
    let receipt = try #require(try test.run("+u1 B")[0].receipt)
    #expect(receipt.sequences.count == 2)
    #expect(try test.shown() == "A=1[u2] B=1[u1]")
    #expect(try !test.isMine("u1", ":A:"))
    #expect(try test.isMine("u1", ":B:"))
    let records = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.records(after: receipt.sequences.lowerBound - 1)
    }
    #expect(records.map(\.record.cause) == [.replaced, .user])
    #expect(records.map(\.record.place.index) == [0, 1])
    #expect(records.map(\.record.place.count) == [2, 2])
    try test.requireSound()
  }

  @Test("Case 17: at the limit of distinct reactions") func case17() throws {
    let test = try TestLedger()
    for index in 0..<20 { try test.run("+u1 r\(index)") }
    #expect(try test.run("+u2 Z") == [.refused(.limitReached(.distinctPerMessage))])
    #expect(try test.run("+u2 r0").map(\.name) == ["recorded"])
    #expect(try test.run("-u1 r0").map(\.name) == ["recorded"])
    #expect(try test.run("+u2 Z") == [.refused(.limitReached(.distinctPerMessage))])
    #expect(try test.run("-u2 r0").map(\.name) == ["recorded"])
    #expect(try test.run("+u2 Z").map(\.name) == ["recorded"])
    try test.requireSound()
  }

  @Test func perUserLimit() throws {
    let test = try TestLedger(policy: try Policy(maximumPerUserAndMessage: 2))
    #expect(try test.run("+u1 A, +u1 B").map(\.name) == ["recorded", "recorded"])
    #expect(try test.run("+u1 C") == [.refused(.limitReached(.perUserAndMessage))])
    #expect(try test.run("-u1 A, +u1 C").map(\.name) == ["recorded", "recorded"])
    #expect(try test.run("+u2 C").map(\.name) == ["recorded"])
  }

  @Test("Which reactions are valid, and that removing always works") func validity() throws {
    let table: [(Policy.Validity, [(String, Bool)])] = [
      (.emoji, [("👍", true), (":a:", false), ("text", false)]),
      (.emojiAndCustom, [("👍", true), (":a:", true), ("text", false), ("", false)]),
      (.anyText, [("👍", true), (":a:", true), ("text", true), ("", false), ("\u{200D}", false)]),
      (.allowed([try Reaction("👍")]), [("👍", true), ("❤", false)]),
    ]
    for (validity, rows) in table {
      let test = try TestLedger(policy: try Policy(validity: validity))
      for (reaction, isValid) in rows {
        let outcome = try test.ledger.append(.add(reaction, to: .m1, by: "u1"))
        #expect(outcome.name == (isValid ? "recorded" : "refused"), "\(validity) \(reaction)")
        let removal = try test.ledger.append(.remove(reaction, from: .m1, by: "u1"))
        #expect(removal.name == (isValid ? "recorded" : "unchanged"), "\(validity) \(reaction)")
      }
      try test.requireSound()
    }
  }

  @Test("Of several reasons the first in precedence is given") func precedence() throws {
    let test = try TestLedger()
    let room = try MessageKey(.room("r1"), "m1")
    try test.run("+u1 A #5")
    let reused = Command.add("", to: room, by: "u1", id: CommandID(high: 1, low: 5))
    #expect(try test.ledger.append(reused) == .refused(.commandIDReused))
    #expect(
      try test.ledger.append(.add("", to: room, by: "u1")) == .refused(.conversationNotSupported))
    #expect(
      try test.ledger.append(.remove("👍", from: room, by: "u1"))
        == .refused(.conversationNotSupported))
    for index in 0..<19 { try test.run("+u1 r\(index)") }
    #expect(
      try test.ledger.append(.add("", to: .m1, by: "u1")) == .refused(.invalidReaction(.empty)))
    #expect(
      try test.ledger.append(.add("text", to: .m1, by: "u1"))
        == .refused(.invalidReaction(.notAllowed(.text))))
    #expect(try test.run("+u1 A") == [.unchanged(.alreadyReacted)])
    #expect(try test.run("+u1 Z") == [.refused(.limitReached(.distinctPerMessage))])
    #expect(try test.ledger.statistics().head == 21, "refusals append nothing")
  }

  @Test("Actor, cause, parent and client time are in the log") func provenance() throws {
    let test = try TestLedger()
    let time = Timestamp(microseconds: 1_234_567)
    _ = try test.ledger.append(
      .add("👍", to: .m1, by: "u1", actor: "bot", cause: .imported, at: time, parent: "m0"))
    _ = try test.ledger.append(
      .remove("👍", from: .m1, by: "u1", actor: "moderator", cause: .moderation))
    let history = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.history(of: .m1)
    }
    #expect(history.map(\.user) == ["u1", "u1"])
    #expect(history.map(\.actor) == ["bot", "moderator"])
    #expect(history.map(\.record.cause) == [.imported, .moderation])
    #expect(history.map(\.record.clientTime) == [time, nil])
    guard case .change(let added) = history[0].record.content,
      case .change(let removed) = history[1].record.content
    else {
      Issue.record("the history holds events")
      return
    }
    #expect(added.parent == "m0" && added.previous == 0)
    #expect(removed.kind == .removed(ends: history[0].sequence))
    #expect(removed.previous == history[0].sequence)
    try test.requireSound()
  }
}
