/// Where messages are: a one-to-one conversation, a group or a chat room, and its id.
public struct Conversation: Hashable, Comparable, Sendable {
  /// What sort of conversation it is.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// One-to-one.
    case user = 0
    /// A group.
    case group = 1
    /// A chat room, which carries no reactions: every command on one is refused.
    case room = 2

    /// The word used for it in text: `user`, `group`, `room`.
    public var name: String {
      switch self {
      case .user: "user"
      case .group: "group"
      case .room: "room"
      }
    }
  }

  /// What sort of conversation it is.
  public let kind: Kind
  /// Its id, unique among the conversations of its kind.
  public let id: ConversationID

  /// Makes the name of a conversation.
  public init(kind: Kind, id: ConversationID) {
    self.kind = kind
    self.id = id
  }

  /// A one-to-one conversation.
  public static func user(_ id: ConversationID) -> Conversation { .init(kind: .user, id: id) }
  /// A group.
  public static func group(_ id: ConversationID) -> Conversation { .init(kind: .group, id: id) }
  /// A chat room; commands on it are refused.
  public static func room(_ id: ConversationID) -> Conversation { .init(kind: .room, id: id) }

  /// Parses `user:ID`, `group:ID` or `room:ID`; everything after the first colon is the id.
  ///
  /// - Parameter text: The conversation as ``description`` writes it.
  /// - Throws: ``IdentifierError`` if the kind is unknown or the id is not valid.
  public init(parsing text: String) throws(IdentifierError) {
    for kind in Kind.allCases where text.utf8.starts(with: (kind.name + ":").utf8) {
      let id = text.utf8.dropFirst(kind.name.utf8.count + 1)
      self.init(kind: kind, id: try ConversationID(String(Substring(id))))
      return
    }
    throw .unknownConversationKind(text)
  }

  /// The order of the store: by kind, then by the id's length, then by its bytes.
  public static func < (a: Self, b: Self) -> Bool {
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    let (first, second) = (a.id.text.utf8.count, b.id.text.utf8.count)
    return first == second ? a.id < b.id : first < second
  }
}

extension Conversation: CustomStringConvertible {
  /// `user:ID`, `group:ID` or `room:ID`.
  public var description: String { "\(kind.name):\(id)" }
}

/// What identifies a message: its conversation and its own id together.
///
/// In several systems message ids are unique only inside a conversation.
public struct MessageKey: Hashable, Comparable, Sendable {
  /// Where the message is.
  public let conversation: Conversation
  /// The message's id inside its conversation.
  public let message: MessageID

  /// The most bytes that conversation id and message id may have together.
  public static let maximumByteCount = 480

  /// Makes the key of a message.
  ///
  /// - Throws: ``IdentifierError/keyTooLong(byteCount:)`` if both ids have more than 480 bytes.
  public init(_ conversation: Conversation, _ message: MessageID) throws(IdentifierError) {
    let byteCount = conversation.id.text.utf8.count + message.text.utf8.count
    guard byteCount <= Self.maximumByteCount else { throw .keyTooLong(byteCount: byteCount) }
    self.conversation = conversation
    self.message = message
  }

  /// The order of the store: by conversation, then by the message id's bytes.
  public static func < (a: Self, b: Self) -> Bool {
    a.conversation == b.conversation ? a.message < b.message : a.conversation < b.conversation
  }
}

extension MessageKey: CustomStringConvertible {
  /// Conversation and message id, separated by a slash.
  public var description: String { "\(conversation)/\(message)" }
}
