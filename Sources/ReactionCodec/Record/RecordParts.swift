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
  /// The length of the conversation's id.
  private let conversationCount: UInt8
  // Offsets as small as records allow (65,535 bytes): less is copied.
  private let headStart: UInt16
  private let idsEnd: UInt16
  private let reactionEnd: UInt16
  private let parentStart: UInt16
  private let parentEnd: UInt16
  private let sealStart: UInt16

  /// Where kind and length of the conversation are.
  var head: Int { Int(headStart) }
  /// The ids of conversation and message, side by side.
  var ids: Range<Int> { Int(headStart) &+ Self.lengthsByteCount..<Int(idsEnd) }
  /// The reaction.
  var reaction: Range<Int> { Int(idsEnd)..<Int(reactionEnd) }
  /// The parent's id; empty, after the reaction, if there is none.
  var parent: Range<Int> { Int(parentStart)..<Int(parentEnd) }
  /// Where the seal begins.
  var end: Int { Int(sealStart) }

  /// Measures a record; `nil` if it is no event or its parts are not as long as it is.
  @inline(__always)
  init?(_ bytes: Span<UInt8>) {
    typealias Kind = RecordFormat.Kind
    let end = bytes.count &- RecordFormat.sealByteCount
    guard end >= Self.fixedByteCount, bytes.count <= RecordFormat.maximumByteCount,
      bytes[0] == RecordFormat.version
    else { return nil }
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
    headStart = UInt16(truncatingIfNeeded: offset)
    conversationCount = bytes[offset &+ 1]
    let messageCount = bytes[offset &+ 2]
    let idCount = Int(conversationCount) &+ Int(messageCount)
    let reactionCount = Int(bytes[offset &+ 3]) << 8 | Int(bytes[offset &+ 4])
    guard bytes[offset] < Conversation.Kind.room.rawValue, conversationCount > 0,
      messageCount > 0, idCount <= MessageKey.maximumByteCount, reactionCount > 0,
      reactionCount <= Reaction.maximumByteCount
    else { return nil }
    offset &+= Self.lengthsByteCount &+ idCount
    idsEnd = UInt16(truncatingIfNeeded: offset)
    offset &+= reactionCount
    reactionEnd = UInt16(truncatingIfNeeded: offset)
    if flags.contains(.parent) {
      guard offset < end, bytes[offset] > 0 else { return nil }
      parentStart = UInt16(truncatingIfNeeded: offset &+ 1)
      offset &+= 1 &+ Int(bytes[offset])
    } else {
      parentStart = UInt16(truncatingIfNeeded: offset)
    }
    parentEnd = UInt16(truncatingIfNeeded: offset)
    if flags.contains(.commandID) { offset &+= 16 }
    if flags.contains(.userCommitment) { offset &+= 32 }
    if flags.contains(.actorCommitment) { offset &+= 32 }
    guard offset == end else { return nil }
    sealStart = UInt16(truncatingIfNeeded: end)
  }

  /// The command's id.
  func commandID(_ bytes: Span<UInt8>) -> CommandID? {
    guard flags.contains(.commandID) else { return nil }
    let offset = parent.upperBound
    return CommandID(high: bytes.word(at: offset), low: bytes.word(at: offset &+ 8))
  }

  /// Whether each text is UTF-8 by itself.
  func haveValidTexts(_ bytes: Span<UInt8>) -> Bool {
    let middle = ids.lowerBound &+ Int(conversationCount)
    return bytes.extracting(ids.lowerBound..<middle).isUTF8()
      && bytes.extracting(middle..<ids.upperBound).isUTF8()
      && bytes.extracting(reaction).isUTF8()
      && (parent.isEmpty || bytes.extracting(parent).isUTF8())
  }
}
