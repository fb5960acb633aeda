/// What a caller asks for, its texts as borrowed bytes: what ``Command`` is as a value.
///
/// Ids are of the lengths that ids have, and texts are UTF-8.
public struct CommandView: ~Escapable {
  /// What is to be done; ``Record/Operation/create`` is no command's.
  public let operation: Record.Operation
  /// The message that it concerns; `nil` of an erasure and a policy.
  public let message: MessageKeyView?
  /// The user whom it concerns; empty of a clear and a policy.
  public let user: Span<UInt8>
  /// The reaction that it concerns, as it was written.
  public let reaction: Span<UInt8>
  /// The policy that it sets.
  public let policy: Policy?
  /// Who asks for it; empty if nobody was named.
  public let actor: Span<UInt8>
  /// The message's parent in its thread; empty if it has none.
  public let parent: Span<UInt8>
  /// Why.
  public let cause: Cause
  /// When it was done by the caller's clock.
  public let clientTime: Timestamp?
  /// An id by which the same command can be asked for again.
  public let id: CommandID?

  /// Makes a command to add or to remove a reaction from ids as bytes, as they stand in a packet.
  ///
  /// Complexity: O(bytes); nothing is allocated or copied.
  ///
  /// - Parameters:
  ///   - operation: Whether to add or to remove.
  ///   - reaction: The reaction, as it was written; whether it is one is for the ledger to say.
  ///   - message: The message.
  ///   - user: Whose reaction it is: an id of 1 to 255 bytes of UTF-8.
  ///   - actor: Who asks for it, if not the user; else empty.
  ///   - parent: The message's parent in its thread, if it has one; else empty.
  ///   - cause: Why.
  ///   - clientTime: When it was done by the caller's clock.
  ///   - id: An id by which the same command can be asked for again.
  /// - Throws: ``IdentifierError`` if `user`, or an `actor` or `parent` that is not empty, is no id.
  @_lifetime(copy message, copy user, copy reaction, copy actor, copy parent)
  public init(
    _ operation: Command.Operation, _ reaction: Span<UInt8>, on message: consuming MessageKeyView,
    by user: Span<UInt8>, actor: Span<UInt8> = Span(), parent: Span<UInt8> = Span(),
    cause: Cause = .user, at clientTime: Timestamp? = nil, id: CommandID? = nil
  ) throws(IdentifierError) {
    try UserID.verify(utf8: user)
    if !actor.isEmpty { try UserID.verify(utf8: actor) }
    if !parent.isEmpty { try MessageID.verify(utf8: parent) }
    self.init(
      operation == .add ? .add : .remove, on: message, by: user, reaction, policy: nil,
      actor: actor, parent: parent, cause: cause, at: clientTime, id: id)
  }

  /// Makes a command of texts that were looked at; without a cause it has its operation's usual one.
  @_lifetime(copy message, copy user, copy reaction, copy actor, copy parent)
  package init(
    _ operation: Record.Operation, on message: consuming MessageKeyView?, by user: Span<UInt8>,
    _ reaction: Span<UInt8>, policy: Policy?, actor: Span<UInt8>, parent: Span<UInt8>,
    cause: Cause?, at clientTime: Timestamp?, id: CommandID?
  ) {
    self.operation = operation
    self.message = message
    self.user = user
    self.reaction = reaction
    self.policy = policy
    self.actor = actor
    self.parent = parent
    self.cause = cause ?? Self.usualCause(of: operation)
    self.clientTime = clientTime
    self.id = id
  }

  private static func usualCause(of operation: Record.Operation) -> Cause {
    switch operation {
    case .clearMessage, .clearReaction: .moderation
    case .erase: .userErased
    case .add, .remove, .setPolicy, .create: .user
    }
  }
}

extension Command {
  /// The command as a value.
  ///
  /// - Throws: ``IdentifierError/invalidUTF8`` if a text is not UTF-8.
  public init(_ view: borrowing CommandView) throws(IdentifierError) {
    self.init(
      try Action(view), actor: try Self.identifier(view.actor), cause: view.cause,
      at: view.clientTime, parent: try Self.identifier(view.parent), id: view.id)
  }

  private static func identifier<Kind>(
    _ bytes: Span<UInt8>
  ) throws(IdentifierError) -> Identifier<Kind>? {
    bytes.isEmpty ? nil : try Identifier(utf8: bytes)
  }
}

extension Command.Action {
  fileprivate init(_ view: borrowing CommandView) throws(IdentifierError) {
    switch view.operation {
    case .erase: self = .erase(user: try UserID(utf8: view.user))
    case .setPolicy, .create: self = .setPolicy(view.policy ?? .standard)
    case .add, .remove, .clearMessage, .clearReaction:
      guard let place = view.message else { preconditionFailure("a change has a message") }
      let message = try MessageKey(place)
      switch view.operation {
      case .clearMessage: self = .clear(message: message, reaction: nil)
      case .clearReaction: self = .clear(message: message, reaction: try Self.text(view.reaction))
      default:
        self = .change(
          view.operation == .add ? .add : .remove, reaction: try Self.text(view.reaction),
          message: message, user: try UserID(utf8: view.user))
      }
    }
  }

  private static func text(_ bytes: Span<UInt8>) throws(IdentifierError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw .invalidUTF8
    }
  }
}
