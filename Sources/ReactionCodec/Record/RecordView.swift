package import ReactionModel

/// An event as its bytes in the log: the fields of a record without texts or arrays of their own.
///
/// There is a view of exactly those bytes that ``RecordFormat/decode(_:)`` makes a change of; of
/// others, notices and damaged ones, there is none, and that function says what they are.
///
/// A view's bytes are the only ones that its record encodes to: version, kind, cause and operation
/// are single bytes that are compared or looked up one to one, and each flag says whether its field
/// is there (the place only where its count is not 1, the tags never). The numbers are of fixed
/// length and in ranges where nothing is clamped, each text stands as it is after its own length,
/// and nothing follows the last field. So a replay need not encode it again (L3).
package struct RecordView: ~Escapable {
  /// Every byte before the seal.
  package let body: Span<UInt8>
  /// The seal; not checked.
  package let seal: UInt64
  /// Which command made the record.
  package let operation: Record.Operation
  /// 0 for the command's first record.
  package var index: Int { Int(place >> 16) }
  /// How many records the command has.
  package var count: Int { Int(place & 0xFFFF) }
  private let place: UInt32
  /// Why.
  package let cause: Cause
  /// When it was recorded.
  package let recordedAt: Timestamp
  /// When the caller says it was done.
  package let clientTime: Timestamp?
  /// Whose reaction it is.
  package let user: UserNumber
  /// Who asked for it, 0 if it was the user.
  package let actor: UserNumber
  /// The sequence of the last change on the same message, 0 for its first.
  package let previous: UInt64
  /// The sequence of the add that a remove ends, 0 of an add.
  package let ends: UInt64
  /// Where the texts and the optional fields are.
  private let parts: RecordParts

  /// The view of a record with its seal; `nil` if the bytes are no change.
  ///
  /// - Complexity: O(bytes).
  @_lifetime(copy bytes)
  package init?(_ bytes: Span<UInt8>) {
    guard let parts = RecordParts(bytes), let cause = Cause(rawValue: parts.cause),
      let operation = Record.Operation(rawValue: parts.operation),
      RecordFormat.fits(operation, parts.kind)
    else { return nil }
    let flags = parts.flags
    body = bytes.extracting(0..<parts.end)
    seal = bytes.word(at: parts.end)
    self.operation = operation
    self.cause = cause
    self.parts = parts
    user = bytes.halfWord(at: RecordParts.fixedByteCount - 4)
    var offset = RecordParts.fixedByteCount
    var isSound = user > 0
    let recorded = Int64(bitPattern: bytes.word(at: RecordParts.fixedByteCount - 12))
    isSound = isSound && Timestamp.range.contains(recorded)
    recordedAt = Timestamp(microseconds: recorded)
    if flags.contains(.clientTime) {
      let time = Int64(bitPattern: bytes.word(at: offset))
      isSound = isSound && Timestamp.range.contains(time)
      clientTime = Timestamp(microseconds: time)
      offset &+= 8
    } else {
      clientTime = nil
    }
    if flags.contains(.actor) {
      actor = bytes.halfWord(at: offset)
      let isClear = operation == .clearMessage || operation == .clearReaction
      isSound = isSound && actor > 0 && (isClear || actor != user)
      offset &+= 4
    } else {
      actor = 0
      isSound = isSound && !flags.contains(.actorCommitment)
    }
    if flags.contains(.place) {
      place = bytes.halfWord(at: offset)
      let (index, count) = (Int(place >> 16), Int(place & 0xFFFF))
      isSound = isSound && count >= 2 && count <= Record.Place.countCeiling && index < count
      isSound = isSound && (index == 0 || !flags.contains(.commandID))
      offset &+= 4
    } else {
      place = 1
    }
    previous = bytes.word(at: offset) >> 16
    if parts.kind == RecordFormat.Kind.removed {
      ends = bytes.word(at: offset &+ 6) >> 16
      isSound = isSound && ends > 0
    } else {
      ends = 0
    }
    guard isSound, parts.haveValidTexts(bytes) else { return nil }
  }
}

extension RecordView {
  /// Where the key of an event's message and its user are, of bytes of which nothing else is
  /// checked; `nil` if they cannot be an event.
  package static func messageKey(
    of bytes: Span<UInt8>
  ) -> (head: UInt16, ids: Range<Int>, user: UserNumber)? {
    guard let parts = RecordParts(bytes) else { return nil }
    return (
      UInt16(truncatingIfNeeded: bytes.halfWord(at: parts.head) >> 16), parts.ids,
      bytes.halfWord(at: RecordParts.fixedByteCount - 4)
    )
  }

  /// What decides whether one slice of a replay needs an event: the key of its message, its command
  /// id, and whether it introduces a user.
  ///
  /// Nothing else of the bytes is checked; `nil` if they cannot be an event.
  package static func outline(
    of bytes: Span<UInt8>
  ) -> (head: UInt16, ids: Range<Int>, commandID: CommandID?, introduces: Bool)? {
    guard let parts = RecordParts(bytes) else { return nil }
    return (
      UInt16(truncatingIfNeeded: bytes.halfWord(at: parts.head) >> 16), parts.ids,
      parts.commandID(bytes),
      !parts.flags.isDisjoint(with: [.userCommitment, .actorCommitment])
    )
  }

  /// Whether the reaction came; else it went.
  package var isAdded: Bool { ends == 0 }

  /// What a key of `messages` begins with: the conversation's kind and the length of its id.
  package var messageHead: UInt16 {
    UInt16(truncatingIfNeeded: body.halfWord(at: parts.head) >> 16)
  }

  /// The rest of the message's key in `messages`: the ids of the conversation and the message.
  package var messageIDs: Span<UInt8> {
    @_lifetime(copy self)
    get { body.extracting(parts.ids) }
  }

  /// The conversation's kind.
  package var conversationKind: Conversation.Kind {
    Conversation.Kind(rawValue: UInt8(truncatingIfNeeded: messageHead >> 8)) ?? .room
  }

  /// The conversation's id.
  package var conversation: Span<UInt8> {
    @_lifetime(copy self)
    get { messageIDs.extracting(0..<Int(messageHead & 0xFF)) }
  }

  /// The message's id.
  package var message: Span<UInt8> {
    @_lifetime(copy self)
    get { messageIDs.extracting(droppingFirst: Int(messageHead & 0xFF)) }
  }

  /// The reaction.
  package var reaction: Span<UInt8> {
    @_lifetime(copy self)
    get { body.extracting(parts.reaction) }
  }

  /// The message's parent in its thread; empty if there is none.
  package var parent: Span<UInt8> {
    @_lifetime(copy self)
    get { body.extracting(parts.parent) }
  }

  /// The command's id.
  package var commandID: CommandID? { parts.commandID(body) }

  /// Whether this is the first record that mentions the user.
  package var mentionsUserFirst: Bool { parts.flags.contains(.userCommitment) }

  /// Whether this is the first record that mentions the actor.
  package var mentionsActorFirst: Bool { parts.flags.contains(.actorCommitment) }

  /// The user's commitment, if this is the first record that mentions the user.
  package var userCommitment: Commitment? {
    guard parts.flags.contains(.userCommitment) else { return nil }
    return commitment(at: parts.end - (parts.flags.contains(.actorCommitment) ? 64 : 32))
  }

  /// The actor's commitment, if this is the first record that mentions the actor.
  package var actorCommitment: Commitment? {
    guard parts.flags.contains(.actorCommitment) else { return nil }
    return commitment(at: parts.end - 32)
  }

  private func commitment(at offset: Int) -> Commitment {
    Commitment(
      (
        body.word(at: offset), body.word(at: offset + 8), body.word(at: offset + 16),
        body.word(at: offset + 24)
      ))
  }
}
