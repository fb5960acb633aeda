import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Random commands against a naive model in memory.
///
/// The live ledger is equal after every command, the replayed and the rebuilt one after every
/// fiftieth. 200 seeds optimised, 20 unoptimised.
@Suite struct ModelTests {
  #if DEBUG
    static let seeds: [UInt64] = Array(1...20)
  #else
    static let seeds: [UInt64] = Array(1...200)
  #endif
  static let commandCount = 500

  @Test(arguments: seeds) func liveReplayedAndRebuiltAreEqual(seed: UInt64) throws {
    let test = try TestLedger()
    var source = CommandSource(seed: seed)
    var model = NaiveModel()
    for index in 1...Self.commandCount {
      let command = source.next()
      let outcome = try test.ledger.append(command)
      let expected = model.run(command)
      #expect(Self.matches(outcome, expected), "seed \(seed), command \(index): \(command)")
      try Self.compare(test, model, source, "seed \(seed), command \(index)")
      if index % 50 == 0 { try Self.rebuildAndCompare(test, "seed \(seed), command \(index)") }
    }
  }

  private static func matches(_ outcome: Outcome, _ expected: NaiveModel.Expected) -> Bool {
    switch (outcome, expected) {
    case (.recorded(let receipt), .recorded(let sequence)),
      (.repeated(let receipt), .repeated(let sequence)):
      receipt.sequences == sequence...sequence
    case (.unchanged, .unchanged), (.refused, .refused): true
    default: false
    }
  }

  private static func compare(
    _ test: TestLedger, _ model: NaiveModel, _ source: CommandSource, _ place: Comment
  ) throws {
    let viewer = source.users[0]
    let summaries = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.summaries(of: source.messages, viewer: viewer)
    }
    for summary in summaries {
      let shown = model.shown(summary.message)
      #expect(summary.reactions.map(\.reaction) == shown.map(\.reaction), place)
      #expect(summary.reactions.map(\.count) == shown.map(\.users.count), place)
      #expect(summary.reactions.map(\.firstUsers) == shown.map { Array($0.users.prefix(3)) }, place)
      #expect(
        summary.reactions.map(\.reactedByMe) == shown.map { $0.users.contains(viewer) }, place)
    }
  }

  private static func rebuildAndCompare(_ test: TestLedger, _ place: Comment) throws {
    var live: [String: [[[UInt8]]]] = [:]
    try test.reopen { live = try RawLedger.projections(at: test.path) }
    try test.requireSound()
    _ = try test.ledger.rebuild()
    try test.requireSound()
    var rebuilt: [String: [[[UInt8]]]] = [:]
    try test.reopen { rebuilt = try RawLedger.projections(at: test.path) }
    #expect(rebuilt == live, place)
  }
}

/// Random commands with few users, messages and reactions, so that they meet.
struct CommandSource {
  let users: [UserID] = (1...24).map { UserID(stringLiteral: "u\($0)") }
  let messages: [MessageKey] = [
    .m1, .group("g1", "m2"), .group("g2", "m1"),
  ]
  private let reactions = ["👍", "❤", "❤️", ":partyr:", "1\u{20E3}", "🏃‍➡️"]
  private var generator: SeededGenerator
  private var used: [Command] = []
  private var idCount: UInt64 = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> Command {
    if !used.isEmpty, chance(3) { return repeated() }
    // Two commands in three add, so that reactions of more than 16 users come about.
    var command = Command(
      chance(66) ? .add : .remove, pick(reactions), on: pick(messages), by: pick(users))
    if chance(3) { command.reaction = pick(["", "plain text", "\u{FE0F}", "a\u{0}b"]) }
    if chance(10) { command.actor = pick(users) }
    if chance(10) { command.clientTime = Timestamp(microseconds: Int64(generator.next() >> 20)) }
    if chance(5) { command.parent = "m0" }
    if chance(20) {
      idCount += 1
      command.id = CommandID(high: 7, low: idCount)
      used.append(command)
    }
    return command
  }

  /// A command whose id was used, as it was or with other content.
  private mutating func repeated() -> Command {
    var command = pick(used)
    if command.actor == command.user { command.actor = nil }
    if chance(30) { command.operation = command.operation == .add ? .remove : .add }
    return command
  }

  private mutating func chance(_ percent: UInt64) -> Bool { generator.next() % 100 < percent }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int(generator.next() % UInt64(choices.count))]
  }
}
