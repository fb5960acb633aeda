public import ReactionModel

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
///
/// It is three words: what its fields are is read from the bytes when it is asked for. Its users are
/// in other modules and read it for every record; what they read is inlinable, and so public.
public struct RecordView: ~Escapable {
  /// All bytes, the seal among them.
  @usableFromInline let bytes: Span<UInt8>
  /// Where the texts and the optional fields are.
  @usableFromInline let parts: RecordParts

  /// The view of a record with its seal; `nil` if the bytes are no change.
  ///
  /// - Complexity: O(bytes).
  @_lifetime(copy bytes)
  public init?(_ bytes: Span<UInt8>) {
    guard let parts = RecordParts(bytes) else { return nil }
    self.bytes = bytes
    self.parts = parts
    guard hasSoundNumbers, parts.haveValidTexts(bytes) else { return nil }
  }

  /// Whether its numbers are in their ranges and fit each other.
  @inline(__always)
  private var hasSoundNumbers: Bool {
    let flags = parts.flags
    guard Cause(rawValue: bytes[2] &>> 4) != nil,
      let operation = Record.Operation(rawValue: bytes[2] & 15),
      RecordFormat.fits(
        operation, parts.isAdded ? RecordFormat.Kind.added : RecordFormat.Kind.removed),
      user > 0, Self.isTime(bytes.word(at: 4)), parts.isAdded || ends > 0
    else { return false }
    // Most records have none of these.
    guard !flags.isDisjoint(with: [.clientTime, .actor, .actorCommitment, .place]) else {
      return true
    }
    if flags.contains(.clientTime) {
      guard Self.isTime(bytes.word(at: RecordParts.fixedByteCount)) else { return false }
    }
    if flags.contains(.actor) {
      let isClear = operation == .clearMessage || operation == .clearReaction
      guard actor > 0, isClear || actor != user else { return false }
    } else if flags.contains(.actorCommitment) {
      return false
    }
    guard flags.contains(.place) else { return true }
    return count >= 2 && count <= Record.Place.countCeiling && index < count
      && (index == 0 || !flags.contains(.commandID))
  }

  private static func isTime(_ word: UInt64) -> Bool {
    Timestamp.range.contains(Int64(bitPattern: word))
  }
}

// What the bytes say. That each field is in them, and what its value may be, was seen when the view
// was made.
extension RecordView {
  /// Every byte before the seal.
  package var body: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.extracting(0..<bytes.count &- RecordFormat.sealByteCount) }
  }

  /// The seal; not checked.
  @inlinable public var seal: UInt64 { bytes.word(at: bytes.count &- RecordFormat.sealByteCount) }

  /// Which command made the record.
  @inlinable public var operation: Record.Operation {
    Record.Operation(rawValue: bytes[2] & 15) ?? .add
  }

  /// Why.
  @inlinable public var cause: Cause { Cause(rawValue: bytes[2] &>> 4) ?? .user }

  /// When it was recorded.
  @inlinable public var recordedAt: Timestamp {
    Timestamp(microseconds: Int64(bitPattern: bytes.word(at: 4)))
  }

  /// Whose reaction it is.
  @inlinable public var user: UserNumber { bytes.halfWord(at: RecordParts.fixedByteCount &- 4) }

  /// When the caller says it was done.
  @inlinable public var clientTime: Timestamp? {
    guard parts.flags.contains(.clientTime) else { return nil }
    return Timestamp(
      microseconds: Int64(bitPattern: bytes.word(at: RecordParts.fixedByteCount)))
  }

  /// Who asked for it, 0 if it was the user.
  @inlinable public var actor: UserNumber {
    guard parts.flags.contains(.actor) else { return 0 }
    return bytes.halfWord(
      at: RecordParts.fixedByteCount &+ parts.flags.byteCount(8, if: .clientTime))
  }

  /// 0 for the command's first record.
  @inlinable public var index: Int { Int(place &>> 16) }

  /// How many records the command has.
  @inlinable public var count: Int { Int(place & 0xFFFF) }

  @inlinable var place: UInt32 {
    guard parts.flags.contains(.place) else { return 1 }
    return bytes.halfWord(
      at: RecordParts.fixedByteCount &+ parts.flags.byteCount(8, if: .clientTime)
        &+ parts.flags.byteCount(4, if: .actor))
  }

  /// The sequence of the last change on the same message, 0 for its first.
  @inlinable public var previous: UInt64 {
    bytes.word(at: parts.head &- (parts.isAdded ? 6 : 12)) &>> 16
  }

  /// The sequence of the add that a remove ends, 0 of an add.
  @inlinable public var ends: UInt64 {
    parts.isAdded ? 0 : bytes.word(at: parts.head &- 6) &>> 16
  }

  /// Whether the reaction came; else it went.
  @inlinable public var isAdded: Bool { parts.isAdded }

  /// What a key of `messages` begins with: the conversation's kind and the length of its id.
  @inlinable public var messageHead: UInt16 {
    UInt16(truncatingIfNeeded: bytes.halfWord(at: parts.head) &>> 16)
  }

  /// The rest of the message's key in `messages`: the ids of the conversation and the message.
  @inlinable public var messageIDs: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.extracting(parts.ids) }
  }

  /// The conversation's kind.
  @inlinable public var conversationKind: Conversation.Kind {
    Conversation.Kind(rawValue: UInt8(truncatingIfNeeded: messageHead &>> 8)) ?? .room
  }

  /// The conversation's id.
  @inlinable public var conversation: Span<UInt8> {
    @_lifetime(copy self)
    get { messageIDs.extracting(0..<Int(messageHead & 0xFF)) }
  }

  /// The message's id.
  @inlinable public var message: Span<UInt8> {
    @_lifetime(copy self)
    get { messageIDs.extracting(droppingFirst: Int(messageHead & 0xFF)) }
  }

  /// The reaction.
  @inlinable public var reaction: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.extracting(parts.reaction) }
  }

  /// The message's parent in its thread; empty if there is none.
  @inlinable public var parent: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.extracting(parts.parent(bytes)) }
  }

  /// The command's id.
  @inlinable public var commandID: CommandID? { parts.commandID(bytes) }

  /// Whether this is the first record that mentions the user.
  @inlinable public var mentionsUserFirst: Bool { parts.flags.contains(.userCommitment) }

  /// Whether this is the first record that mentions the actor.
  @inlinable public var mentionsActorFirst: Bool { parts.flags.contains(.actorCommitment) }

  /// The user's commitment, if this is the first record that mentions the user.
  @inlinable public var userCommitment: Commitment? {
    guard parts.flags.contains(.userCommitment) else { return nil }
    return commitment(
      at: bytes.count &- RecordFormat.sealByteCount
        &- (parts.flags.contains(.actorCommitment) ? 64 : 32))
  }

  /// The actor's commitment, if this is the first record that mentions the actor.
  @inlinable public var actorCommitment: Commitment? {
    guard parts.flags.contains(.actorCommitment) else { return nil }
    return commitment(at: bytes.count &- RecordFormat.sealByteCount &- 32)
  }

  @inlinable func commitment(at offset: Int) -> Commitment {
    Commitment(
      (
        bytes.word(at: offset), bytes.word(at: offset + 8), bytes.word(at: offset + 16),
        bytes.word(at: offset + 24)
      ))
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
      UInt16(truncatingIfNeeded: bytes.halfWord(at: parts.head) &>> 16), parts.ids,
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
      UInt16(truncatingIfNeeded: bytes.halfWord(at: parts.head) &>> 16), parts.ids,
      parts.commandID(bytes),
      !parts.flags.isDisjoint(with: [.userCommitment, .actorCommitment])
    )
  }
}
