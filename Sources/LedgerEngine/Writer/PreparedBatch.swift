internal import ReactionCodec
internal import ReactionModel

/// Commands made ready on the caller's thread: ids and texts are bytes in one buffer, reactions are in
/// canonical form, keys are as the store has them.
///
/// So the writer neither counts references nor hashes texts.
struct PreparedBatch: Sendable {
  /// The commands.
  private(set) var commands: [PreparedCommand] = []
  /// What their fields are ranges of.
  private(set) var bytes: [UInt8] = []
  /// The policies of those that set one.
  private(set) var policies: [Policy] = []

  /// Prepares commands.
  init(_ commands: ArraySlice<Command>) {
    var reactions = PreparedReactions(commandCount: commands.count)
    self.commands.reserveCapacity(commands.count)
    bytes.reserveCapacity(commands.count * 72)
    for command in commands { self.commands.append(prepare(command, &reactions)) }
  }

  private mutating func prepare(
    _ command: Command, _ reactions: inout PreparedReactions
  ) -> PreparedCommand {
    var prepared = PreparedCommand(command)
    switch command.action {
    case .change(_, let reaction, let message, let user):
      prepared.message = append(message)
      prepared.user = append(user.text)
      prepared.reaction = reactions.prepare(reaction, &bytes)
    case .clear(let message, let reaction):
      prepared.message = append(message)
      if let reaction { prepared.reaction = reactions.prepare(reaction, &bytes) }
    case .erase(let user): prepared.user = append(user.text)
    case .setPolicy(let policy):
      prepared.policyIndex = policies.count
      policies.append(policy)
    }
    if let actor = command.actor, actor != command.user { prepared.actor = append(actor.text) }
    if let parent = command.parent { prepared.parent = append(parent.text) }
    return prepared
  }

  private mutating func append(_ text: String) -> ByteRange {
    let start = bytes.count
    bytes.append(text.utf8Span.span)
    return ByteRange(start, bytes.count)
  }

  private mutating func append(_ message: MessageKey) -> ByteRange {
    let start = bytes.count
    Keys.append(message, to: &bytes)
    return ByteRange(start, bytes.count)
  }
}

/// A range of a batch's bytes.
struct ByteRange: Sendable {
  private let start: UInt32
  private let end: UInt32

  /// No bytes.
  init() { (start, end) = (0, 0) }

  init(_ start: Int, _ end: Int) { (self.start, self.end) = (UInt32(start), UInt32(end)) }

  /// Whether there is nothing in it: no id and no reaction is empty.
  var isEmpty: Bool { start == end }

  /// The range.
  var range: Range<Int> { Int(start)..<Int(end) }
}

/// A command of a batch; plain numbers, so that a copy costs nothing.
struct PreparedCommand: Sendable {
  let operation: Record.Operation
  let cause: Cause
  let clientTime: Timestamp?
  let id: CommandID?
  /// The key in `messages` of the message that it concerns.
  var message = ByteRange()
  /// The user whom it concerns.
  var user = ByteRange()
  /// Who asked for it, if not the user.
  var actor = ByteRange()
  /// The message's parent.
  var parent = ByteRange()
  /// The reaction that it concerns; `nil` where it concerns all or none.
  var reaction: PreparedReaction?
  /// Which of the batch's policies it sets.
  var policyIndex = 0

  /// Whether it clears a message: it concerns no user by name.
  var isClear: Bool { operation == .clearMessage || operation == .clearReaction }

  init(_ command: Command) {
    operation = command.operation
    cause = command.cause
    clientTime = command.clientTime
    id = command.id
  }
}

/// A reaction in canonical form, or why it is none.
enum PreparedReaction: Sendable {
  case valid(ByteRange, Reaction.Form)
  case invalid(InvalidReaction)
}

/// Brings reactions into canonical form; the last ones are remembered, since a few are most of them.
private struct PreparedReactions {
  private var known: [(text: String, reaction: PreparedReaction)] = []
  private var next = 0

  private static let capacity = 8

  init(commandCount: Int) { known.reserveCapacity(min(commandCount, Self.capacity)) }

  mutating func prepare(_ text: String, _ bytes: inout [UInt8]) -> PreparedReaction {
    for index in known.indices where UTF8Bytes.areEqual(known[index].text, text) {
      return known[index].reaction
    }
    let reaction = Self.canonical(text, &bytes)
    if known.count < Self.capacity {
      known.append((text, reaction))
    } else {
      known[next] = (text, reaction)
      next = (next + 1) % Self.capacity
    }
    return reaction
  }

  private static func canonical(_ text: String, _ bytes: inout [UInt8]) -> PreparedReaction {
    do throws(InvalidReaction) {
      let reaction = try Reaction(text)
      let start = bytes.count
      bytes.append(reaction.text.utf8Span.span)
      return .valid(ByteRange(start, bytes.count), reaction.form)
    } catch {
      return .invalid(error)
    }
  }
}
