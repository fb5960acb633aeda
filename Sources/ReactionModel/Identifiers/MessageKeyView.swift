/// What identifies a message, as borrowed bytes: what ``MessageKey`` is as a value.
///
/// Its ids are of the lengths that ids have. They are UTF-8 too, unless they came from a text whose
/// UTF-8 is looked at as a whole.
public struct MessageKeyView: ~Escapable {
  /// What sort of conversation it is.
  public let kind: Conversation.Kind
  /// The conversation's id.
  public let conversation: Span<UInt8>
  /// The message's id inside its conversation.
  public let message: Span<UInt8>

  /// Makes the key of a message from ids as bytes.
  ///
  /// Complexity: O(bytes); nothing is allocated or copied.
  ///
  /// - Parameters:
  ///   - kind: What sort of conversation it is.
  ///   - conversation: The conversation's id: 1 to 255 bytes of UTF-8.
  ///   - message: The message's id: 1 to 255 bytes of UTF-8, at most 480 with the conversation's.
  /// - Throws: ``IdentifierError`` if one is no id, or both are too long together.
  @_lifetime(copy conversation, copy message)
  public init(
    _ kind: Conversation.Kind, conversation: Span<UInt8>, message: Span<UInt8>
  ) throws(IdentifierError) {
    try ConversationID.verify(utf8: conversation)
    try MessageID.verify(utf8: message)
    try self.init(kind, id: conversation, message: message)
  }

  /// Makes the key of a message.
  ///
  /// - Parameters:
  ///   - conversation: `user:ID`, `group:ID` or `room:ID`, in UTF-8.
  ///   - message: The message's id, in UTF-8.
  /// - Throws: ``IdentifierError``, what ``Conversation/init(parsing:)`` and ``MessageKey`` throw.
  @_lifetime(copy conversation, copy message)
  package init(
    conversation: Span<UInt8>, message: Span<UInt8>
  ) throws(IdentifierError) {
    guard let kind = Self.kind(of: conversation) else {
      throw .unknownConversationKind(String(decoding: [UInt8](conversation), as: UTF8.self))
    }
    let id = conversation.extracting(droppingFirst: kind.name.utf8.count + 1)
    try ConversationID.verify(byteCount: id.count)
    try MessageID.verify(byteCount: message.count)
    try self.init(kind, id: id, message: message)
  }

  @_lifetime(copy id, copy message)
  private init(
    _ kind: Conversation.Kind, id: Span<UInt8>, message: Span<UInt8>
  ) throws(IdentifierError) {
    let byteCount = id.count + message.count
    guard byteCount <= MessageKey.maximumByteCount else {
      throw .keyTooLong(byteCount: byteCount)
    }
    self.kind = kind
    conversation = id
    self.message = message
  }

  private static func kind(of bytes: Span<UInt8>) -> Conversation.Kind? {
    for kind in Conversation.Kind.allCases {
      let count = kind.name.utf8.count
      guard bytes.count > count, bytes[count] == UInt8(ascii: ":"),
        UTF8Bytes.areEqual(bytes.extracting(0..<count), kind.name.utf8Span.span)
      else { continue }
      return kind
    }
    return nil
  }
}

extension MessageKey {
  /// The key as a value.
  ///
  /// - Throws: ``IdentifierError/invalidUTF8``.
  public init(_ view: borrowing MessageKeyView) throws(IdentifierError) {
    let id = try ConversationID(utf8: view.conversation)
    try self.init(Conversation(kind: view.kind, id: id), MessageID(utf8: view.message))
  }
}
