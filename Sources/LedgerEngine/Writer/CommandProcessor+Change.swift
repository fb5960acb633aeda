internal import LMDB
internal import ReactionModel

// Adding and removing one user's reaction.
extension CommandProcessor {
  mutating func change(
    _ operation: Command.Operation, _ prepared: PreparedCommand, on message: MessageKey,
    by id: UserID, _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    if message.conversation.kind == .room { return .refused(.conversationNotSupported) }
    let user = try directory.find(id, transaction.reads)
    if operation == .add, user?.isClosing == true { return .refused(.userBeingErased) }
    let reaction: Reaction
    switch prepared.reaction {
    case .success(let canonical): reaction = canonical
    case .failure(let reason) where operation == .add: return .refused(.invalidReaction(reason))
    case .failure, nil: return .unchanged(.notReacted)
    }
    try projector.load(message, transaction.reads)
    switch operation {
    case .add:
      return try add(reaction, prepared, on: message, id, user?.number, time, &transaction)
    case .remove:
      return try remove(reaction, prepared, on: message, id, user?.number, time, &transaction)
    }
  }

  private mutating func add(
    _ reaction: Reaction, _ prepared: PreparedCommand, on message: MessageKey, _ id: UserID,
    _ user: UserNumber?, _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    let isShown = try projector.count(of: reaction, on: message) > 0
    if !isShown, !state.policy.allows(reaction) {
      return .refused(.invalidReaction(.notAllowed(reaction.form)))
    }
    let situation = try situation(of: reaction, user, on: message, isShown, transaction.reads)
    switch Plan(adding: reaction, in: situation, under: state.policy) {
    case .unchanged: return .unchanged(.alreadyReacted)
    case .limitReached(let limit): return .refused(.limitReached(limit))
    case .changes(let removed, let isAdded):
      var draft = try draft(
        prepared, on: message, count: removed.count + (isAdded ? 1 : 0), time, by: id,
        &transaction)
      for held in removed {
        draft.cause = .replaced
        try append(&draft, .removed(ends: held.sequence), held.reaction, &transaction)
      }
      draft.cause = prepared.command.cause
      if isAdded { try append(&draft, .added, reaction, &transaction) }
      return .recorded(try finish(draft, &transaction))
    }
  }

  private func situation(
    of reaction: Reaction, _ user: UserNumber?, on message: MessageKey, _ isShown: Bool,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Plan.Situation {
    var situation = Plan.Situation(isHeld: false, isShown: isShown, held: [], distinctCount: 0)
    if !isShown { situation.distinctCount = try projector.distinctCount(on: message) }
    guard let user else { return situation }
    if isShown {
      let add = try projector.liveAdd(of: reaction, by: user, on: message, reads)
      situation.isHeld = add != nil
    }
    if state.policy.selection == .single || state.policy.maximumPerUserAndMessage != nil {
      situation.held = try projector.held(by: user, on: message, reads)
    }
    return situation
  }

  private mutating func remove(
    _ reaction: Reaction, _ prepared: PreparedCommand, on message: MessageKey, _ id: UserID,
    _ user: UserNumber?, _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    guard let user,
      let add = try projector.liveAdd(of: reaction, by: user, on: message, transaction.reads)
    else { return .unchanged(.notReacted) }
    var draft = try draft(prepared, on: message, count: 1, time, by: id, &transaction)
    try append(&draft, .removed(ends: add), reaction, &transaction)
    return .recorded(try finish(draft, &transaction))
  }
}
