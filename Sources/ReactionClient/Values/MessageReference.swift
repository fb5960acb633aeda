public import ReactionModel

/// What a message's id may be given as: a `MessageID`, an `Int` or a `String`.
public protocol MessageReference: Sendable {
  /// The id; `nil` if no message can have it.
  var messageID: MessageID? { get }
}

extension Identifier: MessageReference where Kind == MessageKind {
  /// The id itself.
  public var messageID: MessageID? { self }

  /// The id of a message that is numbered: the number in decimal.
  public init(_ number: Int) {
    // At most 20 characters.
    self.init(stringLiteral: String(number))
  }
}

extension Int: MessageReference {
  /// The number in decimal.
  public var messageID: MessageID? { MessageID(self) }
}

extension String: MessageReference {
  /// The text; `nil` if it is empty or longer than 255 bytes.
  public var messageID: MessageID? {
    do throws(IdentifierError) {
      return try MessageID(self)
    } catch {
      return nil
    }
  }
}
