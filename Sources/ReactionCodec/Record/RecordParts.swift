internal import ReactionModel

/// Where the parts of an event's record are, found from its flags and lengths alone.
struct RecordParts {
  /// The bytes that every record begins with: version, kind, cause and operation, flags, recorded
  /// time, user.
  static let fixedByteCount = 16
  /// Kind of the conversation, lengths of its id, of the message's and of the reaction.
  private static let lengthsByteCount = 5

  let kind: UInt8
  let cause: UInt8
  let operation: UInt8
  let flags: RecordFormat.Flags
  /// Where kind and length of the conversation are.
  let head: Int
  let conversationCount: Int
  /// The ids of conversation and message, side by side.
  let ids: Range<Int>
  let reaction: Range<Int>
  /// The parent's id; empty, after the reaction, if there is none.
  let parent: Range<Int>
  /// Where the seal begins.
  let end: Int

  /// Measures a record; `nil` if it is no event or its parts are not as long as it is.
  init?(_ bytes: Span<UInt8>) {
    typealias Kind = RecordFormat.Kind
    end = bytes.count &- RecordFormat.sealByteCount
    guard end >= Self.fixedByteCount, bytes[0] == RecordFormat.version else { return nil }
    kind = bytes[1]
    guard kind == Kind.added || kind == Kind.removed else { return nil }
    (cause, operation) = (bytes[2] >> 4, bytes[2] & 15)
    flags = RecordFormat.Flags(rawValue: bytes[3])
    var offset = Self.fixedByteCount &+ 6
    if flags.contains(.clientTime) { offset &+= 8 }
    if flags.contains(.actor) { offset &+= 4 }
    if flags.contains(.place) { offset &+= 4 }
    if kind == Kind.removed { offset &+= 6 }
    guard offset &+ Self.lengthsByteCount <= end, !flags.contains(.taggedFields) else {
      return nil
    }
    head = offset
    conversationCount = Int(bytes[offset &+ 1])
    let messageCount = Int(bytes[offset &+ 2])
    let reactionCount = Int(bytes[offset &+ 3]) << 8 | Int(bytes[offset &+ 4])
    guard bytes[offset] < Conversation.Kind.room.rawValue, conversationCount > 0,
      messageCount > 0, conversationCount &+ messageCount <= MessageKey.maximumByteCount,
      reactionCount > 0, reactionCount <= Reaction.maximumByteCount
    else { return nil }
    offset &+= Self.lengthsByteCount
    ids = offset..<offset &+ conversationCount &+ messageCount
    reaction = ids.upperBound..<ids.upperBound &+ reactionCount
    offset = reaction.upperBound
    if flags.contains(.parent) {
      guard offset < end, case let parentCount = Int(bytes[offset]), parentCount > 0 else {
        return nil
      }
      parent = offset &+ 1..<offset &+ 1 &+ parentCount
      offset = parent.upperBound
    } else {
      parent = offset..<offset
    }
    if flags.contains(.commandID) { offset &+= 16 }
    if flags.contains(.userCommitment) { offset &+= 32 }
    if flags.contains(.actorCommitment) { offset &+= 32 }
    guard offset == end else { return nil }
  }

  /// Whether each text is UTF-8 by itself.
  func haveValidTexts(_ bytes: Span<UInt8>) -> Bool {
    let middle = ids.lowerBound &+ conversationCount
    return bytes.extracting(ids.lowerBound..<middle).isUTF8()
      && bytes.extracting(middle..<ids.upperBound).isUTF8()
      && bytes.extracting(reaction).isUTF8()
      && (parent.isEmpty || bytes.extracting(parent).isUTF8())
  }
}
