package import ReactionModel

extension RecordFormat {
  /// The seal of a record: its last eight bytes as one number, or `nil` if it is too short.
  package static func seal(of bytes: Span<UInt8>) -> UInt64? {
    guard bytes.count > sealByteCount else { return nil }
    return bytes.bigEndian(at: bytes.count - sealByteCount, byteCount: sealByteCount)
  }

  /// A record from all its bytes, the seal included; the seal itself is not checked.
  ///
  /// Any bytes give a record that encodes to the same bytes again, or an error.
  package static func decode(_ bytes: Span<UInt8>) throws(CodecError) -> Record {
    guard bytes.count > sealByteCount else { throw .endsInside("seal") }
    var reader = ByteReader(bytes.extracting(0..<bytes.count - sealByteCount))
    let version = try reader.u8("version")
    guard version == self.version else { throw .unknownVersion(Int(version)) }
    let kind = try reader.u8("kind")
    let causeAndOperation = try reader.u8("cause and operation")
    let flags = Flags(rawValue: try reader.u8("flags"))
    guard let cause = Cause(rawValue: causeAndOperation >> 4) else { throw .badValue("cause") }
    guard let operation = Record.Operation(rawValue: causeAndOperation & 15) else {
      throw .badValue("operation")
    }
    guard (Kind.added...Kind.userErased).contains(kind) else { throw .badValue("kind") }
    guard fits(operation, kind) else { throw .badValue("kind for this operation") }
    let recordedAt = try timestamp(&reader, "recorded time")
    let user = try reader.u32("user")
    let clientTime = flags.contains(.clientTime) ? try timestamp(&reader, "client time") : nil
    let actor = flags.contains(.actor) ? try reader.u32("actor") : nil
    let place = try place(&reader, operation, flags)
    let content = try content(&reader, kind, flags)
    let commandID = flags.contains(.commandID) ? try sixteenBytes(&reader, "command id") : nil
    let userCommitment = flags.contains(.userCommitment) ? try commitment(&reader) : nil
    let actorCommitment = flags.contains(.actorCommitment) ? try commitment(&reader) : nil
    if flags.contains(.taggedFields) { throw .newerField(tag: Int(try reader.u8("tag"))) }
    try reader.requireEnd()
    let record = Record(
      recordedAt: recordedAt, cause: cause, place: place, clientTime: clientTime, user: user,
      actor: actor, commandID: commandID, userCommitment: userCommitment,
      actorCommitment: actorCommitment, content: content)
    try verify(record)
    return record
  }

  private static func place(
    _ reader: inout ByteReader, _ operation: Record.Operation, _ flags: Flags
  ) throws(CodecError) -> Record.Place {
    guard flags.contains(.place) else { return Record.Place(operation) }
    let index = Int(try reader.u16("index"))
    let count = Int(try reader.u16("count"))
    guard (2...Record.Place.countCeiling).contains(count), index < count else {
      throw .badValue("index and count")
    }
    return Record.Place(operation, index: index, count: count)
  }

  private static func content(
    _ reader: inout ByteReader, _ kind: UInt8, _ flags: Flags
  ) throws(CodecError) -> Record.Content {
    if kind == Kind.added || kind == Kind.removed {
      return .change(try change(&reader, kind, hasParent: flags.contains(.parent)))
    }
    guard !flags.contains(.parent) else { throw .badValue("parent of a notice") }
    if kind == Kind.created {
      let ledger = try sixteenBytes(&reader, "ledger id")
      return .created(ledger: ledger, policy: try PolicyFormat.decode(&reader))
    }
    return kind == Kind.policyChanged
      ? .policyChanged(try PolicyFormat.decode(&reader)) : .userErased
  }

  private static func change(
    _ reader: inout ByteReader, _ kind: UInt8, hasParent: Bool
  ) throws(CodecError) -> Record.Change {
    let previous = try reader.u48("previous")
    let ends = kind == Kind.removed ? try reader.u48("ends") : nil
    if let ends, ends == 0 { throw .badValue("ends") }
    let conversationKind = try reader.u8("conversation kind")
    let conversationCount = Int(try reader.u8("conversation length"))
    let messageCount = Int(try reader.u8("message length"))
    let reactionCount = Int(try reader.u16("reaction length"))
    guard let kind = Conversation.Kind(rawValue: conversationKind), kind != .room else {
      throw .badValue("conversation kind")
    }
    let conversation: ConversationID = try identifier(
      reader.take(conversationCount, "conversation"), "conversation")
    let message: MessageID = try identifier(reader.take(messageCount, "message"), "message")
    let key = try messageKey(Conversation(kind: kind, id: conversation), message)
    let reactionBytes = try reader.take(reactionCount, "reaction")
    let reaction = try reaction(reactionBytes)
    var parent: MessageID?
    if hasParent {
      let count = Int(try reader.u8("parent length"))
      parent = try identifier(reader.take(count, "parent"), "parent")
    }
    return Record.Change(
      ends.map { .removed(ends: $0) } ?? .added, message: key, parent: parent,
      reaction: reaction, previous: previous)
  }

  private static func timestamp(
    _ reader: inout ByteReader, _ field: StaticString
  ) throws(CodecError) -> Timestamp {
    let microseconds = Int64(bitPattern: try reader.u64(field))
    guard Timestamp.range.contains(microseconds) else { throw .badValue(field.description) }
    return Timestamp(microseconds: microseconds)
  }

  private static func sixteenBytes(
    _ reader: inout ByteReader, _ field: StaticString
  ) throws(CodecError) -> SixteenBytes {
    let high = try reader.u64(field)
    return SixteenBytes(high: high, low: try reader.u64(field))
  }

  private static func commitment(_ reader: inout ByteReader) throws(CodecError) -> Commitment {
    let first = try reader.u64("commitment")
    let second = try reader.u64("commitment")
    let third = try reader.u64("commitment")
    return Commitment((first, second, third, try reader.u64("commitment")))
  }
}

/// An id from bytes of the store.
func identifier<Kind>(
  _ bytes: Span<UInt8>, _ field: StaticString
) throws(CodecError) -> Identifier<Kind> {
  do throws(IdentifierError) {
    return try Identifier(utf8: bytes)
  } catch {
    throw .badValue(field.description)
  }
}

/// A key from ids of the store.
func messageKey(
  _ conversation: Conversation, _ message: MessageID
) throws(CodecError) -> MessageKey {
  do throws(IdentifierError) {
    return try MessageKey(conversation, message)
  } catch {
    throw .badValue("message key")
  }
}

/// A reaction from bytes of the store.
func reaction(_ bytes: Span<UInt8>) throws(CodecError) -> Reaction {
  do throws(InvalidReaction) {
    return try Reaction(canonical: bytes)
  } catch {
    throw .badValue("reaction")
  }
}
