import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Every sequence of commands of a small length, in worlds of two users, two reactions and two
/// messages, through the store, against the naive model after every command.
///
/// Sequences that differ only by names are tried once. Worlds are apart from each other, in a
/// conversation and with users of their own, so that one ledger holds them all and one transaction
/// takes a step of many; the policy is everybody's, so those run together that set it alike.
@Suite struct SmallWorldTests {
  #if DEBUG
    static let length = 2
  #else
    static let length = 4
  #endif
  /// The worlds that go on together.
  static let batchCount = 500

  /// A command with names by number.
  enum Step: Hashable {
    case change(Command.Operation, user: Int, reaction: Int, message: Int)
    case clear(message: Int, reaction: Int?)
    case erase(user: Int)
    case setPolicy(Policy.Selection)

    static let all: [Step] = {
      var steps: [Step] = Policy.Selection.allCases.map { .setPolicy($0) }
      for first in 0..<2 {
        steps.append(.erase(user: first))
        steps.append(.clear(message: first, reaction: nil))
        for second in 0..<2 {
          steps.append(.clear(message: first, reaction: second))
          for third in 0..<2 {
            for operation in Command.Operation.allCases {
              steps.append(.change(operation, user: first, reaction: second, message: third))
            }
          }
        }
      }
      return steps
    }()

    var policy: Policy.Selection? {
      if case .setPolicy(let selection) = self { selection } else { nil }
    }

    /// The command in a world.
    func command(in world: Int) throws -> Command {
      func message(_ index: Int) -> MessageKey {
        .group(ConversationID(stringLiteral: "w\(world)"), index == 0 ? "m1" : "m2")
      }
      let reactions = [":A:", "👍"]
      switch self {
      case .change(let operation, let user, let reaction, let place):
        return Command(
          operation, reactions[reaction], on: message(place), by: Self.user(user, in: world))
      case .clear(let place, let reaction):
        return .clear(
          message(place), reaction: reaction.map { reactions[$0] }, cause: .moderation)
      case .erase(let user): return .erase(Self.user(user, in: world))
      case .setPolicy(let selection): return .setPolicy(try Policy(selection: selection))
      }
    }

    static func user(_ index: Int, in world: Int) -> UserID {
      UserID(stringLiteral: "u\(index)-\(world)")
    }
  }

  /// Which names a sequence has used; a second one is used only after the first.
  struct Names {
    private var users = 0
    private var reactions = 0
    private var messages = 0

    /// Whether a step takes names in order; notes them.
    mutating func accept(_ step: Step) -> Bool {
      func take(_ index: Int, _ count: inout Int) -> Bool {
        guard index <= count else { return false }
        count = max(count, index + 1)
        return true
      }
      switch step {
      case .change(_, let user, let reaction, let message):
        return take(user, &users) && take(reaction, &reactions) && take(message, &messages)
      case .clear(let message, let reaction):
        return take(message, &messages) && (reaction.map { take($0, &reactions) } ?? true)
      case .erase(let user): return take(user, &users)
      case .setPolicy: return true
      }
    }
  }

  /// All sequences of the length, by where and how they set the policy.
  static func sequences() -> [[Policy.Selection?]: [[Step]]] {
    var result: [[Policy.Selection?]: [[Step]]] = [:]
    func extend(_ steps: [Step], _ names: Names) {
      guard steps.count < length else {
        result[steps.map(\.policy), default: []].append(steps)
        return
      }
      for step in Step.all {
        var names = names
        if names.accept(step) { extend(steps + [step], names) }
      }
    }
    extend([], Names())
    return result
  }

  struct World {
    let number: Int
    let steps: [Step]
    var model = NaiveModel()
  }

  @Test func everySequence() throws {
    let test = try TestLedger { $0.durability = .lastCommitMayVanish }
    try test.ledger.indexByUser(true)
    var worldCount = 0
    for (policies, sequences) in Self.sequences().sorted(by: { "\($0.key)" < "\($1.key)" }) {
      for start in stride(from: 0, to: sequences.count, by: Self.batchCount) {
        let batch = sequences[start..<min(start + Self.batchCount, sequences.count)]
        var worlds = batch.enumerated().map { World(number: worldCount + $0, steps: $1) }
        worldCount += worlds.count
        _ = try test.append(.setPolicy(.standard))
        for index in 0..<Self.length {
          try Self.step(index, policies[index], &worlds, test)
          try Self.compare(worlds, index, test)
        }
      }
    }
    print("small worlds: \(worldCount) sequences of \(Self.length) commands")
    try test.requireSound()
  }

  /// Does one step of all worlds in one transaction; a policy is set once for them all.
  private static func step(
    _ index: Int, _ policy: Policy.Selection?, _ worlds: inout [World], _ test: TestLedger
  ) throws {
    let commands = try worlds.map { try $0.steps[index].command(in: $0.number) }
    let outcomes =
      policy == nil
      ? try test.ledger.append(commands)
      : Array(repeating: try test.append(commands[0]), count: commands.count)
    for place in worlds.indices {
      let expected = worlds[place].model.run(commands[place])
      if !isEqual(outcomes[place], expected) {
        Issue.record("\(worlds[place].steps): \(outcomes[place]), not \(expected)")
      }
    }
  }

  /// Whether an outcome is what a model expects whose sequences are others.
  private static func isEqual(_ outcome: Outcome, _ expected: NaiveModel.Expected) -> Bool {
    guard case .recorded(let sequences) = expected, case .recorded(let receipt) = outcome else {
      return NaiveModel.Expected(outcome) == expected
    }
    return receipt.sequences.count == sequences.count
  }

  private static func compare(_ worlds: [World], _ index: Int, _ test: TestLedger) throws {
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      for world in worlds {
        var isEqual = true
        let conversation = ConversationID(stringLiteral: "w\(world.number)")
        let messages = [MessageKey.group(conversation, "m1"), .group(conversation, "m2")]
        for user in 0..<2 {
          let id = Step.user(user, in: world.number)
          let mine = world.model.live.filter { $0.person.id == id }
          let found = try snapshot.reactions(by: id).reactions
          isEqual =
            isEqual && found.map(\.reaction) == mine.map(\.reaction)
            && found.map(\.message) == mine.map(\.message)
          for summary in try snapshot.summaries(of: messages, viewer: id) {
            let shown = world.model.shown(summary.message)
            isEqual =
              isEqual && summary.reactions.map(\.reaction) == shown.map(\.reaction)
              && summary.reactions.map(\.firstUsers) == shown.map(\.users)
              && summary.reactions.map(\.count) == shown.map(\.users.count)
              && summary.reactions.map(\.reactedByMe) == shown.map { $0.users.contains(id) }
          }
        }
        if !isEqual { Issue.record("\(world.steps.prefix(index + 1)) shows something else") }
      }
    }
  }
}
