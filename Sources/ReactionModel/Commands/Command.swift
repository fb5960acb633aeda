/// What a caller asks for: to add or to remove one user's reaction on one message.
public struct Command: Hashable, Sendable {
  /// What is to be done.
  public enum Operation: UInt8, Sendable, CaseIterable {
    /// Add a reaction.
    case add = 0
    /// Remove a reaction.
    case remove = 1
  }

  /// What is to be done.
  public var operation: Operation
  /// On which message.
  public var message: MessageKey
  /// The reaction as the caller wrote it; the ledger records its canonical form.
  public var reaction: String
  /// Whose reaction it is.
  public var user: UserID
  /// Who asks for it, if not the user whose reaction it is.
  public var actor: UserID?
  /// Why.
  public var cause: Cause
  /// When the user did it by the caller's clock; data only, it orders nothing.
  public var clientTime: Timestamp?
  /// The message's parent in its thread, if it has one.
  public var parent: MessageID?
  /// An id by which the same command can be asked for again without being done twice.
  public var id: CommandID?

  /// Makes a command.
  public init(
    _ operation: Operation, _ reaction: String, on message: MessageKey, by user: UserID,
    actor: UserID? = nil, cause: Cause = .user, at clientTime: Timestamp? = nil,
    parent: MessageID? = nil, id: CommandID? = nil
  ) {
    self.operation = operation
    self.message = message
    self.reaction = reaction
    self.user = user
    self.actor = actor
    self.cause = cause
    self.clientTime = clientTime
    self.parent = parent
    self.id = id
  }

  /// A command to add a reaction.
  public static func add(
    _ reaction: String, to message: MessageKey, by user: UserID, actor: UserID? = nil,
    cause: Cause = .user, at clientTime: Timestamp? = nil, parent: MessageID? = nil,
    id: CommandID? = nil
  ) -> Command {
    Command(
      .add, reaction, on: message, by: user, actor: actor, cause: cause, at: clientTime,
      parent: parent, id: id)
  }

  /// A command to remove a reaction.
  public static func remove(
    _ reaction: String, from message: MessageKey, by user: UserID, actor: UserID? = nil,
    cause: Cause = .user, at clientTime: Timestamp? = nil, parent: MessageID? = nil,
    id: CommandID? = nil
  ) -> Command {
    Command(
      .remove, reaction, on: message, by: user, actor: actor, cause: cause, at: clientTime,
      parent: parent, id: id)
  }
}
