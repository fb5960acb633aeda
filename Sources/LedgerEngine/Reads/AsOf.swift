public import ReactionModel

/// A moment in a ledger's history.
public enum Moment: Hashable, Sendable {
  /// After the last command whose last record is at or before this sequence.
  case sequence(UInt64)
  /// After the last command that was recorded at or before this time, by the ledger's clock.
  case time(Timestamp)
}

/// What was live on one message at a moment: a plain fold over its events.
struct MessageFold {
  struct Live {
    let reaction: Reaction
    var reactors: [(user: UserNumber, sequence: UInt64)]
  }

  private(set) var live: [Live] = []
  private(set) var eventCount = 0
  private(set) var lastSequence: UInt64 = 0

  mutating func apply(_ change: Record.Change, by user: UserNumber, at sequence: UInt64) {
    eventCount += 1
    lastSequence = sequence
    let index = live.firstIndex { $0.reaction == change.reaction }
    switch (change.kind, index) {
    case (.added, let index?): live[index].reactors.append((user, sequence))
    case (.added, nil):
      live.append(Live(reaction: change.reaction, reactors: [(user, sequence)]))
    case (.removed(let ends), let index?):
      live[index].reactors.removeAll { $0.sequence == ends }
      if live[index].reactors.isEmpty { live.remove(at: index) }
    case (.removed, nil): break
    }
  }
}
