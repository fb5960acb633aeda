package import ReactionCodec
internal import ReactionModel

extension JSONWriter {
  /// Writes a line of an export of an event, in the same bytes as ``line(of:format:)``.
  ///
  /// It allocates nothing but what the writer grows by.
  package mutating func line(of event: borrowing LoggedEvent) {
    let record = event.record
    object { writer in
      writer.members(of: event)
      writer.member("previous", number: record.previous)
      if record.actor > 0 { writer.member("actorNumber", number: UInt64(record.actor)) }
      writer.member("operation", word: record.operation.name)
      if record.count > 1 {
        writer.member("index", number: UInt64(record.index))
        writer.member("count", number: UInt64(record.count))
      }
      if record.mentionsUserFirst || record.mentionsActorFirst {
        writer.array("introduces") { writer in
          if let commitment = record.userCommitment {
            writer.introduction(of: record.user, commitment, event.userRow)
          }
          if let commitment = record.actorCommitment {
            writer.introduction(of: record.actor, commitment, event.actorRow)
          }
        }
      }
      writer.member("seal", words: record.seal)
    }
    endLine()
  }

  /// Writes an event as an object's members, in the same bytes as ``members(of:format:)``.
  package mutating func members(of event: borrowing LoggedEvent) {
    let record = event.record
    member("sequence", number: event.sequence)
    member("kind", word: record.isAdded ? "added" : "removed")
    member("recordedAt", record.recordedAt)
    if let time = record.clientTime { member("reactedAt", time) }
    member("conversation", record.conversationKind, record.conversation)
    member("message", utf8: record.message)
    if !record.parent.isEmpty { member("parent", utf8: record.parent) }
    member("user", orNull: event.user)
    member("userNumber", number: UInt64(record.user))
    if record.actor > 0 { member("actor", orNull: event.actor) }
    member("reaction", utf8: record.reaction)
    member("cause", word: record.cause.name)
    if !record.isAdded { member("ends", number: record.ends) }
    if let id = record.commandID { member("commandId", id) }
  }

  private mutating func introduction(
    of number: UserNumber, _ commitment: Commitment, _ row: Span<UInt8>
  ) {
    object { writer in
      writer.member("number", number: UInt64(number))
      let words = commitment.words
      writer.member("commitment", words: words.0, words.1, words.2, words.3)
      // A row without a view is a tombstone's.
      guard let user = UserRowView(row) else { return }
      let saltByteCount = user.opening.count - user.id.count
      writer.member("salt", hexadecimal: user.opening.extracting(0..<saltByteCount))
      writer.member("id", utf8: user.id)
      if user.isClosing { writer.member("closing", true) }
    }
  }
}
