import ReactionCodec
import ReactionModel

extension Sampler {
  mutating func record() -> Record {
    let operation = pick(Record.Operation.allCases)
    var record = Record(
      recordedAt: timestamp(), cause: pick(Cause.allCases), place: Record.Place(operation),
      user: 0, content: content(operation))
    if chance(2) { record.clientTime = timestamp() }
    switch record.content {
    case .change, .userErased: record.user = user()
    case .created, .policyChanged: break
    }
    if record.isEvent, chance(3) {
      record.place.count = pick([2, 3, 17, Record.Place.countCeiling])
      record.place.index = pick([0, record.place.count - 1, below(record.place.count)])
    }
    if chance(3) {
      let actor = user()
      record.actor = actor == record.user ? (actor == 1 ? 2 : actor - 1) : actor
    }
    if record.place.index == 0, chance(2) { record.commandID = sixteenBytes() }
    if record.user > 0, chance(4) { record.userCommitment = commitment() }
    if record.actor != nil, chance(3) { record.actorCommitment = commitment() }
    return record
  }

  private mutating func content(_ operation: Record.Operation) -> Record.Content {
    switch operation {
    case .create: .created(ledger: sixteenBytes(), policy: policy())
    case .setPolicy: .policyChanged(policy())
    case .erase where chance(2): .userErased
    case .add: .change(change(isAdded: chance(2)))
    case .remove, .clearMessage, .clearReaction, .erase: .change(change(isAdded: false))
    }
  }

  private mutating func change(isAdded: Bool) -> Record.Change {
    Record.Change(
      isAdded ? .added : .removed(ends: sequence()), message: messageKey(),
      parent: chance(3) ? identifier() : nil, reaction: reaction(),
      previous: chance(3) ? 0 : sequence())
  }

  mutating func policy() -> Policy {
    let validity: Policy.Validity
    switch below(4) {
    case 0: validity = .emoji
    case 1: validity = .emojiAndCustom
    case 2: validity = .anyText
    default: validity = .allowed((0..<below(12)).map { _ in reaction() })
    }
    do {
      return try Policy(
        selection: pick(Policy.Selection.allCases),
        maximumDistinctPerMessage: pick([1, 20, 100, below(100) + 1]),
        maximumPerUserAndMessage: pick([nil, 1, 100, below(100) + 1]), validity: validity)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  mutating func userRow() -> UserRow {
    switch below(3) {
    case 0: .live(salt: sixteenBytes(), id: identifier())
    case 1: .closing(salt: sixteenBytes(), id: identifier())
    default: .erased
    }
  }

  mutating func state() -> MetaFormat.State {
    MetaFormat.State(
      slot: below(2), eraseEpoch: pick([0, 1, .max, word()]),
      noticeCount: pick([1, 2, .max, word()]), rebuild: chance(2) ? sixteenBytes() : nil)
  }

  /// A row whose sequences rise as they must.
  mutating func row() -> MessageRow {
    var sequence: UInt64 = 0
    var blocks: [MessageRow.Block] = []
    for _ in 0..<pick([0, 1, 1, 2, 3, chance(20) ? 100 : 4]) {
      sequence += UInt64(below(5) + 1)
      let opened = sequence
      let isSpilled = chance(3)
      let count = isSpilled ? pick([1, 2, 3, 17, 1_000_000, Int(UInt32.max)]) : below(16) + 1
      let entries = (0..<(isSpilled ? min(3, count) : count)).map { index in
        if index > 0 || chance(3) { sequence += UInt64(below(3) + 1) }
        return Reactor(user: user(), sequence: sequence)
      }
      blocks.append(
        MessageRow.Block(
          reaction: reaction(), opened: opened, count: count, isSpilled: isSpilled,
          entries: entries))
    }
    return MessageRow(
      eventCount: pick([1, 2, Int(UInt32.max), below(1000) + 1]),
      lastSequence: chance(5) ? (1 << 48) - 1 : sequence + 1, blocks: blocks)
  }
}
