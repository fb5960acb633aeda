public import ReactionModel

// The JSON form of a command: `op` ("add", "remove"), `conversation`, `message`, `user`,
// `reaction`, and where they are given `actor`, `cause`, `reactedAt`, `parent`, `commandId`.

extension JSONWriter {
  /// Writes a command as an object's members.
  public mutating func members(of command: Command) {
    member("op", command.operation.word)
    member("conversation", "\(command.message.conversation)")
    member("message", command.message.message.text)
    member("parent", ifPresent: command.parent?.text)
    member("user", command.user.text)
    member("actor", ifPresent: command.actor?.text)
    member("reaction", command.reaction)
    if command.cause != .user { member("cause", command.cause.name) }
    member("reactedAt", ifPresent: command.clientTime?.description)
    member("commandId", ifPresent: command.id?.description)
  }
}

extension Command {
  /// Reads a command from its JSON form.
  ///
  /// The reaction is taken as it is written: whether it is one is for the ledger to say.
  ///
  /// - Parameter json: An object with the keys of the form and no others.
  /// - Throws: ``FormError``, which names the key.
  public init(json: JSONValue) throws(FormError) {
    var reader = try FormReader(json, "a command")
    let operation = try reader.parsed("op", "\"add\" or \"remove\"") { text in
      Operation.allCases.first { $0.word == text }
    }
    let message = try reader.message()
    let user: UserID? = try reader.identifierIfPresent("user")
    guard let user else { throw FormError("\"user\" is missing") }
    let reaction = try reader.string("reaction")
    let actor: UserID? = try reader.identifierIfPresent("actor")
    let parent: MessageID? = try reader.identifierIfPresent("parent")
    let cause = try reader.parsedIfPresent("cause", "a cause") { Cause(name: $0) }
    let time = try reader.parsedIfPresent("reactedAt", "a time in ISO 8601") {
      Timestamp(parsing: $0)
    }
    let id = try reader.parsedIfPresent("commandId", "a UUID") { CommandID(parsing: $0) }
    try reader.finish()
    self.init(
      operation, reaction, on: message, by: user, actor: actor, cause: cause ?? .user, at: time,
      parent: parent, id: id)
  }
}

extension Command.Operation {
  /// The word for it in JSON.
  fileprivate var word: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    }
  }
}
