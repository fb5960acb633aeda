package import ReactionModel

extension RecordFormat {
  /// Sequences are below this: they have 48 bits wherever they are a value.
  package static let sequenceBound: UInt64 = 1 << 48

  /// Checks that a record has bytes at all, and what its fields must be to each other.
  ///
  /// Decoding does it of its own accord; a record from anywhere else must pass before it is encoded.
  package static func verify(_ record: Record) throws(CodecError) {
    switch record.content {
    case .change(let change):
      guard record.user > 0 else { throw .badValue("user") }
      guard change.previous < sequenceBound else { throw .badValue("previous") }
      if case .removed(let ends) = change.kind, ends == 0 || ends >= sequenceBound {
        throw .badValue("ends")
      }
      guard change.message.conversation.kind != .room else { throw .badValue("conversation kind") }
    case .userErased: guard record.user > 0 else { throw .badValue("user") }
    case .created, .policyChanged: guard record.user == 0 else { throw .badValue("user") }
    }
    guard fits(record.place.operation, kind(of: record)) else {
      throw .badValue("kind for this operation")
    }
    let place = record.place
    guard (1...Record.Place.countCeiling).contains(place.count),
      (0..<place.count).contains(place.index)
    else { throw .badValue("index and count") }
    if let actor = record.actor {
      // Who clears a message may have reacted to it.
      let isClear = place.operation == .clearMessage || place.operation == .clearReaction
      guard actor > 0, isClear || actor != record.user else { throw .badValue("actor") }
    }
    if record.userCommitment != nil, record.user == 0 { throw .badValue("user commitment") }
    if record.actorCommitment != nil, record.actor == nil { throw .badValue("actor commitment") }
    if record.commandID != nil, place.index != 0 { throw .badValue("command id") }
    if !record.isEvent, place.count != 1 { throw .badValue("count of a notice") }
  }
}
