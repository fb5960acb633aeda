internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension CommandProcessor {
  /// What the records of a command have in common, and how far they are.
  struct Draft {
    let message: MessageKey
    let parent: MessageID?
    let time: Timestamp
    let clientTime: Timestamp?
    let id: CommandID?
    let actor: UserNumber?
    let first: UInt64
    var user: UserNumber
    var place: Record.Place
    var cause: Cause
    var userCommitment: Commitment?
    var actorCommitment: Commitment?
  }

  /// A user of a command, with a commitment if the number is given only now.
  typealias Mention = (number: UserNumber, commitment: Commitment?)

  /// Begins the records of a command about the message in hand and one user, who may be new.
  mutating func draft(
    _ prepared: PreparedCommand, on message: MessageKey, count: Int, _ time: Timestamp,
    by user: UserID, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Draft {
    let user = try mention(user, &transaction)
    var draft = try draft(
      prepared, on: message, count: count, time, id: prepared.command.id, &transaction)
    draft.user = user.number
    draft.userCommitment = user.commitment
    return draft
  }

  /// Begins the records of a command about the message in hand; their users are known.
  mutating func draft(
    _ prepared: PreparedCommand, on message: MessageKey, count: Int, _ time: Timestamp,
    id: CommandID?, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Draft {
    let command = prepared.command
    let actor = try prepared.actor.map { (id) throws(LedgerError) in
      try mention(id, &transaction)
    }
    return Draft(
      message: message, parent: command.parent, time: time, clientTime: command.clientTime,
      id: id, actor: actor?.number, first: state.head + 1, user: 0,
      place: Record.Place(command.operation, index: 0, count: count), cause: command.cause,
      actorCommitment: actor?.commitment)
  }

  /// The number of a user, given now if there is none.
  mutating func mention(
    _ id: UserID, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Mention {
    if let known = try directory.find(id, transaction.reads) { return (known.number, nil) }
    let salt = entropy()
    let number = state.lastUser + 1
    try directory.add(id, as: number, salt: salt, &transaction)
    state.lastUser = number
    return (number, sealer.commitment(salt: salt, id: id))
  }

  /// Appends the next record of a command, and applies it.
  mutating func append(
    _ draft: inout Draft, _ kind: Record.Change.Kind, _ reaction: Reaction,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let message = draft.message
    let change = Record.Change(
      kind, message: message, parent: draft.parent, reaction: reaction,
      previous: projector.lastSequence)
    let sequence = try append(
      Record(
        recordedAt: draft.time, cause: draft.cause, place: draft.place,
        clientTime: draft.clientTime, user: draft.user, actor: draft.actor,
        commandID: draft.place.index == 0 ? draft.id : nil,
        userCommitment: draft.userCommitment, actorCommitment: draft.actorCommitment,
        content: .change(change)), &transaction)
    switch kind {
    case .added:
      try projector.add(reaction, by: draft.user, at: sequence, on: message, &transaction)
    case .removed(let ends):
      try projector.remove(
        reaction, by: draft.user, ending: ends, at: sequence, on: message, &transaction)
    }
    draft.userCommitment = nil
    draft.actorCommitment = nil
    draft.place.index += 1
  }

  /// Ends a command: stores the message's row, and the command's id.
  mutating func finish(
    _ draft: Draft, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Receipt {
    precondition(draft.place.index == draft.place.count, "a command has all its records")
    try projector.store(&transaction)
    if let id = draft.id { try remember(id, draft.first, &transaction) }
    return Receipt(
      sequences: draft.first...state.head, recordedAt: draft.time, durability: durability)
  }

  /// Appends a notice, which is a command by itself.
  mutating func notice(
    _ prepared: PreparedCommand, _ content: Record.Content, user: UserNumber,
    _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Receipt {
    let command = prepared.command
    let actor = try prepared.actor.map { (id) throws(LedgerError) in
      try mention(id, &transaction)
    }
    let sequence = try append(
      Record(
        recordedAt: time, cause: command.cause, place: Record.Place(command.operation),
        clientTime: command.clientTime, user: user, actor: actor?.number,
        commandID: command.id, actorCommitment: actor?.commitment, content: content),
      &transaction)
    if let id = command.id { try remember(id, sequence, &transaction) }
    state.meta.noticeCount += 1
    try Meta.put(state.meta, &transaction, databases)
    return Receipt(sequences: sequence...sequence, recordedAt: time, durability: durability)
  }

  private func remember(
    _ id: CommandID, _ first: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let (key, value) = (Keys.command(id), Keys.sequence(first))
    try transaction.set(
      value.span, for: key.span, in: databases.slot(state.meta.slot).commands)
  }
}
