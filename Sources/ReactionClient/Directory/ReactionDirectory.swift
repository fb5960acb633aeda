public import ReactionModel

/// What the host knows and a ledger does not: messages, members, permissions, names.
///
/// A client asks it before every command and for every change that it tells; the ledger itself is
/// never asked about messages or users. It may be asked from any task, by several at once. Answers
/// should be quick: a client's listeners wait for them.
public protocol ReactionDirectory: Sendable {
  /// What there is to know of messages.
  ///
  /// - Parameters:
  ///   - ids: The messages' ids.
  ///   - conversation: Where they are, if the caller said so. Hosts whose message ids are unique may
  ///     pass over it; facts of another conversation are taken for an unknown message.
  ///   - user: Who asks.
  /// - Returns: The facts of each message that the host knows, deleted ones included. One that is
  ///   left out is unknown, or not for this user to know of.
  /// - Throws: ``DirectoryFailure``.
  func messages(
    _ ids: [MessageID], in conversation: Conversation?, for user: UserID
  ) async throws(DirectoryFailure) -> [MessageID: MessageFacts]

  /// Whether a user is a member of a conversation; of a one-to-one conversation, one of the two.
  ///
  /// - Throws: ``DirectoryFailure``.
  func isMember(
    _ user: UserID, of conversation: Conversation
  ) async throws(DirectoryFailure) -> Bool

  /// Whether a member may add, or remove, reactions of their own on a message; true if not
  /// implemented.
  ///
  /// - Throws: ``DirectoryFailure``.
  func mayReact(
    _ user: UserID, _ action: ReactionAction, on message: MessageKey
  ) async throws(DirectoryFailure) -> Bool

  /// The names to show for users; one that is left out has none.
  ///
  /// - Throws: ``DirectoryFailure``.
  func displayNames(of users: [UserID]) async throws(DirectoryFailure) -> [UserID: String]
}

extension ReactionDirectory {
  /// Every member may react.
  public func mayReact(
    _ user: UserID, _ action: ReactionAction, on message: MessageKey
  ) async throws(DirectoryFailure) -> Bool { true }
}

/// What a host knows of a message.
public struct MessageFacts: Hashable, Sendable {
  /// Where the message is.
  public var conversation: Conversation
  /// To whom it was sent.
  public var receiver: Receiver
  /// The message's parent in its thread, if it has one.
  public var parent: MessageID?
  /// Whether it was deleted: then it shows no reactions, and takes none.
  public var isDeleted: Bool

  /// Makes the facts of a message.
  public init(
    conversation: Conversation, receiver: Receiver, parent: MessageID? = nil,
    isDeleted: Bool = false
  ) {
    self.conversation = conversation
    self.receiver = receiver
    self.parent = parent
    self.isDeleted = isDeleted
  }
}

/// To whom a message was sent.
public enum Receiver: Hashable, Sendable {
  /// A user, in a one-to-one conversation.
  case user(UserID)
  /// A group.
  case group(ConversationID)

  /// The receiver's id.
  public var id: String {
    switch self {
    case .user(let id): id.text
    case .group(let id): id.text
    }
  }

  /// What sort of receiver it is.
  public var type: Conversation.Kind {
    switch self {
    case .user: .user
    case .group: .group
    }
  }
}

/// Why a directory could not answer.
public struct DirectoryFailure: Error, Hashable, Sendable {
  /// The reason in words.
  public var reason: String

  /// Makes a failure.
  public init(_ reason: String) { self.reason = reason }
}
