import ReactionModel
import Testing

/// Commands written as text, turned into records in the plainest way: a list of what is live.
///
/// `+u1 A` adds, `-u1 A` removes, `@200` is a client time, `m2:` before it names another message.
/// A duplicate add and a missing remove make no record (P2).
struct CommandScript {
  private(set) var reducer = Reducer()
  private(set) var findings: [Finding] = []
  private var live: [(message: MessageKey, user: UserNumber, reaction: Reaction, add: UInt64)] = []
  private var last: [MessageKey: UInt64] = [:]
  /// The users in order of first mention, which gives them their numbers.
  private var users: [Substring] = []

  init() {
    findings += reducer.apply(
      Record(
        recordedAt: Timestamp(microseconds: 0), cause: .user, place: Record.Place(.create),
        user: 0, content: .created(ledger: LedgerID(high: 1, low: 2), policy: .standard)), at: 1)
  }

  /// Runs commands separated by commas; how many of them were recorded.
  @discardableResult
  mutating func run(_ text: String) throws -> Int {
    let head = reducer.head
    for command in text.split(separator: ",") {
      var words = command.split(separator: " ")
      var message = try MessageKey(.group("g1"), "m1")
      if let word = words.first, word.hasSuffix(":") {
        message = try MessageKey(.group("g1"), MessageID(String(words.removeFirst().dropLast())))
      }
      guard words.count >= 2 else { throw ScriptError(command) }
      let time = words.count > 2 ? Int64(words[2].dropFirst()) : nil
      try run(
        isAdd: words[0].hasPrefix("+"), words[0].dropFirst(), Reaction(String(words[1])), message,
        time.map { Timestamp(microseconds: $0) })
    }
    return Int(reducer.head - head)
  }

  private mutating func run(
    isAdd: Bool, _ name: Substring, _ reaction: Reaction, _ message: MessageKey,
    _ clientTime: Timestamp?
  ) throws {
    let known = users.firstIndex(of: name)
    let user = UserNumber((known ?? users.count) + 1)
    let place = live.firstIndex {
      $0.message == message && $0.user == user && $0.reaction == reaction
    }
    guard isAdd == (place == nil) else { return }
    let sequence = reducer.head + 1
    let ends = place.map { live.remove(at: $0).add }
    if isAdd { live.append((message, user, reaction, sequence)) }
    if known == nil { users.append(name) }
    findings += reducer.apply(
      Record(
        recordedAt: Timestamp(microseconds: Int64(sequence)), cause: .user,
        place: Record.Place(isAdd ? .add : .remove), clientTime: clientTime, user: user,
        userCommitment: known == nil ? Commitment((UInt64(user), 0, 0, 0)) : nil,
        content: .change(
          Record.Change(
            ends.map { .removed(ends: $0) } ?? .added, message: message, reaction: reaction,
            previous: last[message] ?? 0))), at: sequence)
    last[message] = sequence
  }

  func shown(userLimit: Int = 3) throws -> String {
    try reducer.shown(MessageKey(.group("g1"), "m1"), userLimit: userLimit) {
      "\(users[Int($0) - 1])"
    }
  }
}

/// Lines of commands, each with what the message shows after it.
struct CommandTable: Sendable, CustomTestStringConvertible {
  let name: String
  let lines: [(commands: String, shown: String)]
  var testDescription: String { name }

  init(_ name: String, _ text: String) {
    self.name = name
    lines = text.split(separator: "\n").map { line in
      let parts = line.split(separator: "→")
      precondition(parts.count == 2, "\(line) has no arrow")
      return (String(parts[0]), parts[1].trimmingPrefix(" ").description)
    }
  }
}

@Suite("The reducer's state, as tables: CASES and rules P1–P6, P9")
struct ReducerTableTests {
  static let tables = [
    CommandTable(
      "Case 1: a second remove changes nothing",
      """
      +u1 A → A=1[u1]
      -u1 A → -
      -u1 A → -
      """),
    CommandTable(
      "Case 2: nobody else's reaction is counted down",
      """
      +u1 A, +u2 A → A=2[u1,u2]
      -u1 A        → A=1[u2]
      -u1 A        → A=1[u2]
      """),
    CommandTable(
      "Case 3: fifty times on and off",
      String(repeating: "+u1 A → A=1[u1]\n-u1 A → -\n", count: 50) + "+u1 A → A=1[u1]"),
    CommandTable(
      "Case 7: nothing but events changes a count",
      """
      +u2 A               → A=1[u2]
      +u3 A, +u4 A, +u1 A → A=4[u2,u3,u4]
      """),
    CommandTable(
      "Case 22, P5: a place is kept while the count is at least 1",
      """
      +u1 A, +u1 B, +u2 A, +u2 B → A=2[u1,u2] B=2[u1,u2]
      -u1 A                      → A=1[u2] B=2[u1,u2]
      -u2 A                      → B=2[u1,u2]
      +u1 A                      → B=2[u1,u2] A=1[u1]
      """),
    CommandTable(
      "Case 23: after 0 another user begins anew",
      """
      +u1 A → A=1[u1]
      -u1 A → -
      +u2 A → A=1[u2]
      """),
    CommandTable(
      "Case 25, P4, P9: the first three move up, who comes again goes to the end",
      """
      +u1 A, +u2 A, +u3 A, +u4 A, +u5 A → A=5[u1,u2,u3]
      -u2 A                             → A=4[u1,u3,u4]
      +u2 A                             → A=5[u1,u3,u4]
      -u1 A, -u3 A                      → A=3[u4,u5,u2]
      """),
    CommandTable(
      "Case 30, P4: the ledger's sequence orders, the user's clock does not",
      """
      +u1 A @200 → A=1[u1]
      +u2 A @100 → A=2[u1,u2]
      +u3 A @100 → A=3[u1,u2,u3]
      """),
    CommandTable(
      "P1, P2: one live reaction of a user, message and reaction",
      """
      +u1 A        → A=1[u1]
      +u1 A, +u1 A → A=1[u1]
      +u1 B        → A=1[u1] B=1[u1]
      m2: +u1 A    → A=1[u1] B=1[u1]
      -u1 A        → B=1[u1]
      """),
    CommandTable(
      "P6: what has count 0 is nowhere",
      """
      +u1 A, +u1 B, +u1 C → A=1[u1] B=1[u1] C=1[u1]
      -u1 B               → A=1[u1] C=1[u1]
      -u1 A, -u1 C        → -
      """),
  ]

  @Test("Tables", arguments: tables)
  func table(table: CommandTable) throws {
    var script = CommandScript()
    for line in table.lines {
      try script.run(line.commands)
      #expect(try script.shown() == line.shown, "after \(line.commands)")
    }
    #expect(script.findings == [])
  }

  @Test("Case 25: the full list ends in who came again")
  func fullList() throws {
    var script = CommandScript()
    try script.run("+u1 A, +u2 A, +u3 A, +u4 A, +u5 A, -u2 A, +u2 A")
    #expect(try script.shown(userLimit: 10) == "A=5[u1,u3,u4,u5,u2]")
  }

  @Test("P2: what changes nothing appends nothing")
  func unchanged() throws {
    var script = CommandScript()
    #expect(try script.run("+u1 A") == 1)
    #expect(try script.run("+u1 A, -u2 A, -u1 B") == 0)
    #expect(script.reducer.head == 2)
  }

  @Test("Notices change no count, and are told apart from events")
  func notices() throws {
    let script = try RecordScript(
      """
      1 created
      2 added u1! A
      3 policyChanged
      4 removed u1 A of=erase ends=2 cause=userErased
      5 userErased u1 cause=userErased
      """)
    let reducer = script.reducer
    #expect(script.findings == [])
    #expect(reducer.head == 5)
    #expect(reducer.eventCount == 2)
    #expect(reducer.ledger == LedgerID(high: 1, low: 2))
    #expect(reducer.policy?.maximumDistinctPerMessage == 7)
    #expect(reducer.users.map(\.isErased) == [true])
    let message = reducer.messages[try MessageKey(.group("g1"), "m1")]
    #expect(message?.eventCount == 2)
    #expect(message?.lastSequence == 4)
    #expect(message?.reactions == [])
  }
}
