/// What a caller asks for.
public struct Command: Hashable, Sendable {
  /// What is to be done with one user's reaction on one message.
  public enum Operation: UInt8, Sendable, CaseIterable {
    /// Add it.
    case add = 0
    /// Remove it.
    case remove = 1
  }

  /// What is to be done.
  ///
  /// Reactions are as the caller wrote them; the ledger records their canonical form.
  public enum Action: Hashable, Sendable {
    /// Add or remove one user's reaction on one message.
    case change(Operation, reaction: String, message: MessageKey, user: UserID)
    /// Remove all reactions of a message, or one reaction of it from all its users.
    case clear(message: MessageKey, reaction: String?)
    /// Remove all reactions of a user, and forget who the user was.
    case erase(user: UserID)
    /// Let another policy hold from now on.
    case setPolicy(Policy)

    /// The cause of such commands where none is given: `moderation` of a clear, `userErased` of an
    /// erasure, else `user`.
    public var usualCause: Cause {
      switch self {
      case .change, .setPolicy: .user
      case .clear: .moderation
      case .erase: .userErased
      }
    }
  }

  /// What is to be done.
  public var action: Action
  /// Who asks for it, if not the user whose reaction it is.
  public var actor: UserID?
  /// Why.
  public var cause: Cause
  /// When it was done by the caller's clock; data only, it orders nothing.
  public var clientTime: Timestamp?
  /// The message's parent in its thread, if it has one.
  public var parent: MessageID?
  /// An id by which the same command can be asked for again without being done twice.
  public var id: CommandID?

  /// Makes a command; its cause is the action's usual one unless another is given.
  public init(
    _ action: Action, actor: UserID? = nil, cause: Cause? = nil, at clientTime: Timestamp? = nil,
    parent: MessageID? = nil, id: CommandID? = nil
  ) {
    self.action = action
    self.actor = actor
    self.cause = cause ?? action.usualCause
    self.clientTime = clientTime
    self.parent = parent
    self.id = id
  }

  /// A command to add or to remove a reaction.
  public init(
    _ operation: Operation, _ reaction: String, on message: MessageKey, by user: UserID,
    actor: UserID? = nil, cause: Cause = .user, at clientTime: Timestamp? = nil,
    parent: MessageID? = nil, id: CommandID? = nil
  ) {
    self.init(
      .change(operation, reaction: reaction, message: message, user: user), actor: actor,
      cause: cause, at: clientTime, parent: parent, id: id)
  }

  /// The message that it concerns; `nil` of an erasure and a policy.
  public var message: MessageKey? {
    switch action {
    case .change(_, _, let message, _), .clear(let message, _): message
    case .erase, .setPolicy: nil
    }
  }

  /// The user whom it concerns; `nil` of a clear and a policy.
  public var user: UserID? {
    switch action {
    case .change(_, _, _, let user), .erase(let user): user
    case .clear, .setPolicy: nil
    }
  }

  /// The reaction that it concerns, as it was written; `nil` where it concerns all or none.
  public var reaction: String? {
    switch action {
    case .change(_, let reaction, _, _): reaction
    case .clear(_, let reaction): reaction
    case .erase, .setPolicy: nil
    }
  }

  /// What its records say made them.
  public var operation: Record.Operation {
    switch action {
    case .change(.add, _, _, _): .add
    case .change(.remove, _, _, _): .remove
    case .clear(_, nil): .clearMessage
    case .clear(_, .some): .clearReaction
    case .erase: .erase
    case .setPolicy: .setPolicy
    }
  }
}

extension Command {
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

  /// A command to remove all reactions of a message, or one reaction from all its users.
  ///
  /// Each reaction of each user gets an event of its own. More than 8,192 of them are a series of
  /// commands; the command id stands on the last one. Interrupted in between, it is not done: ask
  /// again.
  public static func clear(
    _ message: MessageKey, reaction: String? = nil, actor: UserID? = nil, cause: Cause,
    at clientTime: Timestamp? = nil, parent: MessageID? = nil, id: CommandID? = nil
  ) -> Command {
    Command(
      .clear(message: message, reaction: reaction), actor: actor, cause: cause, at: clientTime,
      parent: parent, id: id)
  }

  /// A command to erase a user: remove all the user's reactions, then forget the id.
  ///
  /// From its first step on the user's adds are refused. Each message is a command of its own, and
  /// the notice that ends the series is another; the command id stands on that. Interrupted in
  /// between, the user stays closed: ask again, by whichever process. Old bytes of the id leave the
  /// file only when the ledger is compacted.
  public static func erase(
    _ user: UserID, actor: UserID? = nil, cause: Cause = .userErased,
    at clientTime: Timestamp? = nil, id: CommandID? = nil
  ) -> Command {
    Command(.erase(user: user), actor: actor, cause: cause, at: clientTime, id: id)
  }

  /// A command to let another policy hold from now on; it changes no reaction.
  public static func setPolicy(
    _ policy: Policy, actor: UserID? = nil, cause: Cause = .user,
    at clientTime: Timestamp? = nil, id: CommandID? = nil
  ) -> Command {
    Command(.setPolicy(policy), actor: actor, cause: cause, at: clientTime, id: id)
  }
}
