public import ReactionModel

/// The bytes of keys and of small values; the rules are numbered in the article `FileFormat`.
public enum Keys {
  /// `events`: the sequence, 8 bytes.
  package static func event(_ sequence: UInt64) -> InlineArray<8, UInt8> {
    bigEndian(sequence)
  }

  /// The sequence in a key of `events`.
  @inlinable
  public static func sequence(ofEvent key: Span<UInt8>) throws(CodecError) -> UInt64 {
    guard key.count == 8 else { throw .badValue("length of a key of events") }
    let sequence = key.word(at: 0)
    guard sequence > 0, sequence < RecordFormat.sequenceBound else {
      throw .badValue("sequence in a key of events")
    }
    return sequence
  }

  /// `messages`: conversation kind, length of its id, its id, the message's id.
  package static func message(_ key: MessageKey, into bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    append(key, to: &bytes)
  }

  /// Appends a key of `messages`.
  package static func append(_ key: MessageKey, to bytes: inout [UInt8]) {
    let conversation = key.conversation.id.text.utf8Span.span
    bytes.append(key.conversation.kind.rawValue)
    bytes.append(UInt8(conversation.count))
    bytes.append(conversation)
    bytes.append(key.message.text.utf8Span.span)
  }

  /// Appends a key of `messages`.
  package static func append(_ key: borrowing MessageKeyView, to bytes: inout [UInt8]) {
    bytes.append(key.kind.rawValue)
    bytes.append(UInt8(key.conversation.count))
    bytes.append(key.conversation)
    bytes.append(key.message)
  }

  /// The parts of a key of `messages` that is known to be one.
  package struct MessageParts: ~Escapable {
    /// The conversation's kind.
    package let kind: Conversation.Kind
    /// The conversation's id.
    package let conversation: Span<UInt8>
    /// The message's id.
    package let message: Span<UInt8>

    /// Takes a key apart; traps if it is none.
    @_lifetime(copy key)
    package init(_ key: Span<UInt8>) {
      guard let kind = Conversation.Kind(rawValue: key[0]) else {
        preconditionFailure("a key of messages begins with the conversation's kind")
      }
      self.kind = kind
      conversation = key.extracting(2..<2 + Int(key[1]))
      message = key.extracting(droppingFirst: 2 + Int(key[1]))
    }
  }

  /// What the keys of all messages of a conversation begin with.
  package static func conversation(_ conversation: Conversation) -> [UInt8] {
    let id = conversation.id.text.utf8Span.span
    var bytes: [UInt8] = [conversation.kind.rawValue, UInt8(id.count)]
    bytes.append(id)
    return bytes
  }

  /// The message in a key of `messages`.
  package static func message(_ key: Span<UInt8>) throws(CodecError) -> MessageKey {
    var reader = ByteReader(key)
    guard let kind = Conversation.Kind(rawValue: try reader.u8("conversation kind")),
      kind != .room
    else { throw .badValue("conversation kind") }
    let count = Int(try reader.u8("conversation length"))
    let conversation: ConversationID = try identifier(
      reader.take(count, "conversation"), "conversation")
    let message: MessageID = try identifier(
      reader.take(reader.remainingCount, "message"), "message")
    return try messageKey(Conversation(kind: kind, id: conversation), message)
  }

  /// The bytes of a key of `reactors`.
  @inlinable public static var reactorByteCount: Int { 12 }
  /// The bytes of a user number.
  @inlinable public static var userByteCount: Int { 4 }

  /// `reactors`: opening sequence, sequence of the add.
  package static func reactor(opened: UInt64, sequence: UInt64) -> InlineArray<12, UInt8> {
    var key = InlineArray<12, UInt8>(repeating: 0)
    for index in 0..<6 {
      key[index] = byte(opened, index, of: 6)
      key[6 + index] = byte(sequence, index, of: 6)
    }
    return key
  }

  /// Opening sequence and sequence of the add in a key of `reactors`.
  @inlinable @inline(__always)
  public static func reactor(
    _ key: Span<UInt8>
  ) throws(CodecError) -> (opened: UInt64, sequence: UInt64) {
    guard key.count == reactorByteCount else { throw .badValue("length of a key of reactors") }
    return (key.bigEndian(at: 0, byteCount: 6), key.bigEndian(at: 6, byteCount: 6))
  }

  /// `members`: opening sequence, user number.
  package static func member(opened: UInt64, user: UserNumber) -> InlineArray<10, UInt8> {
    var key = InlineArray<10, UInt8>(repeating: 0)
    for index in 0..<6 { key[index] = byte(opened, index, of: 6) }
    for index in 0..<4 { key[6 + index] = byte(UInt64(user), index, of: 4) }
    return key
  }

  /// Opening sequence and user number in a key of `members`.
  package static func member(
    _ key: Span<UInt8>
  ) throws(CodecError) -> (opened: UInt64, user: UserNumber) {
    guard key.count == 10 else { throw .badValue("length of a key of members") }
    return (
      key.bigEndian(at: 0, byteCount: 6),
      UserNumber(truncatingIfNeeded: key.bigEndian(at: 6, byteCount: 4))
    )
  }

  /// `byUser`: user number, sequence of the add.
  package static func byUser(user: UserNumber, sequence: UInt64) -> InlineArray<10, UInt8> {
    var key = InlineArray<10, UInt8>(repeating: 0)
    for index in 0..<4 { key[index] = byte(UInt64(user), index, of: 4) }
    for index in 0..<6 { key[4 + index] = byte(sequence, index, of: 6) }
    return key
  }

  /// User number and sequence of the add in a key of `byUser`.
  package static func byUser(
    _ key: Span<UInt8>
  ) throws(CodecError) -> (user: UserNumber, sequence: UInt64) {
    guard key.count == 10 else { throw .badValue("length of a key of byUser") }
    return (
      UserNumber(truncatingIfNeeded: key.bigEndian(at: 0, byteCount: 4)),
      key.bigEndian(at: 4, byteCount: 6)
    )
  }

  /// `commands`: the command id, 16 bytes.
  package static func command(_ id: CommandID) -> InlineArray<16, UInt8> {
    var key = InlineArray<16, UInt8>(repeating: 0)
    for index in 0..<8 {
      key[index] = byte(id.high, index, of: 8)
      key[8 + index] = byte(id.low, index, of: 8)
    }
    return key
  }

  /// The command id in a key of `commands`.
  package static func command(_ key: Span<UInt8>) throws(CodecError) -> CommandID {
    guard key.count == 16 else { throw .badValue("length of a key of commands") }
    return CommandID(
      high: key.bigEndian(at: 0, byteCount: 8), low: key.bigEndian(at: 8, byteCount: 8))
  }

  /// A user number: the key of `users`, the value of `userNumbers` and `reactors`.
  package static func user(_ number: UserNumber) -> InlineArray<4, UInt8> {
    var key = InlineArray<4, UInt8>(repeating: 0)
    for index in 0..<4 { key[index] = byte(UInt64(number), index, of: 4) }
    return key
  }

  /// The user number in such bytes.
  @inlinable @inline(__always)
  public static func user(_ bytes: Span<UInt8>) throws(CodecError) -> UserNumber {
    guard bytes.count == userByteCount else { throw .badValue("length of a user number") }
    return UserNumber(truncatingIfNeeded: bytes.bigEndian(at: 0, byteCount: 4))
  }

  /// A sequence of 6 bytes: the value of `members` and `commands`.
  package static func sequence(_ value: UInt64) -> InlineArray<6, UInt8> {
    precondition(value < 1 << 48, "sequences end at 2^48")
    var bytes = InlineArray<6, UInt8>(repeating: 0)
    for index in 0..<6 { bytes[index] = byte(value, index, of: 6) }
    return bytes
  }

  /// The sequence in such bytes.
  package static func sequence(_ bytes: Span<UInt8>) throws(CodecError) -> UInt64 {
    guard bytes.count == 6 else { throw .badValue("length of a sequence") }
    return bytes.bigEndian(at: 0, byteCount: 6)
  }

  private static func bigEndian(_ value: UInt64) -> InlineArray<8, UInt8> {
    var bytes = InlineArray<8, UInt8>(repeating: 0)
    for index in 0..<8 { bytes[index] = byte(value, index, of: 8) }
    return bytes
  }

  private static func byte(_ value: UInt64, _ index: Int, of count: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
  }
}
