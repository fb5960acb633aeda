internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// Command ids: a command that was recorded is answered with its first receipt, for ever.
extension CommandProcessor {
  /// The first sequence of the command that has this id, if one was recorded.
  func firstSequence(
    of id: CommandID, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> UInt64? {
    let key = Keys.command(id)
    guard let value = try reads.get(key.span, in: databases.slot(state.meta.slot).commands) else {
      return nil
    }
    return try decoding(.commands, "commands \(id)") { () throws(CodecError) in
      try Keys.sequence(value)
    }
  }

  /// Compares a command with the records of the one that had its id first.
  ///
  /// Operation, message, reaction, user, actor, cause and policy must be the same; the client time
  /// need not.
  func answerAgain(
    _ command: PreparedCommand, _ batch: PreparedBatch, _ first: UInt64,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Outcome {
    let opening = try record(first, namedBy: .commands, reads)
    let last = first + UInt64(opening.place.count) - 1
    let closing = last == first ? opening : try record(last, namedBy: .commands, reads)
    // A clear concerns no user by name.
    let user = command.isClear ? 0 : opening.user
    guard opening.place.operation == command.operation, isSame(command, batch, closing),
      try isUser(command.user, batch, user, reads),
      try isUser(command.actor, batch, opening.actor ?? 0, reads)
    else { return .refused(.commandIDReused) }
    return .repeated(
      Receipt(sequences: first...last, recordedAt: opening.recordedAt, durability: durability))
  }

  /// Whether message, reaction, cause and policy are those of the command's last record.
  private func isSame(
    _ command: PreparedCommand, _ batch: PreparedBatch, _ closing: Record
  ) -> Bool {
    switch closing.content {
    case .change(let change):
      var key: [UInt8] = []
      Keys.message(change.message, into: &key)
      let message = batch.bytes.span.extracting(command.message.range)
      guard UTF8Bytes.areEqual(message, key.span) else { return false }
      // An add that only took others away has no record with its own reaction and cause.
      if command.operation == .add, change.kind != .added {
        if case .valid = command.reaction { return true } else { return false }
      }
      guard closing.cause == command.cause else { return false }
      guard let reaction = command.reaction else { return true }
      guard case .valid(let range, _) = reaction else { return false }
      return UTF8Bytes.areEqual(
        batch.bytes.span.extracting(range.range), change.reaction.text.utf8Span.span)
    case .policyChanged(let policy):
      return closing.cause == command.cause && policy == batch.policies[command.policyIndex]
    case .userErased: return closing.cause == command.cause
    case .created: return false
    }
  }

  /// Whether a number is this user's, 0 nobody's; a user erased since then is taken as the same.
  private func isUser(
    _ id: ByteRange, _ batch: PreparedBatch, _ number: UserNumber,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Bool {
    guard !id.isEmpty, number > 0 else { return id.isEmpty && number == 0 }
    guard let known = try UserRow(number, reads, databases).id else { return true }
    return UTF8Bytes.areEqual(
      known.text.utf8Span.span, batch.bytes.span.extracting(id.range))
  }

  /// The record that a projection names, whose rule is broken if there is none.
  func record(
    _ sequence: UInt64, namedBy rule: Rule, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Record {
    let key = Keys.event(sequence)
    guard let bytes = try reads.get(key.span, in: databases.events) else {
      throw missing(rule, "events \(sequence)", "the record that a projection names")
    }
    return try decoding(.recordDecodes, "events \(sequence)", sequence: sequence) {
      () throws(CodecError) in try RecordFormat.decode(bytes)
    }
  }
}

extension UserRow {
  /// Reads the row of a number, which must be there.
  init(
    _ number: UserNumber, _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) {
    let key = Keys.user(number)
    guard let bytes = try reads.get(key.span, in: databases.users) else {
      throw missing(.userRow, "users \(number)", "a user mentioned in the log")
    }
    self = try decoding(.userRow, "users \(number)") { () throws(CodecError) in
      try UserRow(decoding: bytes)
    }
  }
}
