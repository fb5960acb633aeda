internal import ReactionCodec
internal import ReactionModel

/// The list that a cursor is a place in: the live reactions on a message, all or of one reaction, or
/// those of a user.
struct CursorList {
  private let identity: [UInt8]
  private let sealer: Sealer

  init(messageKey: [UInt8], reaction: Reaction?, _ sealer: Sealer) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 + messageKey.count + (reaction?.text.utf8.count ?? 0))
    bytes.append(u16: UInt16(messageKey.count))
    bytes += messageKey
    if let reaction { bytes.append(reaction.text.utf8Span.span) }
    identity = bytes
    self.sealer = sealer
  }

  init(user: UserID, _ sealer: Sealer) {
    // No key of a message begins like this: its length would be 0.
    identity = [0, 0] + Array(user.text.utf8)
    self.sealer = sealer
  }

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

  private func check(_ sequence: UInt64) -> UInt64 {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(6 + identity.count)
    bytes.append(u48: sequence)
    bytes += identity
    return sealer.cursorCheck(bytes)
  }
}
