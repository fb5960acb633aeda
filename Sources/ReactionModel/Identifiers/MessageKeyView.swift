/// What identifies a message, as borrowed bytes: what ``MessageKey`` is as a value.
///
/// Its ids are of the lengths that ids have; that they are UTF-8 is up to who made it.
public struct MessageKeyView: ~Escapable {
  /// What sort of conversation it is.
  public let kind: Conversation.Kind
  /// The conversation's id.
  public let conversation: Span<UInt8>
  /// The message's id inside its conversation.
  public let message: Span<UInt8>

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
    let byteCount = id.count + message.count
    guard byteCount <= MessageKey.maximumByteCount else {
      throw .keyTooLong(byteCount: byteCount)
    }
    self.kind = kind
    self.conversation = id
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
