/// An opaque id given by the host: 1 to 255 bytes of UTF-8, compared by bytes and never case-folded.
///
/// `Kind` keeps ids of users, conversations and messages apart at compile time. Two ids are equal
/// exactly if their bytes are; canonically equivalent texts with different bytes are different ids.
public struct Identifier<Kind>: Hashable, Comparable, Sendable {
  /// The id as it was given.
  public let text: String

  /// The longest id, in bytes of UTF-8.
  public static var maximumByteCount: Int { 255 }

  /// Makes an id from a text of 1 to 255 bytes.
  ///
  /// A literal goes to ``init(stringLiteral:)`` instead, which traps where this throws.
  ///
  /// - Parameter text: The id.
  /// - Throws: ``IdentifierError`` if the text is empty or longer than 255 bytes of UTF-8.
  public init(_ text: String) throws(IdentifierError) {
    try Self.verify(byteCount: text.utf8.count)
    self.text = text
  }

  /// Makes an id from bytes.
  ///
  /// - Parameter bytes: 1 to 255 bytes of valid UTF-8.
  /// - Throws: ``IdentifierError`` if there are none, too many, or they are not UTF-8.
  public init(utf8 bytes: Span<UInt8>) throws(IdentifierError) {
    try Self.verify(byteCount: bytes.count)
    do {
      text = String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw .invalidUTF8
    }
  }

  /// Throws if an id cannot have so many bytes.
  package static func verify(byteCount: Int) throws(IdentifierError) {
    guard byteCount > 0 else { throw .empty }
    guard byteCount <= maximumByteCount else { throw .tooLong(byteCount: byteCount) }
  }

  /// Throws if bytes are not an id.
  static func verify(utf8 bytes: Span<UInt8>) throws(IdentifierError) {
    try verify(byteCount: bytes.count)
    do {
      _ = try UTF8Span(validating: bytes)
    } catch {
      throw .invalidUTF8
    }
  }

  /// Whether two ids have the same bytes.
  public static func == (a: Self, b: Self) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }

  /// Whether one id comes before another in the order of their bytes.
  public static func < (a: Self, b: Self) -> Bool {
    UTF8Bytes.precedes(a.text.utf8Span.span, b.text.utf8Span.span)
  }

  /// Hashes the id; equal bytes hash equally.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Identifier: CustomStringConvertible {
  /// The id as it was given.
  public var description: String { text }
}

extension Identifier: ExpressibleByStringLiteral {
  /// Makes an id from a literal; traps if it is empty or longer than 255 bytes.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\"\(text)\" is no id: \(error)")
    }
  }
}

/// What distinguishes ids of users.
public enum UserKind {}
/// What distinguishes ids of conversations.
public enum ConversationKind {}
/// What distinguishes ids of messages.
public enum MessageKind {}

/// The id of a user, 1 to 255 bytes.
public typealias UserID = Identifier<UserKind>
/// The id of a conversation, 1 to 255 bytes; it must hold no personal data.
public typealias ConversationID = Identifier<ConversationKind>
/// The id of a message inside its conversation, 1 to 255 bytes; it must hold no personal data.
public typealias MessageID = Identifier<MessageKind>

/// Why a text is no id.
public enum IdentifierError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text has no bytes.
  case empty
  /// The text has more than 255 bytes of UTF-8.
  case tooLong(byteCount: Int)
  /// The bytes are not UTF-8.
  case invalidUTF8
  /// A conversation id and a message id have more than 480 bytes together.
  case keyTooLong(byteCount: Int)
  /// A conversation is not written as `user:ID`, `group:ID` or `room:ID`.
  case unknownConversationKind(String)

  /// The reason in words.
  public var description: String {
    switch self {
    case .empty: "an id must have at least 1 byte"
    case .tooLong(let byteCount): "an id has at most 255 bytes, this one has \(byteCount)"
    case .invalidUTF8: "an id must be valid UTF-8"
    case .keyTooLong(let byteCount):
      "conversation id and message id have at most 480 bytes together, these have \(byteCount)"
    case .unknownConversationKind(let text):
      "\"\(text)\" names no conversation: write user:ID, group:ID or room:ID"
    }
  }
}
