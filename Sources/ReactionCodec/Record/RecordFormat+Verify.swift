package import ReactionModel

extension RecordFormat {
  /// Sequences are below this: they have 48 bits wherever they are a value.
  @inlinable public static var sequenceBound: UInt64 { 1 << 48 }

  /// Checks that a record has bytes at all, and what its fields must be to each other.
  ///
  /// Decoding does it of its own accord; a record from anywhere else must pass before it is encoded.
  package static func verify(_ record: Record) throws(CodecError) {
    switch record.content {
    case .change(let change):
      guard change.message.conversation.kind != .room else { throw .badValue("conversation kind") }
      return try verify(EventFields(record, change))
    case .userErased: guard record.user > 0 else { throw .badValue("user") }
    case .created, .policyChanged: guard record.user == 0 else { throw .badValue("user") }
    }
    let fields = EventFields(record, nil)
    try verify(fields, kind(of: record))
    if record.place.count != 1 { throw .badValue("count of a notice") }
  }

  /// Checks the fields of an event's record; its conversation is no room.
  package static func verify(_ fields: EventFields) throws(CodecError) {
    guard fields.user > 0 else { throw .badValue("user") }
    guard fields.previous < sequenceBound else { throw .badValue("previous") }
    if let ends = fields.ends, ends == 0 || ends >= sequenceBound { throw .badValue("ends") }
    try verify(fields, fields.ends == nil ? Kind.added : Kind.removed)
  }

  private static func verify(_ fields: EventFields, _ kind: UInt8) throws(CodecError) {
    let place = fields.place
    guard fits(place.operation, kind) else { throw .badValue("kind for this operation") }
    guard (1...Record.Place.countCeiling).contains(place.count),
      (0..<place.count).contains(place.index)
    else { throw .badValue("index and count") }
    if let actor = fields.actor {
      // Who clears a message may have reacted to it.
      let isClear = place.operation == .clearMessage || place.operation == .clearReaction
      guard actor > 0, isClear || actor != fields.user else { throw .badValue("actor") }
    }
    if fields.userCommitment != nil, fields.user == 0 { throw .badValue("user commitment") }
    if fields.actorCommitment != nil, fields.actor == nil { throw .badValue("actor commitment") }
    if fields.commandID != nil, place.index != 0 { throw .badValue("command id") }
  }
}
