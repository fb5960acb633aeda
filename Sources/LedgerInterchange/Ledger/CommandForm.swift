public import ReactionModel

// The JSON form of a command: `op` ("add", "remove", "clear", "erase", "setPolicy"), and by it
// `conversation`, `message`, `user`, `reaction` (optional in a clear), `policy`; and where they are
// given `actor`, `cause`, `reactedAt`, `parent`, `commandId`.

extension JSONWriter {
  /// Writes a command as an object's members.
  public mutating func members(of command: Command) {
    member("op", command.operationWord)
    if let message = command.message {
      member("conversation", "\(message.conversation)")
      member("message", message.message.text)
      member("parent", ifPresent: command.parent?.text)
    }
    member("user", ifPresent: command.user?.text)
    member("actor", ifPresent: command.actor?.text)
    member("reaction", ifPresent: command.reaction)
    if case .setPolicy(let policy) = command.action { member("policy", policy) }
    if command.cause != command.action.usualCause { member("cause", command.cause.name) }
    member("reactedAt", ifPresent: command.clientTime?.description)
    member("commandId", ifPresent: command.id?.description)
  }
}

extension CommandView {
  /// Reads a command from its JSON form, its texts being those of the document.
  ///
  /// The reaction is taken as it is written: whether it is one is for the ledger to say. Nothing is
  /// allocated but a policy.
  ///
  /// - Parameter json: An object with the keys of the form and no others.
  /// - Throws: ``FormError``, which names the key.
  @_lifetime(copy json)
  public init(json: JSONView) throws(FormError) {
    var reader = try FormReader(json, "a command")
    let word = try reader.string("op")
    guard let verb = Verb(word) else {
      throw FormError(
        "\"op\" is not \"add\", \"remove\", \"clear\", \"erase\" or \"setPolicy\": "
          + "\"\(String(copying: word))\"")
    }
    var operation = verb.operation
    var message: MessageKeyView?
    if verb.hasMessage { message = try reader.message() }
    let user = verb.hasUser ? try reader.identifier("user") : Span()
    var reaction = Span<UInt8>()
    if verb == .clear {
      if let text = try reader.stringIfPresent("reaction") {
        (operation, reaction) = (.clearReaction, text)
      }
    } else if verb.hasMessage {
      reaction = try reader.string("reaction")
    }
    let policy = verb == .setPolicy ? try Policy(json: reader.required("policy")) : nil
    let actor = try reader.identifierIfPresent("actor")
    let parent = verb.hasMessage ? try reader.identifierIfPresent("parent") : Span()
    let cause = try reader.parsedIfPresent("cause", "a cause") { Cause(utf8: $0) }
    let time = try reader.parsedIfPresent("reactedAt", "a time in ISO 8601") {
      Timestamp(utf8: $0)
    }
    let id = try reader.parsedIfPresent("commandId", "a UUID") { CommandID(utf8: $0) }
    try reader.finish()
    self.init(
      operation, on: message, by: user, reaction, policy: policy, actor: actor, parent: parent,
      cause: cause, at: time, id: id)
  }
}

/// The word for what a command does in JSON.
private enum Verb: CaseIterable {
  case add, remove, clear, erase, setPolicy

  init?(_ word: Span<UInt8>) {
    for verb in Self.allCases where word.equals(verb.word) {
      self = verb
      return
    }
    return nil
  }

  var word: StaticString {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .clear: "clear"
    case .erase: "erase"
    case .setPolicy: "setPolicy"
    }
  }

  var operation: Record.Operation {
    switch self {
    case .add: .add
    case .remove: .remove
    case .clear: .clearMessage
    case .erase: .erase
    case .setPolicy: .setPolicy
    }
  }

  var hasMessage: Bool { self == .add || self == .remove || self == .clear }
  var hasUser: Bool { self == .add || self == .remove || self == .erase }
}

extension Command {
  /// Reads a command from its JSON form.
  ///
  /// The reaction is taken as it is written: whether it is one is for the ledger to say.
  ///
  /// - Parameter json: An object with the keys of the form and no others.
  /// - Throws: ``FormError``, which names the key.
  public init(json: JSONView) throws(FormError) {
    let view = try CommandView(json: json)
    do throws(IdentifierError) {
      try self.init(view)
    } catch {
      throw FormError("\(error)")
    }
  }

  /// The word for what it does in JSON.
  fileprivate var operationWord: String {
    switch action {
    case .change(.add, _, _, _): "add"
    case .change(.remove, _, _, _): "remove"
    case .clear: "clear"
    case .erase: "erase"
    case .setPolicy: "setPolicy"
    }
  }
}
