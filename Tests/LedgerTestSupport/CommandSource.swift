public import ReactionModel

/// Random commands with few users, messages and reactions, so that they meet.
public struct CommandSource {
  /// The users.
  public let users: [UserID] = (1...24).map { UserID(stringLiteral: "u\($0)") }
  /// The messages that can carry reactions.
  public let messages: [MessageKey] = [
    message(.group("g1"), "m1"), message(.group("g1"), "m2"), message(.user("g1"), "m1"),
  ]
  private let reactions = ["👍", "❤", "❤️", ":partyr:", "1\u{20E3}", "🏃‍➡️", "plain text", ":a:1:"]
  private var generator: SeededGenerator
  private var used: [Command] = []
  private var idCount: UInt64 = 0

  private let erases: Bool

  /// Starts from a seed; without erasures, if that is wanted.
  public init(seed: UInt64, erasing erases: Bool = true) {
    generator = SeededGenerator(seed: seed)
    self.erases = erases
  }

  private static let room = message(.room("r1"), "m1")

  private static func message(_ conversation: Conversation, _ id: MessageID) -> MessageKey {
    do {
      return try MessageKey(conversation, id)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The next command.
  public mutating func next() -> Command {
    if !used.isEmpty, chance(3) { return repeated() }
    var command = Command(action())
    if chance(10) { command.actor = pick(users) }
    if chance(10) { command.clientTime = Timestamp(microseconds: Int64(generator.next() >> 20)) }
    if chance(5) { command.parent = "m0" }
    if chance(5) { command.cause = pick(Cause.allCases) }
    if chance(20) {
      idCount += 1
      command.id = CommandID(high: 7, low: idCount)
      used.append(command)
    }
    return command
  }

  /// A policy; about every second is the standard one.
  public mutating func policy() -> Policy {
    if chance(50) { return .standard }
    let validity: [Policy.Validity] = [
      .emoji, .emojiAndCustom, .anyText,
      .allowed(["👍", ":partyr:", "plain text"].compactMap { try? Reaction($0) }),
    ]
    do {
      return try Policy(
        selection: pick(Policy.Selection.allCases),
        maximumDistinctPerMessage: pick([1, 2, 3, 20, 100]),
        maximumPerUserAndMessage: pick([nil, 1, 2, 100]), validity: pick(validity))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private mutating func action() -> Command.Action {
    let kind = generator.next() % 1000
    if kind < 12, erases { return .erase(user: pick(users)) }
    if kind < 24 { return .setPolicy(policy()) }
    let message = chance(1) ? Self.room : pick(messages)
    if kind < 34 { return .clear(message: message, reaction: nil) }
    let reaction =
      chance(3) ? pick(["", "plain", "\u{FE0F}", "a\u{0}b"]) : pick(reactions)
    if kind < 48 { return .clear(message: message, reaction: reaction) }
    // Two commands in three add, so that reactions of more than 16 users come about.
    return .change(
      kind < 680 ? .add : .remove, reaction: reaction, message: message, user: pick(users))
  }

  /// A command whose id was used, as it was or with other content.
  private mutating func repeated() -> Command {
    var command = pick(used)
    if chance(30) { command.action = action() }
    if chance(10) { command.actor = pick(users) }
    if chance(10) { command.cause = .expired }
    return command
  }

  private mutating func chance(_ percent: UInt64) -> Bool { generator.next() % 100 < percent }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int(generator.next() % UInt64(choices.count))]
  }
}
