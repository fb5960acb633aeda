public import ReactionModel

/// Where the parts of an event's record are, found from its flags and lengths alone; one word.
///
/// What is not in the word follows from it: the fields before the lengths are there or not as the
/// flags say, and the parent, the ids and the commitments fill what is left after the reaction.
@usableFromInline
struct RecordParts {
  /// The bytes that every record begins with: version, kind, cause and operation, flags, recorded
  /// time, user.
  @inlinable static var fixedByteCount: Int { 16 }
  /// Kind of the conversation, lengths of its id, of the message's and of the reaction.
  @inlinable static var lengthsByteCount: Int { 5 }
  /// The sequence of the last change, the lengths, and three texts of a byte.
  private static var leastByteCount: Int {
    fixedByteCount + 6 + lengthsByteCount + 3 + RecordFormat.sealByteCount
  }

  /// From the highest bits on: where the lengths are, where the ids end and where the reaction ends,
  /// 16 bits each since records have no more; the flags; the kind.
  @usableFromInline let word: UInt64

  /// Measures a record; `nil` if it is no event or its parts are not as long as it is.
  @inline(__always)
  init?(_ bytes: Span<UInt8>) {
    typealias Kind = RecordFormat.Kind
    let end = bytes.count &- RecordFormat.sealByteCount
    guard bytes.count >= Self.leastByteCount, bytes.count <= RecordFormat.maximumByteCount else {
      return nil
    }
    let first = bytes.word(at: 0)
    let kind = UInt8(truncatingIfNeeded: first >> 48)
    let flags = RecordFormat.Flags(rawValue: UInt8(truncatingIfNeeded: first >> 32))
    guard UInt8(truncatingIfNeeded: first >> 56) == RecordFormat.version,
      kind == Kind.added || kind == Kind.removed, !flags.contains(.taggedFields)
    else { return nil }
    let head =
      Self.fixedByteCount &+ 6 &+ flags.byteCount(8, if: .clientTime)
      &+ flags.byteCount(4, if: .actor) &+ flags.byteCount(4, if: .place)
      &+ (kind == Kind.removed ? 6 : 0)
    guard head &+ Self.lengthsByteCount <= end else { return nil }
    // The seal follows, so there are eight bytes.
    let lengths = bytes.word(at: head)
    let conversationCount = Int(truncatingIfNeeded: lengths >> 48 & 0xFF)
    let messageCount = Int(truncatingIfNeeded: lengths >> 40 & 0xFF)
    let reactionCount = Int(truncatingIfNeeded: lengths >> 24 & 0xFFFF)
    guard UInt8(truncatingIfNeeded: lengths >> 56) < Conversation.Kind.room.rawValue,
      conversationCount > 0, messageCount > 0,
      conversationCount &+ messageCount <= MessageKey.maximumByteCount,
      reactionCount > 0, reactionCount <= Reaction.maximumByteCount
    else { return nil }
    let idsEnd = head &+ Self.lengthsByteCount &+ conversationCount &+ messageCount
    let reactionEnd = idsEnd &+ reactionCount
    var offset = reactionEnd
    if flags.contains(.parent) {
      guard offset < end, bytes[offset] > 0 else { return nil }
      offset &+= 1 &+ Int(bytes[offset])
    }
    offset &+= flags.byteCount(16, if: .commandID)
    offset &+= flags.byteCount(32, if: .userCommitment)
    offset &+= flags.byteCount(32, if: .actorCommitment)
    guard offset == end else { return nil }
    word =
      UInt64(truncatingIfNeeded: head) << 48 | UInt64(truncatingIfNeeded: idsEnd) << 32
      | UInt64(truncatingIfNeeded: reactionEnd) << 16 | UInt64(flags.rawValue) << 8 | UInt64(kind)
  }

  /// Whether each text is UTF-8 by itself.
  @inline(__always)
  func haveValidTexts(_ bytes: Span<UInt8>) -> Bool {
    let ids = ids
    if bytes.isASCII(ids) {
      guard bytes.isUTF8(reaction) else { return false }
      return !flags.contains(.parent) || bytes.isUTF8(parent(bytes))
    }
    let middle = ids.lowerBound &+ Int(bytes[head &+ 1])
    // The three stand side by side: they are what they are together if none begins amid a character.
    guard bytes.isUTF8(ids.lowerBound..<reaction.upperBound),
      !bytes[middle].isInsideCharacter, !bytes[reaction.lowerBound].isInsideCharacter
    else { return false }
    return !flags.contains(.parent) || bytes.isUTF8(parent(bytes))
  }
}

extension RecordParts {
  /// Where the lengths are; the sequences stand before them.
  @inlinable var head: Int { Int(truncatingIfNeeded: word &>> 48) }

  /// Which of the optional fields are there.
  @inlinable var flags: RecordFormat.Flags {
    RecordFormat.Flags(rawValue: UInt8(truncatingIfNeeded: word &>> 8))
  }

  /// Whether the reaction came; else it went.
  @inlinable var isAdded: Bool { UInt8(truncatingIfNeeded: word) == RecordFormat.Kind.added }

  /// The ids of conversation and message, side by side.
  @inlinable var ids: Range<Int> {
    head &+ Self.lengthsByteCount..<Int(truncatingIfNeeded: word &>> 32 & 0xFFFF)
  }

  /// The reaction.
  @inlinable var reaction: Range<Int> {
    Int(truncatingIfNeeded: word &>> 32 & 0xFFFF)..<Int(truncatingIfNeeded: word &>> 16 & 0xFFFF)
  }

  /// The parent's id; empty, after the reaction, if there is none.
  @inlinable func parent(_ bytes: Span<UInt8>) -> Range<Int> {
    let start = reaction.upperBound
    guard flags.contains(.parent) else { return start..<start }
    return start &+ 1..<start &+ 1 &+ Int(bytes[start])
  }

  /// The command's id.
  @inlinable func commandID(_ bytes: Span<UInt8>) -> CommandID? {
    guard flags.contains(.commandID) else { return nil }
    let offset = parent(bytes).upperBound
    return CommandID(high: bytes.word(at: offset), low: bytes.word(at: offset &+ 8))
  }
}
