import ReactionModel
import Testing

/// A log that breaks a rule, and where.
struct RuleBreach: Sendable, CustomTestStringConvertible {
  let name: String
  let records: String
  let findings: [String]
  /// What the message shows in the end: a record that breaks a rule leaves the state possible.
  let shown: String
  var testDescription: String { name }

  init(_ name: String, _ findings: String, shown: String, _ records: String) {
    self.name = name
    self.records = "1 created\n" + records
    self.findings = findings.split(separator: " ").map(String.init)
    self.shown = shown
  }
}

@Suite("Each rule of the reducer, by a log that breaks it alone")
struct ReducerRuleTests {
  static let log: [RuleBreach] = [
    RuleBreach(
      "L1: a gap", "4:L1", shown: "A=2[u1,u2]",
      """
      2 added u1! A
      4 added u2! A
      """),
    RuleBreach(
      "L1: a sequence again", "2:L1", shown: "A=2[u1,u2]",
      """
      2 added u1! A
      2 added u2! A
      """),
    RuleBreach(
      "L1: a gap before a record that cannot be read", "4:L1", shown: "A=1[u1]",
      """
      2 added u1! A
      4 unreadable
      """),
    RuleBreach(
      "L5: a time goes back", "3:L5", shown: "A=2[u1,u2]",
      """
      2 added u1! A t=10
      3 added u2! A t=9
      """),
    RuleBreach(
      "L7: the chain passes over a record", "3:L7", shown: "A=2[u1,u2]",
      """
      2 added u1! A
      3 added u2! A prev=0
      """),
    RuleBreach(
      "L7: the chain leads to another message", "4:L7", shown: "A=2[u1,u2]",
      """
      2 added u1! A
      3 added u1 A on=m2
      4 added u2! A prev=3
      """),
    RuleBreach(
      "L8: a new user without commitment", "2:L8", shown: "A=1[u1]", "2 added u1 A"),
    RuleBreach(
      "L8: a number left out", "3:L8", shown: "A=2[u1,u3]",
      """
      2 added u1! A
      3 added u3! A
      """),
    RuleBreach(
      "L8: a commitment to a user known before", "3:L8", shown: "A=1[u1] B=1[u1]",
      """
      2 added u1! A
      3 added u1! B
      """),
    RuleBreach(
      "L8: the actor before the user", "2:L8 2:L8", shown: "A=1[u2]", "2 added u2! by1 A"),
    RuleBreach("L9: created again", "2:L9", shown: "-", "2 created"),
  ]

  @Test("The log: L1, L5, L7, L8, L9", arguments: log)
  func logRules(breach: RuleBreach) throws { try verify(breach) }

  @Test("L9: the first record is none, or another")
  func creation() throws {
    #expect(try RecordScript("").findings == ["end:L9"])
    #expect(try RecordScript("1 added u1! A").findings == ["1:L9"])
    #expect(try RecordScript("1 policyChanged").findings == ["1:L9"])
    #expect(try RecordScript("1 created").findings == [])
  }

  static let legality: [RuleBreach] = [
    RuleBreach(
      "E1: an add of what is live", "3:E1", shown: "A=1[u1]",
      """
      2 added u1! A
      3 added u1 A
      """),
    RuleBreach(
      "E2: a remove of what never was", "3:E2", shown: "A=1[u1]",
      """
      2 added u1! A
      3 removed u1 B ends=2
      """),
    RuleBreach(
      "E2: a remove of what is gone", "4:E2", shown: "-",
      """
      2 added u1! A
      3 removed u1 A ends=2
      4 removed u1 A ends=2
      """),
    RuleBreach(
      "E2: a remove that names an earlier add", "5:E2", shown: "A=1[u1]",
      """
      2 added u1! A
      3 removed u1 A ends=2
      4 added u1 A
      5 removed u1 A ends=2
      """),
    RuleBreach(
      "E2: a remove that names another user's add", "4:E2", shown: "A=2[u1,u2]",
      """
      2 added u1! A
      3 added u2! A
      4 removed u1 A ends=3
      """),
    RuleBreach(
      "E2: a remove that names another reaction's add", "4:E2", shown: "A=1[u1] B=1[u1]",
      """
      2 added u1! A
      3 added u1 B
      4 removed u1 A ends=3
      """),
    RuleBreach(
      "E2: a remove on another message", "3:E2", shown: "A=1[u1]",
      """
      2 added u1! A
      3 removed u1 A on=m2 ends=2
      """),
    RuleBreach(
      "E3: a command id again", "3:E3", shown: "A=2[u1,u2]",
      """
      2 added u1! A id=7
      3 added u2! A id=7
      """),
    RuleBreach(
      "E3: a command id again on a notice", "3:E3", shown: "A=1[u1]",
      """
      2 added u1! A id=7
      3 policyChanged id=7
      """),
    RuleBreach(
      "E4: erased while a reaction is live", "3:E4", shown: "A=1[u1]",
      """
      2 added u1! A
      3 userErased u1
      """),
    RuleBreach(
      "E4: an erased user reacts", "5:E4", shown: "A=1[u1]",
      """
      2 added u1! A
      3 removed u1 A of=erase ends=2 cause=userErased
      4 userErased u1 cause=userErased
      5 added u1 A
      """),
    RuleBreach(
      "E4: an erased user acts", "3:E4", shown: "A=1[u2]",
      """
      2 userErased u1!
      3 added u2! by1 A
      """),
    RuleBreach(
      "E4: erased again", "3:E4", shown: "-",
      """
      2 userErased u1!
      3 userErased u1
      """),
  ]

  @Test("Legality: E1–E4", arguments: legality)
  func legalityRules(breach: RuleBreach) throws { try verify(breach) }

  @Test("A finding says rule, place, expected and found")
  func finding() throws {
    var reducer = Reducer()
    _ = reducer.apply(
      Record(
        recordedAt: Timestamp(microseconds: 0), cause: .user, place: Record.Place(.create),
        user: 0, content: .created(ledger: LedgerID(high: 1, low: 2), policy: .standard)), at: 1)
    let findings = reducer.apply(
      Record(
        recordedAt: Timestamp(microseconds: 0), cause: .user, place: Record.Place(.setPolicy),
        user: 0, content: .policyChanged(.standard)), at: 3)
    let expected = Finding(
      .gapless, place: "events 3", expected: "sequence 2", found: "sequence 3", sequence: 3)
    #expect(findings == [expected])
    #expect(
      expected.description
        == "rule L1 broken at events 3: expected sequence 2, found sequence 3")
  }

  @Test("Every rule has a number of its own")
  func numbers() {
    #expect(
      Rule.allCases.map(\.rawValue) == (1...10).map { "L\($0)" } + ["U1", "U2", "U3"]
        + ["E1", "E2", "E3", "E4"] + (1...8).map { "J\($0)" } + ["T1", "T2", "S1"])
  }

  @Test("What no codec gives does not trap: user 0 erased, actor 0")
  func nobody() {
    var reducer = Reducer()
    let record = Record(
      recordedAt: Timestamp(microseconds: 0), cause: .user, place: Record.Place(.erase), user: 0,
      actor: 0, content: .userErased)
    #expect(reducer.apply(record, at: 1).map(\.rule) == [.creation])
    #expect(reducer.users.isEmpty)
  }

  private func verify(_ breach: RuleBreach) throws {
    let script = try RecordScript(breach.records)
    #expect(script.findings == breach.findings)
    #expect(try script.shown() == breach.shown)
  }
}
