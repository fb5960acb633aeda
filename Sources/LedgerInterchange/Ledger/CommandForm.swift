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

extension Command {
  /// Reads a command from its JSON form.
  ///
  /// The reaction is taken as it is written: whether it is one is for the ledger to say.
  ///
  /// - Parameter json: An object with the keys of the form and no others.
  /// - Throws: ``FormError``, which names the key.
  public init(json: JSONValue) throws(FormError) {
    var reader = try FormReader(json, "a command")
    let action = try Self.action(&reader)
    let actor: UserID? = try reader.identifierIfPresent("actor")
    var parent: MessageID?
    switch action {
    case .change, .clear: parent = try reader.identifierIfPresent("parent")
    case .erase, .setPolicy: break
    }
    let cause = try reader.parsedIfPresent("cause", "a cause") { Cause(name: $0) }
    let time = try reader.parsedIfPresent("reactedAt", "a time in ISO 8601") {
      Timestamp(parsing: $0)
    }
    let id = try reader.parsedIfPresent("commandId", "a UUID") { CommandID(parsing: $0) }
    try reader.finish()
    self.init(action, actor: actor, cause: cause, at: time, parent: parent, id: id)
  }

  private static func action(_ reader: inout FormReader) throws(FormError) -> Action {
    let word = try reader.string("op")
    switch word {
    case "add", "remove":
      let (message, user) = (try reader.message(), try reader.user())
      return .change(
        word == "add" ? .add : .remove, reaction: try reader.string("reaction"),
        message: message, user: user)
    case "clear":
      return .clear(
        message: try reader.message(), reaction: try reader.stringIfPresent("reaction"))
    case "erase": return .erase(user: try reader.user())
    case "setPolicy": return .setPolicy(try Policy(json: reader.required("policy")))
    default:
      throw FormError(
        "\"op\" is not \"add\", \"remove\", \"clear\", \"erase\" or \"setPolicy\": \"\(word)\"")
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

extension FormReader {
  fileprivate mutating func user() throws(FormError) -> UserID {
    let user: UserID? = try identifierIfPresent("user")
    guard let user else { throw FormError("\"user\" is missing") }
    return user
  }
}
