internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// Adding and removing one user's reaction.
extension CommandProcessor {
  mutating func change(
    _ command: PreparedCommand, _ batch: PreparedBatch, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    let bytes = batch.bytes.span
    let message = bytes.extracting(command.message.range)
    let isAdd = command.operation == .add
    if message[0] == Conversation.Kind.room.rawValue { return .refused(.conversationNotSupported) }
    let user = try directory.find(bytes.extracting(command.user.range), transaction.reads)
    if isAdd, user?.isClosing == true { return .refused(.userBeingErased) }
    switch command.reaction {
    case .valid(let range, let form):
      try projector.load(message, transaction.reads)
      let reaction = bytes.extracting(range.range)
      return isAdd
        ? try add(reaction, form, command, batch, user?.number, time, &transaction)
        : try remove(reaction, command, batch, user?.number, time, &transaction)
    case .invalid(let reason):
      return isAdd ? .refused(.invalidReaction(reason)) : .unchanged(.notReacted)
    case nil: return .unchanged(.notReacted)
    }
  }

  private mutating func add(
    _ reaction: Span<UInt8>, _ form: Reaction.Form, _ command: PreparedCommand,
    _ batch: PreparedBatch, _ user: UserNumber?, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    let block = try projector.block(of: reaction)
    if block == nil, try !isAllowed(reaction, form) {
      return .refused(.invalidReaction(.notAllowed(form)))
    }
    let situation = try situation(of: reaction, block, user, transaction.reads)
    switch Plan(in: situation, under: state.policy) {
    case .unchanged: return .unchanged(.alreadyReacted)
    case .limitReached(let limit): return .refused(.limitReached(limit))
    case .changes(let removed, let isAdded):
      var draft = try draft(
        command, batch, by: user, count: removed.count + (isAdded ? 1 : 0), time, &transaction)
      for held in removed {
        draft.fields.cause = .replaced
        try remove(held.reaction.text.utf8Span.span, ending: held.sequence, &draft, &transaction)
      }
      draft.fields.cause = command.cause
      if isAdded {
        // The block is where it was unless others before it went.
        let place = removed.isEmpty ? block : try projector.block(of: reaction)
        let sequence = try append(&draft, reaction, &transaction)
        try projector.add(
          reaction, to: place, by: draft.fields.user, at: sequence, &transaction)
      }
      return .recorded(try finish(draft, &transaction))
    }
  }

  private func isAllowed(
    _ reaction: Span<UInt8>, _ form: Reaction.Form
  ) throws(LedgerError) -> Bool {
    if let answer = state.policy.allows(form) { return answer }
    do throws(InvalidReaction) {
      return state.policy.allows(try Reaction(canonical: reaction))
    } catch {
      return false
    }
  }

  private func situation(
    of reaction: Span<UInt8>, _ block: RowFormat.Block?, _ user: UserNumber?,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Plan.Situation {
    var situation = Plan.Situation(
      isHeld: false, isShown: block != nil, held: [], distinctCount: 0)
    if block == nil { situation.distinctCount = try projector.distinctCount() }
    guard let user else { return situation }
    if let block {
      situation.isHeld = try projector.liveAdd(in: block, by: user, reads) != nil
    }
    if state.policy.selection == .single || state.policy.maximumPerUserAndMessage != nil {
      situation.held = try projector.held(by: user, adding: reaction, reads)
    }
    return situation
  }

  private mutating func remove(
    _ reaction: Span<UInt8>, _ command: PreparedCommand, _ batch: PreparedBatch,
    _ user: UserNumber?, _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    guard let user, let block = try projector.block(of: reaction),
      let add = try projector.liveAdd(in: block, by: user, transaction.reads)
    else { return .unchanged(.notReacted) }
    var draft = try draft(command, batch, by: user, count: 1, time, &transaction)
    draft.fields.ends = add
    let sequence = try append(&draft, reaction, &transaction)
    try projector.remove(from: block, by: user, ending: add, at: sequence, &transaction)
    return .recorded(try finish(draft, &transaction))
  }
}
