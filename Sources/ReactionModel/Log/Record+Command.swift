extension Record {
  /// Whether its operation makes such a record, whatever the records before.
  package var fitsItsOperation: Bool {
    guard case .change(let change) = content else { return true }
    switch place.operation {
    case .add where change.kind == .added: return place.index + 1 == place.count
    case .add: return cause == .replaced
    case .remove: return place.count == 1
    case .clearMessage, .clearReaction, .erase, .setPolicy, .create: return true
    }
  }

  /// Whether it agrees with the record before it, which is one of the same command.
  package func continues(_ previous: Record) -> Bool {
    guard case .change(let first) = previous.content, case .change(let second) = content,
      first.message == second.message, first.parent == second.parent,
      previous.recordedAt == recordedAt, previous.actor == actor,
      previous.clientTime == clientTime
    else { return false }
    switch place.operation {
    case .add: return previous.user == user
    case .erase: return previous.user == user && previous.cause == cause
    case .clearReaction: return first.reaction == second.reaction && previous.cause == cause
    case .remove, .clearMessage, .setPolicy, .create: return previous.cause == cause
    }
  }
}
