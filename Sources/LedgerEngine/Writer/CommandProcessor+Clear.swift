internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// Removing many users' reactions on one message, and setting the policy.
extension CommandProcessor {
  mutating func clear(
    _ message: MessageKey, _ prepared: PreparedCommand, _ series: inout Series,
    _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome? {
    if message.conversation.kind == .room { return .refused(.conversationNotSupported) }
    let wanted: Reaction?
    switch prepared.reaction {
    case nil: wanted = nil
    case .success(let reaction): wanted = reaction
    case .failure: return .unchanged(.nothingToClear)
    }
    try projector.load(message, transaction.reads)
    // One more than a command has: whether there is a further one.
    var live = try projector.live(
      of: wanted, on: message, limit: Record.Place.countCeiling + 1, transaction.reads)
    let isLast = live.count <= Record.Place.countCeiling
    guard !live.isEmpty else {
      // Others may have taken away the rest of a series.
      return series.receipt.map { .recorded($0) } ?? .unchanged(.nothingToClear)
    }
    if !isLast { live.removeLast() }
    var draft = try draft(
      prepared, on: message, count: live.count, time, id: isLast ? prepared.command.id : nil,
      &transaction)
    for item in live {
      draft.user = item.reactor.user
      try append(&draft, .removed(ends: item.reactor.sequence), item.reaction, &transaction)
    }
    let receipt = try finish(draft, &transaction)
    series.receipt = receipt
    return isLast ? .recorded(receipt) : nil
  }

  mutating func set(
    _ policy: Policy, _ prepared: PreparedCommand, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    guard policy != state.policy else { return .unchanged(.samePolicy) }
    let receipt = try notice(prepared, .policyChanged(policy), user: 0, time, &transaction)
    try Meta.put(policy, &transaction, databases)
    state.policy = policy
    return .recorded(receipt)
  }
}
