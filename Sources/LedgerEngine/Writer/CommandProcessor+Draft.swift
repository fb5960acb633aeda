internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension CommandProcessor {
  /// What the records of a command have in common, and how far they are; the message is the one that
  /// the projector has in hand, its parent the one that the processor has.
  struct Draft {
    var fields: EventFields
    let id: CommandID?
    let first: UInt64
  }

  /// A user of a command, with a commitment if the number is given only now.
  typealias Mention = (number: UserNumber, commitment: Commitment?)

  /// Begins the records of a command about the message in hand and the command's user, who gets a
  /// number now if the ledger knows none.
  mutating func draft(
    _ command: PreparedCommand, _ batch: PreparedBatch, by known: UserNumber?, count: Int,
    _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Draft {
    // The user is numbered before the actor, who may be new too.
    let user: Mention =
      if let known {
        (known, nil)
      } else {
        try introduce(batch.bytes.span.extracting(command.user.range), &transaction)
      }
    var draft = try draft(
      command, batch, count: count, time, id: command.id, &transaction)
    draft.fields.user = user.number
    draft.fields.userCommitment = user.commitment
    return draft
  }

  /// Begins the records of a command about the message in hand; their users are known.
  mutating func draft(
    _ command: PreparedCommand, _ batch: PreparedBatch, count: Int, _ time: Timestamp,
    id: CommandID?, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Draft {
    let actor = try actor(command, batch, &transaction)
    parent.removeAll(keepingCapacity: true)
    if command.operation != .erase {
      parent.append(batch.bytes.span.extracting(command.parent.range))
    }
    return Draft(
      fields: EventFields(
        recordedAt: time, cause: command.cause,
        place: Record.Place(command.operation, index: 0, count: count),
        clientTime: command.clientTime, user: 0, actor: actor?.number, commandID: id,
        userCommitment: nil, actorCommitment: actor?.commitment),
      id: id, first: state.head + 1)
  }

  private mutating func actor(
    _ command: PreparedCommand, _ batch: PreparedBatch, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Mention? {
    guard !command.actor.isEmpty else { return nil }
    let id = batch.bytes.span.extracting(command.actor.range)
    if let known = try directory.find(id, transaction.reads) { return (known.number, nil) }
    return try introduce(id, &transaction)
  }

  /// Gives a number to a user whom the ledger does not know.
  private mutating func introduce(
    _ id: Span<UInt8>, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Mention {
    let salt = entropy()
    let number = state.lastUser + 1
    try directory.add(id, as: number, salt: salt, &transaction)
    state.lastUser = number
    return (number, sealer.commitment(opening: directory.opening))
  }

  /// Appends the next record of a command; its effect is then to be applied.
  ///
  /// - Returns: Its sequence.
  mutating func append(
    _ draft: inout Draft, _ reaction: Span<UInt8>, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> UInt64 {
    draft.fields.previous = projector.lastSequence
    let fields = draft.fields
    try checking { () throws(CodecError) in try RecordFormat.verify(fields) }
    record.removeAll(keepingCapacity: true)
    Self.encode(fields, on: projector.key, reaction, parent: parent, into: &record)
    draft.fields.commandID = nil
    draft.fields.userCommitment = nil
    draft.fields.actorCommitment = nil
    draft.fields.place.index += 1
    return try appendRecord(at: fields.recordedAt, &transaction)
  }

  private static func encode(
    _ fields: EventFields, on key: [UInt8], _ reaction: Span<UInt8>, parent: [UInt8],
    into record: inout [UInt8]
  ) {
    let message = Keys.MessageParts(key.span)
    RecordFormat.encode(
      fields, message.kind, conversation: message.conversation, message: message.message,
      reaction: reaction, parent: parent.span, into: &record)
  }

  /// Appends the removal of the draft's user's reaction, and applies it.
  mutating func remove(
    _ reaction: Span<UInt8>, ending add: UInt64, _ draft: inout Draft,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    draft.fields.ends = add
    let sequence = try append(&draft, reaction, &transaction)
    try projector.remove(
      from: try projector.block(of: reaction), by: draft.fields.user, ending: add, at: sequence,
      &transaction)
    draft.fields.ends = nil
  }

  /// Ends a command: stores the message's row, and the command's id.
  mutating func finish(
    _ draft: Draft, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Receipt {
    let place = draft.fields.place
    precondition(place.index == place.count, "a command has all its records")
    try projector.store(&transaction)
    if let id = draft.id { try remember(id, draft.first, &transaction) }
    return Receipt(
      sequences: draft.first...state.head, recordedAt: draft.fields.recordedAt,
      durability: durability)
  }

  /// Appends a notice, which is a command by itself.
  mutating func notice(
    _ command: PreparedCommand, _ batch: PreparedBatch, _ content: Record.Content,
    user: UserNumber, _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Receipt {
    let actor = try actor(command, batch, &transaction)
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
    try transaction.set(value.span, for: key.span, in: projector.slot.commands)
  }
}
