internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// Removing many users' reactions on one message, and setting the policy.
extension CommandProcessor {
  mutating func clear(
    _ command: PreparedCommand, _ batch: PreparedBatch, _ series: inout Series,
    _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome? {
    let bytes = batch.bytes.span
    let message = bytes.extracting(command.message.range)
    if message[0] == Conversation.Kind.room.rawValue { return .refused(.conversationNotSupported) }
    var wanted = ByteRange()
    switch command.reaction {
    case nil: break
    case .valid(let range, _): wanted = range
    case .invalid: return .unchanged(.nothingToClear)
    }
    try projector.load(message, transaction.reads)
    // One more than a command has: whether there is a further one.
    var live = try projector.live(
      of: bytes.extracting(wanted.range), limit: Record.Place.countCeiling + 1,
      transaction.reads)
    let isLast = live.count <= Record.Place.countCeiling
    guard !live.isEmpty else {
      // Others may have taken away the rest of a series.
      return series.receipt.map { .recorded($0) } ?? .unchanged(.nothingToClear)
    }
    if !isLast { live.removeLast() }
    var draft = try draft(
      command, batch, count: live.count, time, id: isLast ? command.id : nil, &transaction)
    for item in live {
      draft.fields.user = item.reactor.user
      try remove(
        item.reaction.text.utf8Span.span, ending: item.reactor.sequence, &draft, &transaction)
    }
    let receipt = try finish(draft, &transaction)
    series.receipt = receipt
    return isLast ? .recorded(receipt) : nil
  }

  mutating func set(
    _ policy: Policy, _ command: PreparedCommand, _ batch: PreparedBatch, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    guard policy != state.policy else { return .unchanged(.samePolicy) }
    let receipt = try notice(command, batch, .policyChanged(policy), user: 0, time, &transaction)
    try Meta.put(policy, &transaction, databases)
    state.policy = policy
    return .recorded(receipt)
  }
}
