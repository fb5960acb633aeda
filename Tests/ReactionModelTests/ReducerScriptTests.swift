import ReactionModel
import Testing

/// What a line of a table is, if it cannot be read.
struct ScriptError: Error, CustomStringConvertible {
  let description: String
  init(_ line: some StringProtocol) { description = "cannot read \"\(line)\"" }
}

/// A log written as text, one record to a line, and the reducer that has taken it.
///
/// A line is a sequence, a kind, and options in any order, each with a default:
///
///     3 removed u2 A on=m2 ends=2 prev=2 t=7 of=add place=0/2 cause=replaced
///
/// `u2!` is a user with a commitment, `by3!` an actor; `t` and `at` (client time) are microseconds;
/// `prev` is, unless given, the last sequence on the same message.
struct RecordScript {
  private(set) var reducer = Reducer()
  /// The findings so far, as `3:E1`.
  private(set) var findings: [String] = []
  private var last: [String: UInt64] = [:]

  init(_ text: String) throws {
    for line in text.split(separator: "\n") { try take(line) }
    findings += reducer.finish().map { "end:\($0.rule.rawValue)" }
  }

  private mutating func take(_ line: Substring) throws {
    var words = line.split(separator: " ")
    guard words.count >= 2, let sequence = UInt64(words.removeFirst()) else {
      throw ScriptError(line)
    }
    let kind = words.removeFirst()
    let found =
      kind == "unreadable"
      ? reducer.skip(to: sequence)
      : reducer.apply(try record(kind, words, at: sequence, line), at: sequence)
    findings += found.map { "\($0.sequence ?? 0):\($0.rule.rawValue)" }
  }

  private mutating func record(
    _ kind: Substring, _ words: [Substring], at sequence: UInt64, _ line: Substring
  ) throws -> Record {
    var line = RecordLine(kind: kind, sequence: sequence)
    for word in words {
      guard try line.take(word) else { throw ScriptError(word) }
    }
    if line.previous == nil { line.previous = last[line.message] ?? 0 }
    if kind == "added" || kind == "removed" { last[line.message] = sequence }
    return try line.record()
  }

  /// What a message shows, as `A=2[u1,u2] B=1[u3]`, first three users; `-` if it shows nothing.
  func shown(_ message: MessageID = "m1") throws -> String {
    try reducer.shown(MessageKey(.group("g1"), message))
  }
}

extension Reducer {
  /// What a message shows, as `A=2[u1,u2] B=1[u3]`, first three users; `-` if it shows nothing.
  func shown(
    _ message: MessageKey, userLimit: Int = 3, name: (UserNumber) -> String = { "u\($0)" }
  ) -> String {
    let parts = (messages[message]?.reactions ?? []).map { live in
      let users = live.reactors.prefix(userLimit).map { name($0.user) }
      return "\(live.reaction)=\(live.reactors.count)[\(users.joined(separator: ","))]"
    }
    return parts.isEmpty ? "-" : parts.joined(separator: " ")
  }
}

/// The fields of one line.
private struct RecordLine {
  let kind: Substring
  var message = "m1"
  var previous: UInt64?
  private var reaction = "A"
  private var ends: UInt64 = 1
  private var parent: MessageID?
  private var fields: Record

  init(kind: Substring, sequence: UInt64) {
    self.kind = kind
    let operations: [Substring: Record.Operation] = [
      "added": .add, "removed": .remove, "created": .create, "policyChanged": .setPolicy,
      "userErased": .erase,
    ]
    fields = Record(
      recordedAt: Timestamp(microseconds: Int64(sequence)), cause: .user,
      place: Record.Place(operations[kind] ?? .add), user: 0, content: .userErased)
  }

  /// Takes an option; false if it is none.
  mutating func take(_ word: Substring) throws -> Bool {
    let parts = word.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return take(flag: word) }
    let value = parts[1]
    switch parts[0] {
    case "on": message = String(value)
    case "prev": previous = UInt64(value)
    case "ends": ends = UInt64(value) ?? 0
    case "parent": parent = try MessageID(String(value))
    case "t": fields.recordedAt = Timestamp(microseconds: Int64(value) ?? 0)
    case "at": fields.clientTime = Timestamp(microseconds: Int64(value) ?? 0)
    case "id": fields.commandID = CommandID(high: 0, low: UInt64(value) ?? 0)
    case "cause": fields.cause = try #require(Cause(name: String(value)))
    case "of":
      fields.place.operation = try #require(
        Record.Operation.allCases.first { "\($0)" == value })
    case "place":
      let numbers = value.split(separator: "/").compactMap { Int($0) }
      guard numbers.count == 2 else { return false }
      (fields.place.index, fields.place.count) = (numbers[0], numbers[1])
    default: return false
    }
    return true
  }

  private mutating func take(flag word: Substring) -> Bool {
    let isFirst = word.hasSuffix("!")
    let name = isFirst ? word.dropLast() : word
    if name.hasPrefix("by"), let number = UserNumber(name.dropFirst(2)) {
      fields.actor = number
      fields.actorCommitment = isFirst ? Self.commitment(number) : nil
    } else if name.hasPrefix("u"), let number = UserNumber(name.dropFirst()) {
      fields.user = number
      fields.userCommitment = isFirst ? Self.commitment(number) : nil
    } else {
      reaction = String(word)
    }
    return true
  }

  static func commitment(_ number: UserNumber) -> Commitment {
    Commitment((UInt64(number), 0, 0, 0))
  }

  func record() throws -> Record {
    var record = fields
    switch kind {
    case "added", "removed":
      record.content = .change(
        Record.Change(
          kind == "added" ? .added : .removed(ends: ends),
          message: try MessageKey(.group("g1"), MessageID(message)), parent: parent,
          reaction: try Reaction(reaction), previous: previous ?? 0))
    case "created":
      record.content = .created(ledger: LedgerID(high: 1, low: 2), policy: .standard)
    case "policyChanged":
      record.content = .policyChanged(try Policy(maximumDistinctPerMessage: 7))
    case "userErased": record.content = .userErased
    default: throw ScriptError(kind)
    }
    return record
  }
}

@Suite("The notation of the reducer's tables")
struct ReducerScriptTests {
  @Test("A line's fields")
  func fields() throws {
    let script = try RecordScript(
      """
      1 created
      2 added u1! by2! :b: on=m7 t=9 at=3 parent=p id=5 cause=imported
      """)
    #expect(script.findings == [])
    #expect(try script.shown("m7") == ":b:=1[u1]")
    #expect(try script.shown() == "-")
    #expect(script.reducer.users.map(\.liveCount) == [1, 0])
    #expect(script.reducer.commands == [CommandID(high: 0, low: 5): 2])
  }

  @Test("What is no line", arguments: ["x created", "1", "1 nothing", "1 created on=m place=3"])
  func errors(line: String) {
    #expect(throws: ScriptError.self) { try RecordScript(line) }
  }
}
