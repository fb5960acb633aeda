internal import ReactionCodec
internal import ReactionModel

/// The list that a cursor is a place in: the live reactions on a message, all or of one reaction, or
/// those of a user.
struct CursorList {
  /// What tells lists apart.
  private let identity: UInt64

  /// What the hash of an identity begins with, by what it is of.
  private enum Kind: UInt16 {
    case message
    case reaction
    case user
  }

  /// The reactions on a message, of one reaction if it is named.
  init(messageKey: Span<UInt8>, reaction: Reaction?) {
    let message = Self.hash(.message, messageKey)
    guard let reaction else {
      identity = message
      return
    }
    identity = KeyHash.known(message, Self.hash(.reaction, reaction.text.utf8Span.span))
  }

  /// The reactions of a user.
  init(user: UserID) { identity = Self.hash(.user, user.text.utf8Span.span) }

  /// The cursor that stands at an add.
  func cursor(at sequence: UInt64) -> PageCursor {
    PageCursor(sequence: sequence, check: check(sequence))
  }

  /// The add that a cursor stands at.
  ///
  /// - Throws: ``LedgerError/invalidCursor(_:)`` if it is of another list, or was changed.
  func sequence(of cursor: PageCursor) throws(LedgerError) -> UInt64 {
    guard cursor.check == check(cursor.sequence) else {
      throw .invalidCursor("it was changed, or belongs to another message or reaction")
    }
    return cursor.sequence
  }

  /// The add that bounds a page, if there is one.
  func sequence(of direction: PageDirection) throws(LedgerError) -> UInt64? {
    switch direction {
    case .after(let cursor?), .before(let cursor?): try sequence(of: cursor)
    case .after(nil), .before(nil): nil
    }
  }

  private func check(_ sequence: UInt64) -> UInt64 { KeyHash.known(identity, sequence) }

  private static func hash(_ kind: Kind, _ bytes: Span<UInt8>) -> UInt64 {
    KeyHash.known(kind.rawValue, bytes)
  }
}
