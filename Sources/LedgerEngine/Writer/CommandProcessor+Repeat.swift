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
    _ prepared: PreparedCommand, _ first: UInt64, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Outcome {
    let opening = try record(first, reads)
    let last = first + UInt64(opening.place.count) - 1
    let closing = last == first ? opening : try record(last, reads)
    guard try isSame(prepared, opening, closing, reads) else { return .refused(.commandIDReused) }
    return .repeated(
      Receipt(sequences: first...last, recordedAt: opening.recordedAt, durability: durability))
  }

  private func isSame(
    _ prepared: PreparedCommand, _ opening: Record, _ closing: Record,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Bool {
    let command = prepared.command
    guard opening.place.operation == command.operation else { return false }
    switch (command.action, closing.content) {
    case (.change(let operation, _, let message, let user), .change(let change)):
      guard change.message == message, case .success(let reaction) = prepared.reaction else {
        return false
      }
      // An add that only took others away has no record with its own reaction and cause.
      let isTold = operation == .remove || change.kind == .added
      guard !isTold || (change.reaction == reaction && closing.cause == command.cause),
        try isUser(user, opening.user, reads)
      else { return false }
    case (.clear(let message, _), .change(let change)):
      guard change.message == message, closing.cause == command.cause else { return false }
      switch prepared.reaction {
      case nil: break
      case .success(let reaction):
        guard change.reaction == reaction else { return false }
      case .failure: return false
      }
    case (.erase(let user), .userErased):
      guard closing.cause == command.cause, try isUser(user, opening.user, reads) else {
        return false
      }
    case (.setPolicy(let policy), .policyChanged(let recorded)):
      guard policy == recorded, closing.cause == command.cause else { return false }
    default: return false
    }
    guard let actor = opening.actor else { return prepared.actor == nil }
    guard let asked = prepared.actor else { return false }
    return try isUser(asked, actor, reads)
  }

  /// Whether a number is this user's; a user erased since then is taken as the same.
  private func isUser(
    _ id: UserID, _ number: UserNumber, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Bool {
    let row = try UserRow(number, reads, databases)
    return row.id.map { $0 == id } ?? true
  }

  func record(
    _ sequence: UInt64, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Record {
    let key = Keys.event(sequence)
    guard let bytes = try reads.get(key.span, in: databases.events) else {
      throw missing(.commands, "events \(sequence)", "the record that `commands` names")
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
