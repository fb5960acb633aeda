package import ReactionModel

extension RecordFormat {
  /// Appends a record's bytes, all but the seal.
  ///
  /// - Complexity: O(bytes).
  package static func encode(_ record: Record, into bytes: inout [UInt8]) {
    guard case .change(let change) = record.content else { return encodeNotice(record, &bytes) }
    let parent = change.parent?.text ?? ""
    encode(
      EventFields(record, change), change.message.conversation.kind,
      conversation: change.message.conversation.id.text.utf8Span.span,
      message: change.message.message.text.utf8Span.span,
      reaction: change.reaction.text.utf8Span.span, parent: parent.utf8Span.span, into: &bytes)
  }

  /// Appends an event's record, all but the seal.
  ///
  /// - Parameters:
  ///   - fields: What of it is numbers; ``verify(_:)`` has passed them.
  ///   - kind: The conversation's kind.
  ///   - conversation: The conversation's id.
  ///   - message: The message's id.
  ///   - reaction: The reaction in canonical form.
  ///   - parent: The parent's id, empty if there is none.
  ///   - bytes: What is appended to.
  /// - Complexity: O(bytes).
  package static func encode(
    _ fields: EventFields, _ kind: Conversation.Kind, conversation: Span<UInt8>,
    message: Span<UInt8>, reaction: Span<UInt8>, parent: Span<UInt8>, into bytes: inout [UInt8]
  ) {
    let start = bytes.count
    var flags = flags(of: fields)
    if !parent.isEmpty { flags.insert(.parent) }
    encodeHead(fields, fields.ends == nil ? Kind.added : Kind.removed, flags, &bytes)
    bytes.append(u48: fields.previous)
    if let ends = fields.ends { bytes.append(u48: ends) }
    bytes.append(kind.rawValue)
    bytes.append(UInt8(conversation.count))
    bytes.append(UInt8(message.count))
    bytes.append(u16: UInt16(reaction.count))
    bytes.append(conversation)
    bytes.append(message)
    bytes.append(reaction)
    if !parent.isEmpty {
      bytes.append(UInt8(parent.count))
      bytes.append(parent)
    }
    encodeTail(fields, &bytes)
    precondition(bytes.count - start + sealByteCount <= maximumByteCount, "a record is too long")
  }

  private static func encodeNotice(_ record: Record, _ bytes: inout [UInt8]) {
    let start = bytes.count
    let fields = EventFields(record, nil)
    encodeHead(fields, kind(of: record), flags(of: fields), &bytes)
    switch record.content {
    case .change, .userErased: break
    case .created(let ledger, let policy):
      bytes.append(u64: ledger.high)
      bytes.append(u64: ledger.low)
      PolicyFormat.encode(policy, into: &bytes)
    case .policyChanged(let policy): PolicyFormat.encode(policy, into: &bytes)
    }
    encodeTail(fields, &bytes)
    precondition(bytes.count - start + sealByteCount <= maximumByteCount, "a record is too long")
  }

  private static func encodeHead(
    _ fields: EventFields, _ kind: UInt8, _ flags: Flags, _ bytes: inout [UInt8]
  ) {
    bytes.append(version)
    bytes.append(kind)
    bytes.append(fields.cause.rawValue << 4 | fields.place.operation.rawValue)
    bytes.append(flags.rawValue)
    bytes.append(u64: UInt64(bitPattern: fields.recordedAt.microseconds))
    bytes.append(u32: fields.user)
    if let time = fields.clientTime { bytes.append(u64: UInt64(bitPattern: time.microseconds)) }
    if let actor = fields.actor { bytes.append(u32: actor) }
    if fields.place.count > 1 {
      bytes.append(u16: UInt16(fields.place.index))
      bytes.append(u16: UInt16(fields.place.count))
    }
  }

  private static func encodeTail(_ fields: EventFields, _ bytes: inout [UInt8]) {
    if let id = fields.commandID {
      bytes.append(u64: id.high)
      bytes.append(u64: id.low)
    }
    if let commitment = fields.userCommitment { encode(commitment, into: &bytes) }
    if let commitment = fields.actorCommitment { encode(commitment, into: &bytes) }
  }

  private static func encode(_ commitment: Commitment, into bytes: inout [UInt8]) {
    bytes.append(u64: commitment.words.0)
    bytes.append(u64: commitment.words.1)
    bytes.append(u64: commitment.words.2)
    bytes.append(u64: commitment.words.3)
  }

  static func kind(of record: Record) -> UInt8 {
    switch record.content {
    case .change(let change): change.kind == .added ? Kind.added : Kind.removed
    case .created: Kind.created
    case .policyChanged: Kind.policyChanged
    case .userErased: Kind.userErased
    }
  }

  /// The flags but that of a parent.
  private static func flags(of fields: EventFields) -> Flags {
    var flags: Flags = []
    if fields.clientTime != nil { flags.insert(.clientTime) }
    if fields.actor != nil { flags.insert(.actor) }
    if fields.commandID != nil { flags.insert(.commandID) }
    if fields.userCommitment != nil { flags.insert(.userCommitment) }
    if fields.actorCommitment != nil { flags.insert(.actorCommitment) }
    if fields.place.count > 1 { flags.insert(.place) }
    return flags
  }
}
