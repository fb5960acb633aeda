import ReactionModel

/// What the commands of a lane must come to, in the plainest way: lists, searched.
///
/// It shares nothing with the engine and its reducer: it is what they are held against.
struct LaneModel {
  private struct Block {
    let reaction: String
    var holders: [(user: UserID, add: Int)]
  }

  let selection: Policy.Selection
  let distinctLimit: Int
  private(set) var records: [ExpectedRecord] = []
  private var blocks: [MessageKey: [Block]] = [:]
  private var lastRecord: [MessageKey: Int] = [:]
  private var receipts: [CommandID: (command: LaneCommand, numbers: ClosedRange<Int>)] = [:]

  init(_ policy: Policy) {
    selection = policy.selection
    distinctLimit = policy.maximumDistinctPerMessage
  }

  /// Runs commands, each on its own or all or none of them.
  mutating func run(_ commands: [Command], isAllOrNothing: Bool) -> [ExpectedOutcome] {
    let before = self
    let outcomes = commands.map { run($0) }
    guard isAllOrNothing, let refused = outcomes.firstIndex(where: \.isRefusal) else {
      return outcomes
    }
    self = before
    return outcomes.indices.map { $0 == refused ? outcomes[$0] : .other("rolledBack") }
  }

  private mutating func run(_ asked: Command) -> ExpectedOutcome {
    guard let command = LaneCommand(asked) else { preconditionFailure("lanes add and remove") }
    if let id = command.id, let receipt = receipts[id] {
      return Self.isSame(command, receipt.command)
        ? .repeated(receipt.numbers) : .other("refused:commandIDReused")
    }
    if command.message.conversation.kind == .room {
      return .other("refused:conversationNotSupported")
    }
    let first = records.count + 1
    if command.operation == .add {
      if let refusal = add(command) { return refusal }
    } else if !remove(command) {
      return .other("unchanged:notReacted")
    }
    let numbers = first...records.count
    if let id = command.id { receipts[id] = (command, numbers) }
    return .recorded(numbers)
  }

  /// Adds; returns why it does not.
  private mutating func add(_ command: LaneCommand) -> ExpectedOutcome? {
    if command.reaction == Vocabulary.text { return .other("refused:invalidReaction") }
    let before = blocks[command.message] ?? []
    let isHeld = before.contains { block in
      block.reaction == command.reaction && block.holders.contains { $0.user == command.user }
    }
    // In single mode the user's other reactions go; there is never more than one.
    let others = before.compactMap { block -> (reaction: String, isOnly: Bool)? in
      guard selection == .single, block.reaction != command.reaction,
        block.holders.contains(where: { $0.user == command.user })
      else { return nil }
      return (block.reaction, block.holders.count == 1)
    }
    if isHeld, others.isEmpty { return .other("unchanged:alreadyReacted") }
    let isShown = before.contains { $0.reaction == command.reaction }
    let distinct = before.count - others.count { $0.isOnly }
    if !isShown, distinct >= distinctLimit { return .other("refused:limitReached") }
    let count = others.count + (isHeld ? 0 : 1)
    for (index, other) in others.enumerated() {
      take(other.reaction, command, .replaced, index: index, count: count)
    }
    if !isHeld { put(command, index: count - 1, count: count) }
    return nil
  }

  private mutating func remove(_ command: LaneCommand) -> Bool {
    let isHeld = (blocks[command.message] ?? []).contains { block in
      block.reaction == command.reaction && block.holders.contains { $0.user == command.user }
    }
    if isHeld { take(command.reaction, command, command.cause, index: 0, count: 1) }
    return isHeld
  }

  private mutating func put(_ command: LaneCommand, index: Int, count: Int) {
    let number = append(command, command.reaction, command.cause, nil, index, count)
    var list = blocks[command.message] ?? []
    if let place = list.firstIndex(where: { $0.reaction == command.reaction }) {
      list[place].holders.append((command.user, number))
    } else {
      list.append(Block(reaction: command.reaction, holders: [(command.user, number)]))
    }
    blocks[command.message] = list
  }

  private mutating func take(
    _ reaction: String, _ command: LaneCommand, _ cause: Cause, index: Int, count: Int
  ) {
    var list = blocks[command.message] ?? []
    guard let place = list.firstIndex(where: { $0.reaction == reaction }),
      let holder = list[place].holders.firstIndex(where: { $0.user == command.user })
    else { return }
    let add = list[place].holders.remove(at: holder).add
    if list[place].holders.isEmpty { list.remove(at: place) }
    blocks[command.message] = list
    _ = append(command, reaction, cause, add, index, count)
  }

  private mutating func append(
    _ command: LaneCommand, _ reaction: String, _ cause: Cause, _ ends: Int?, _ index: Int,
    _ count: Int
  ) -> Int {
    records.append(
      ExpectedRecord(
        operation: command.operation == .add ? .add : .remove, index: index, count: count,
        message: command.message, parent: command.parent, reaction: reaction, user: command.user,
        actor: command.actor, cause: cause, clientTime: command.clientTime,
        commandID: index == 0 ? command.id : nil, ends: ends,
        previous: lastRecord[command.message] ?? 0))
    lastRecord[command.message] = records.count
    return records.count
  }

  /// Whether two commands with one id ask for the same.
  private static func isSame(_ a: LaneCommand, _ b: LaneCommand) -> Bool {
    a.operation == b.operation && a.message == b.message && a.reaction == b.reaction
      && a.user == b.user && a.actor == b.actor && a.cause == b.cause
  }
}

extension LaneModel {
  /// A live reaction, by its place among all of a message.
  func live(_ message: MessageKey) -> [(reaction: String, user: UserID)] {
    (blocks[message] ?? []).flatMap { block in
      block.holders.map { (block.reaction, $0.user) }
    }
  }
}

extension ExpectedOutcome {
  var isRefusal: Bool {
    if case .other(let token) = self { token.hasPrefix("refused") } else { false }
  }
}

/// A command to add or remove, taken apart.
struct LaneCommand {
  let operation: Command.Operation
  let reaction: String
  let message: MessageKey
  let user: UserID
  let actor: UserID?
  let cause: Cause
  let clientTime: Timestamp?
  let parent: MessageID?
  let id: CommandID?

  init?(_ command: Command) {
    guard case .change(let operation, let reaction, let message, let user) = command.action else {
      return nil
    }
    self.operation = operation
    self.reaction = reaction
    self.message = message
    self.user = user
    actor = command.actor
    cause = command.cause
    clientTime = command.clientTime
    parent = command.parent
    id = command.id
  }
}
