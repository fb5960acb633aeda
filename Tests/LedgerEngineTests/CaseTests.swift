import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Cases from the bug reports of other systems, by their numbers, through the engine.
///
/// A script is a row of commands on message m1: `+u1 A` adds, `-u1 A` removes, ` #7` gives an id.
@Suite("Cases") struct CaseTests {
  @Test(arguments: CaseScript.all) func script(_ example: CaseScript) throws {
    let test = try TestLedger()
    var model = NaiveModel()
    for (command, letter) in zip(try example.commands, example.outcomes) {
      let outcome = try test.ledger.append(command)
      #expect(CaseScript.letter(outcome.name) == letter, "\(command)")
      #expect(NaiveModel.Expected(outcome) == model.run(command), "\(command)")
    }
    #expect(example.outcomes.count == (try example.commands.count))
    #expect(try test.shown() == example.shown)
    try test.requireSound()
    try test.reopen()
    #expect(try test.shown() == example.shown, "opened again")
    _ = try test.ledger.rebuild()
    #expect(try test.shown() == example.shown, "rebuilt")
    let then = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      (try snapshot.summary(of: .m1, asOf: .sequence(.max)), try snapshot.summary(of: .m1))
    }
    #expect(then.0 == then.1, "as of the end")
  }

  @Test("Case 1: the third command is unchanged") func case1() throws {
    let test = try TestLedger()
    let outcomes = try test.run("+u1 A, -u1 A, -u1 A")
    #expect(outcomes.map(\.name) == ["recorded", "recorded", "unchanged"])
    #expect(outcomes[2] == .unchanged(.notReacted))
  }

  @Test("Case 3: 50 times on and off, and once more on") func case3() throws {
    let test = try TestLedger()
    for _ in 0..<50 { try test.run("+u1 A, -u1 A") }
    #expect(try test.shown() == "-")
    try test.run("+u1 A")
    #expect(try test.shown() == "A=1[u1]")
    try test.requireSound()
  }

  @Test("Case 6: one read and a batch read agree") func case6() throws {
    let test = try TestLedger()
    for script in ["+u1 A", "+u2 B", "-u1 A", "+u3 B, +u4 B, +u5 B", "-u2 B"] {
      try test.run(script)
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        let one = try snapshot.summary(of: .m1, viewer: "u3")
        let batch = try snapshot.summaries(of: [.m1, .group("g", "none"), .m1], viewer: "u3")
        #expect(batch[0] == one)
        #expect(batch[1].reactions.isEmpty)
        #expect(batch[2] == one)
      }
    }
  }

  @Test("Case 7: an edit of the message is nothing to the ledger: 4 in summary and list")
  func case7() throws {
    let test = try TestLedger()
    try test.run("+u2 A, +u3 A, +u4 A, +u1 A")
    #expect(try test.shown() == "A=4[u2,u3,u4]")
    #expect(try test.allReactors(Reaction(":A:")).map(\.text) == ["u2", "u3", "u4", "u1"])
  }

  @Test("Case 8: the id asked again gets its first receipt") func case8() throws {
    let test = try TestLedger()
    let outcomes = try test.run("+u1 A, +u2 A, -u1 A #7, -u1 A #7")
    #expect(outcomes[3].name == "repeated")
    #expect(outcomes[3].receipt == outcomes[2].receipt)
    try test.reopen()
    #expect(try test.run("-u1 A #7")[0].receipt == outcomes[2].receipt)
    #expect(try test.run("+u1 A #7") == [.refused(.commandIDReused)])
    #expect(try test.run("-u2 A #7") == [.refused(.commandIDReused)])
    #expect(try test.run("-u1 B #7") == [.refused(.commandIDReused)])
  }

  @Test("Case 9: another viewer sees nothing of it") func case9() throws {
    let test = try TestLedger()
    try test.run("+u2 A, -u2 A")
    #expect(try !test.isMine("u9", ":A:"))
  }

  @Test("Case 20: reply and event carry the canonical form, which also removes") func case20()
    throws
  {
    let test = try TestLedger()
    _ = try test.ledger.append(.add("\u{2764}", to: .m1, by: "u1"))
    #expect(try test.shown() == "\u{2764}\u{FE0F}=1[u1]")
    let history = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.history(of: .m1)
    }
    guard case .change(let change) = history[0].record.content else {
      Issue.record("the history holds an event")
      return
    }
    #expect(change.reaction.text.unicodeScalars.map(\.value) == [0x2764, 0xFE0F])
    #expect(
      try test.ledger.append(.remove("\u{2764}\u{FE0F}", from: .m1, by: "u1")).name == "recorded")
    #expect(try test.shown() == "-")
  }

  @Test("Case 21: on, off, close, reopen: absent for every reader") func case21() throws {
    let test = try TestLedger()
    try test.run("+u1 A, -u1 A")
    try test.reopen()
    #expect(try test.shown() == "-")
    #expect(try test.allReactors(Reaction(":A:")).isEmpty)
    #expect(try !test.isMine("u1", ":A:"))
  }

  @Test("Case 24: 5 adds: preview 3, full list 5, and the page says whether there is more")
  func case24() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u3 A, +u4 A, +u5 A")
    #expect(try test.shown() == "A=5[u1,u2,u3]")
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      let reaction = Reaction.named("A")
      let page = try snapshot.reactors(of: reaction, on: .m1, limit: 4)
      #expect(page.count == 5 && page.users.count == 4 && page.cursor != nil)
      let all = try snapshot.reactors(of: reaction, on: .m1, limit: 5)
      #expect(all.users.count == 5 && all.cursor == nil)
    }
  }

  @Test("Case 25: the full list ends in the user who came back") func case25() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u3 A, +u4 A, +u5 A, -u2 A, +u2 A")
    #expect(try test.allReactors(.named("A")).map(\.text) == ["u1", "u3", "u4", "u5", "u2"])
  }

  @Test("Case 27: pages of 2 of 3, then the end") func case27() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u3 A")
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      let first = try snapshot.reactors(of: .named("A"), on: .m1, limit: 2)
      #expect(first.users.map(\.text) == ["u1", "u2"])
      let second = try snapshot.reactors(of: .named("A"), on: .m1, after: first.cursor, limit: 2)
      #expect(second.users.map(\.text) == ["u3"])
      #expect(second.cursor == nil)
    }
  }

  @Test("Case 29: 6 distinct reactions, 6 in the summary") func case29() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u1 B, +u1 C, +u1 D, +u1 E, +u1 F")
    #expect(try test.shown() == "A=1[u1] B=1[u1] C=1[u1] D=1[u1] E=1[u1] F=1[u1]")
  }

  @Test("Case 30: client times order nothing") func case30() throws {
    let test = try TestLedger()
    for (user, time) in [("u1", 200), ("u2", 100), ("u3", 100)] as [(UserID, Int64)] {
      let command = Command.add(":A:", to: .m1, by: user, at: Timestamp(microseconds: time))
      #expect(try test.ledger.append(command).name == "recorded")
    }
    #expect(try test.shown() == "A=3[u1,u2,u3]")
  }

  @Test("Case 31: 👍 with and without U+FE0F is one reaction") func case31() throws {
    let test = try TestLedger()
    _ = try test.ledger.append(.add("\u{1F44D}", to: .m1, by: "u1"))
    _ = try test.ledger.append(.add("\u{1F44D}\u{FE0F}", to: .m1, by: "u2"))
    #expect(try test.shown() == "\u{1F44D}=2[u1,u2]")
  }

  @Test("Case 42: on, the message is edited, reopen") func case42() throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    try test.reopen()
    #expect(try test.shown() == "A=1[u1]")
  }

  @Test("Case 45: the id decides, not what else is known of a user") func case45() throws {
    let test = try TestLedger()
    #expect(try test.run("+u1 A, +u1 A").map(\.name) == ["recorded", "unchanged"])
    // Ids are compared by bytes: canonically equivalent ones are different users.
    let composed: UserID = "\u{E9}", decomposed: UserID = "e\u{301}"
    #expect(try test.ledger.append(.add(":A:", to: .m1, by: composed)).name == "recorded")
    #expect(try test.ledger.append(.add(":A:", to: .m1, by: decomposed)).name == "recorded")
    #expect(try test.shown() == "A=3[u1,\u{E9},e\u{301}]")
    try test.requireSound()
  }
}

extension TestLedger {
  /// Runs a command, and blocks: for asynchronous tests too.
  func append(_ command: Command) throws -> Outcome { try ledger.append(command) }

  /// Runs a script on m1; letters stand for custom reactions of that name.
  @discardableResult
  func run(_ script: String) throws -> [Outcome] {
    try script.split(separator: ",").map { part in
      let words = part.split(separator: " ").map(String.init)
      let user = try UserID(String(words[0].dropFirst()))
      let id =
        words.count > 2 ? UInt64(words[2].dropFirst()).map { CommandID(high: 1, low: $0) } : nil
      return try ledger.append(
        Command(
          words[0].hasPrefix("+") ? .add : .remove, ":\(words[1]):", on: .m1, by: user, id: id))
    }
  }
}

extension Reaction {
  /// The custom reaction of a name.
  static func named(_ name: String) -> Reaction {
    do {
      return try Reaction(":\(name):")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
