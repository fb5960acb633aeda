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

  private var reactions = PreparedReactions()

  /// No commands.
  init() {}

  /// Prepares commands.
  init(_ commands: ArraySlice<Command>) {
    self.commands.reserveCapacity(commands.count)
    bytes.reserveCapacity(commands.count * 72)
    let span = commands.span
    for index in span.indices { append(span, index) }
  }

  /// Prepares a further command.
  mutating func append(_ command: borrowing CommandView) {
    var prepared = PreparedCommand(command)
    if let message = command.message {
      prepared.message = append(message)
      if command.operation != .clearMessage {
        prepared.reaction = reactions.prepare(command.reaction, &bytes)
      }
    }
    prepared.user = append(command.user)
    if let policy = command.policy {
      prepared.policyIndex = policies.count
      policies.append(policy)
    }
    if !UTF8Bytes.areEqual(command.actor, command.user) { prepared.actor = append(command.actor) }
    prepared.parent = append(command.parent)
    commands.append(prepared)
  }

  /// Forgets the commands, and keeps the memory.
  mutating func removeAll() {
    commands.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    policies.removeAll(keepingCapacity: true)
    reactions.removeAll()
  }

  private mutating func append(_ commands: Span<Command>, _ index: Int) {
    var prepared = PreparedCommand(commands[index])
    switch commands[index].action {
    case .change(_, let reaction, let message, let user):
      prepared.message = append(message)
      prepared.user = append(user.text)
      prepared.reaction = reactions.prepare(reaction.utf8Span.span, &bytes)
    case .clear(let message, let reaction):
      prepared.message = append(message)
      if let reaction { prepared.reaction = reactions.prepare(reaction.utf8Span.span, &bytes) }
    case .erase(let user): prepared.user = append(user.text)
    case .setPolicy(let policy):
      prepared.policyIndex = policies.count
      policies.append(policy)
    }
    if let actor = commands[index].actor, actor != commands[index].user {
      prepared.actor = append(actor.text)
    }
    if let parent = commands[index].parent { prepared.parent = append(parent.text) }
    self.commands.append(prepared)
  }

  private mutating func append(_ text: String) -> ByteRange { append(text.utf8Span.span) }

  private mutating func append(_ text: Span<UInt8>) -> ByteRange {
    let start = bytes.count
    bytes.append(text)
    return ByteRange(start, bytes.count)
  }

  private mutating func append(_ message: MessageKey) -> ByteRange {
    let start = bytes.count
    Keys.append(message, to: &bytes)
    return ByteRange(start, bytes.count)
  }

  private mutating func append(_ message: borrowing MessageKeyView) -> ByteRange {
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

  init(_ command: borrowing CommandView) {
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
private struct PreparedReactions: Sendable {
  private struct Known {
    /// The reaction as it was written, among the batch's bytes.
    let text: ByteRange
    let reaction: PreparedReaction
  }

  private var known: [Known] = []
  private var next = 0

  private static let capacity = 8

  /// What is remembered is of no use once the batch's bytes are gone.
  mutating func removeAll() {
    known.removeAll(keepingCapacity: true)
    next = 0
  }

  mutating func prepare(_ text: Span<UInt8>, _ bytes: inout [UInt8]) -> PreparedReaction {
    for index in known.indices {
      let found = known[index]
      if UTF8Bytes.areEqual(bytes.span.extracting(found.text.range), text) {
        return found.reaction
      }
    }
    let found = Self.canonical(text, &bytes)
    if known.count < Self.capacity {
      known.append(found)
    } else {
      known[next] = found
      next = (next + 1) % Self.capacity
    }
    return found.reaction
  }

  private static func canonical(_ text: Span<UInt8>, _ bytes: inout [UInt8]) -> Known {
    var start = bytes.count
    bytes.append(text)
    let written = ByteRange(start, bytes.count)
    do throws(InvalidReaction) {
      let reaction = try Reaction(utf8: text)
      let canonical = reaction.text.utf8Span.span
      guard !UTF8Bytes.areEqual(canonical, text) else {
        return Known(text: written, reaction: .valid(written, reaction.form))
      }
      start = bytes.count
      bytes.append(canonical)
      return Known(
        text: written, reaction: .valid(ByteRange(start, bytes.count), reaction.form))
    } catch {
      return Known(text: written, reaction: .invalid(error))
    }
  }
}
