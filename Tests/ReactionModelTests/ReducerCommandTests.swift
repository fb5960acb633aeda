import ReactionModel
import Testing

@Suite("L6: the records of a command follow each other and agree")
struct ReducerCommandTests {
  /// Three users with A, then what a test adds.
  private static let start = """
    2 added u1! A t=2
    3 added u2! A t=2
    4 added u3! B t=2

    """

  static let sound: [RuleBreach] = [
    RuleBreach(
      "one of single selection: replaced, then added", "", shown: "A=1[u2] B=2[u3,u1]",
      start + """
        5 removed u1 A of=add place=0/2 ends=2 cause=replaced t=9 id=1
        6 added u1 B place=1/2 t=9
        """),
    RuleBreach(
      "an add that only takes others away", "", shown: "A=1[u2] B=1[u3]",
      start + "5 removed u1 A of=add ends=2 cause=replaced"),
    RuleBreach(
      "a message cleared", "", shown: "-",
      start + """
        5 removed u1 A of=clearMessage place=0/3 ends=2 cause=messageDeleted by4! t=9
        6 removed u2 A of=clearMessage place=1/3 ends=3 cause=messageDeleted by4 t=9
        7 removed u3 B of=clearMessage place=2/3 ends=4 cause=messageDeleted by4 t=9
        """),
    RuleBreach(
      "a reaction cleared", "", shown: "B=1[u3]",
      start + """
        5 removed u1 A of=clearReaction place=0/2 ends=2 cause=moderation t=9 at=1 parent=p
        6 removed u2 A of=clearReaction place=1/2 ends=3 cause=moderation t=9 at=1 parent=p
        """),
    RuleBreach(
      "a user erased: two reactions on one message, then the notice", "",
      shown: "A=1[u2] B=1[u3]",
      start + """
        5 added u1 C
        6 removed u1 A of=erase place=0/2 ends=2 cause=userErased t=9
        7 removed u1 C of=erase place=1/2 ends=5 cause=userErased t=9
        8 userErased u1 cause=userErased t=9
        """),
  ]

  @Test("Commands that are sound", arguments: sound)
  func soundCommands(log: RuleBreach) throws { try verify(log) }

  /// A command of two records, in which the second differs by one option.
  private static func pair(
    _ name: String, _ findings: String = "6:L6", shown: String = "A=1[u2] B=1[u3]", first: String,
    second: String
  ) -> RuleBreach {
    RuleBreach(name, findings, shown: shown, start + "5 \(first)\n6 \(second)")
  }

  private static let removed = "removed u1 A of=add place=0/2 ends=2 cause=replaced t=9"
  private static let added = "added u1 B place=1/2 t=9"
  private static let both = "A=1[u2] B=2[u3,u1]"

  static let broken: [RuleBreach] = [
    RuleBreach(
      "it begins with index 1", "2:L6", shown: "A=1[u1]", "2 added u1! A place=1/2"),
    RuleBreach(
      "the log ends inside it", "end:L6", shown: "-",
      """
      2 added u1! A
      3 removed u1 A of=add place=0/2 ends=2 cause=replaced
      """),
    pair(
      "another command begins inside it", shown: both, first: removed, second: "added u1 B t=9"),
    pair(
      "a notice stands inside it", shown: "A=1[u2] B=1[u3]", first: removed,
      second: "policyChanged t=9"),
    pair(
      "another operation", shown: "B=1[u3]",
      first: "removed u1 A of=clearMessage place=0/2 ends=2 t=9",
      second: "removed u2 A of=clearReaction place=1/2 ends=3 t=9"),
    pair(
      "another count", "6:L6 6:L6 end:L6", shown: both, first: removed,
      second: "added u1 B place=1/3 t=9"),
    pair(
      "another message", first: removed, second: added + " on=m2"),
    pair("another parent", shown: both, first: removed, second: added + " parent=p"),
    pair("another time", shown: both, first: removed, second: "added u1 B place=1/2 t=10"),
    pair("another client time", shown: both, first: removed, second: added + " at=1"),
    pair("another actor", shown: both, first: removed, second: added + " by4!"),
    pair(
      "an add with two users", shown: "A=1[u2] B=2[u3,u4]", first: removed,
      second: "added u4! B place=1/2 t=9"),
    pair(
      "an add that goes on after the added record", "5:L6", shown: "A=1[u2] B=2[u3,u1]",
      first: "added u1 B place=0/2 t=9",
      second: "removed u1 A of=add place=1/2 ends=2 cause=replaced t=9"),
    RuleBreach(
      "an add takes away, but not as replaced", "3:L6", shown: "-",
      """
      2 added u1! A
      3 removed u1 A of=add ends=2
      """),
    pair(
      "a remove of two records", "5:L6 6:L6", shown: "B=1[u3]",
      first: "removed u1 A place=0/2 ends=2 t=9", second: "removed u2 A place=1/2 ends=3 t=9"),
    pair(
      "a clear with two causes", shown: "B=1[u3]",
      first: "removed u1 A of=clearMessage place=0/2 ends=2 cause=expired t=9",
      second: "removed u2 A of=clearMessage place=1/2 ends=3 cause=moderation t=9"),
    pair(
      "a clear of one reaction that takes another", shown: "A=1[u2]",
      first: "removed u1 A of=clearReaction place=0/2 ends=2 t=9",
      second: "removed u3 B of=clearReaction place=1/2 ends=4 t=9"),
    pair(
      "an erasure of two users", shown: "B=1[u3]",
      first: "removed u1 A of=erase place=0/2 ends=2 t=9",
      second: "removed u2 A of=erase place=1/2 ends=3 t=9"),
  ]

  @Test("Commands that are broken in one way", arguments: broken)
  func brokenCommands(log: RuleBreach) throws { try verify(log) }

  private func verify(_ log: RuleBreach) throws {
    let script = try RecordScript(log.records)
    #expect(script.findings == log.findings)
    #expect(try script.shown() == log.shown)
  }
}
