import ReactionModel

/// The names that a lane uses.
struct Vocabulary {
  /// A reaction that the policy does not allow.
  static let text = "hello"

  /// Emoji, and custom names so long that rows outgrow their page.
  static let reactions =
    ["👍", "❤️", "😂", "🎉", "👩🏽‍💻", "🇪🇺"]
    + (0..<6).map { ":custom-\($0)-" + String(repeating: "x", count: 80) + ":" }

  let users: [UserID]
  let messages: [MessageKey]
  let room: MessageKey

  init(lane: Int) {
    users = (0..<40).map { UserID(stringLiteral: "user-\($0)") }
    messages = (0..<6).map { index in
      let conversation = ConversationID(stringLiteral: "lane-\(lane)-\(index % 3)")
      let filling = String(repeating: "m", count: index * index * 8)
      return Self.key(
        index % 2 == 0 ? .group(conversation) : .user(conversation), "message-\(index)" + filling)
    }
    room = Self.key(.room("lobby"), "message")
  }

  private static func key(_ conversation: Conversation, _ message: String) -> MessageKey {
    do throws(IdentifierError) {
      return try MessageKey(conversation, MessageID(stringLiteral: message))
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// Makes the steps of a lane and what they must come to.
struct LaneBuilder {
  let vocabulary: Vocabulary
  private let number: Int
  private let shape: Workload.Shape
  private var random: SplitMix
  private var model: LaneModel
  private var lane = Lane()
  /// Commands that had an id, to be asked again.
  private var asked: [Command] = []
  private var commandCount = 0

  init(_ number: Int, _ shape: Workload.Shape, _ policy: Policy) {
    self.number = number
    self.shape = shape
    vocabulary = Vocabulary(lane: number)
    random = SplitMix(seed: shape.seed &* 1_000_003 &+ UInt64(number))
    model = LaneModel(policy)
  }

  mutating func build() -> Lane {
    for index in 0..<shape.stepCount {
      let step = step(index)
      var outcomes: [ExpectedOutcome] = []
      if case .commands(let commands, let isAllOrNothing) = step {
        outcomes = model.run(commands, isAllOrNothing: isAllOrNothing)
      }
      lane.steps.append(step)
      lane.outcomes.append(outcomes)
      lane.recordCounts.append(model.records.count)
    }
    lane.records = model.records
    return lane
  }

  /// Every fourth step is upkeep, where the ledger is this lane's alone; else every twelfth.
  private mutating func step(_ index: Int) -> Lane.Step {
    switch (UInt64(index) &+ shape.seed) % 12 {
    case 3 where number == 0: return .rebuild
    case 7 where shape.laneCount == 1: return .reopen
    case 11 where shape.laneCount == 1: return .compact
    default: break
    }
    let count = random.happens(45) ? 1 : 2 + random.below(19)
    let commands = (0..<count).map { _ in nextCommand() }
    return .commands(commands, isAllOrNothing: count > 1 && random.happens(20))
  }

  private mutating func nextCommand() -> Command {
    commandCount += 1
    if !asked.isEmpty, random.happens(6) { return repeatedCommand() }
    var message = random.pick(vocabulary.messages)
    var reaction = random.pick(Vocabulary.reactions)
    var user = random.pick(vocabulary.users)
    var operation = Command.Operation.add
    if random.happens(35) {
      // The popular one, which outgrows its row.
      (message, reaction) = (vocabulary.messages[0], Vocabulary.reactions[0])
    } else if random.happens(35) {
      operation = .remove
      let live = model.live(message)
      if !live.isEmpty { (reaction, user) = random.pick(live) }
    } else if random.happens(3) {
      reaction = Vocabulary.text
    } else if random.happens(2) {
      message = vocabulary.room
    }
    var command = Command(operation, reaction, on: message, by: user)
    decorate(&command)
    return command
  }

  private mutating func decorate(_ command: inout Command) {
    if random.happens(15) {
      command.cause = .moderation
      let actor = random.pick(vocabulary.users)
      if actor != command.user { command.actor = actor }
    }
    if random.happens(30) {
      command.clientTime = Timestamp(microseconds: Int64(1_700_000_000_000_000 + commandCount))
    }
    if command.message == vocabulary.messages[1] { command.parent = "parent" }
    guard random.happens(65) else { return }
    command.id = CommandID(
      high: UInt64(commandCount) << 16 | 0x7000, low: 1 << 63 | UInt64(number) << 56 | shape.seed)
    asked.append(command)
  }

  /// An earlier command again, or another one under its id.
  private mutating func repeatedCommand() -> Command {
    var command = random.pick(asked)
    if random.happens(25) { command.cause = .expired }
    return command
  }
}
