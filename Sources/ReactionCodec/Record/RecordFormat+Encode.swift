package import ReactionModel

extension RecordFormat {
  /// Appends a record's bytes, all but the seal.
  ///
  /// - Complexity: O(bytes).
  package static func encode(_ record: Record, into bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(version)
    bytes.append(kind(of: record))
    bytes.append(record.cause.rawValue << 4 | record.place.operation.rawValue)
    bytes.append(flags(of: record).rawValue)
    bytes.append(u64: UInt64(bitPattern: record.recordedAt.microseconds))
    bytes.append(u32: record.user)
    if let time = record.clientTime { bytes.append(u64: UInt64(bitPattern: time.microseconds)) }
    if let actor = record.actor { bytes.append(u32: actor) }
    if record.place.count > 1 {
      bytes.append(u16: UInt16(record.place.index))
      bytes.append(u16: UInt16(record.place.count))
    }
    switch record.content {
    case .change(let change): encode(change, into: &bytes)
    case .created(let ledger, let policy):
      bytes.append(u64: ledger.high)
      bytes.append(u64: ledger.low)
      PolicyFormat.encode(policy, into: &bytes)
    case .policyChanged(let policy): PolicyFormat.encode(policy, into: &bytes)
    case .userErased: break
    }
    if let id = record.commandID {
      bytes.append(u64: id.high)
      bytes.append(u64: id.low)
    }
    if let commitment = record.userCommitment { encode(commitment, into: &bytes) }
    if let commitment = record.actorCommitment { encode(commitment, into: &bytes) }
    precondition(bytes.count - start + sealByteCount <= maximumByteCount, "a record is too long")
  }

  private static func encode(_ change: Record.Change, into bytes: inout [UInt8]) {
    bytes.append(u48: change.previous)
    if case .removed(let ends) = change.kind { bytes.append(u48: ends) }
    let conversation = change.message.conversation.id.text.utf8Span.span
    let message = change.message.message.text.utf8Span.span
    let reaction = change.reaction.text.utf8Span.span
    bytes.append(change.message.conversation.kind.rawValue)
    bytes.append(UInt8(conversation.count))
    bytes.append(UInt8(message.count))
    bytes.append(u16: UInt16(reaction.count))
    bytes.append(conversation)
    bytes.append(message)
    bytes.append(reaction)
    if let parent = change.parent {
      let parentBytes = parent.text.utf8Span.span
      bytes.append(UInt8(parentBytes.count))
      bytes.append(parentBytes)
    }
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

  private static func flags(of record: Record) -> Flags {
    var flags: Flags = []
    if record.clientTime != nil { flags.insert(.clientTime) }
    if record.actor != nil { flags.insert(.actor) }
    if case .change(let change) = record.content, change.parent != nil { flags.insert(.parent) }
    if record.commandID != nil { flags.insert(.commandID) }
    if record.userCommitment != nil { flags.insert(.userCommitment) }
    if record.actorCommitment != nil { flags.insert(.actorCommitment) }
    if record.place.count > 1 { flags.insert(.place) }
    return flags
  }
}
