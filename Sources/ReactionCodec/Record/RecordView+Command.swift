internal import ReactionModel

extension RecordView {
  /// Whether its operation makes such a record, whatever the records before.
  package var fitsItsOperation: Bool {
    switch operation {
    case .add where isAdded: index + 1 == count
    case .add: cause == .replaced
    case .remove: count == 1
    case .clearMessage, .clearReaction, .erase, .setPolicy, .create: true
    }
  }

  /// Whether it agrees with the event before it, which is one of the same command.
  package func continues(_ previous: borrowing RecordView) -> Bool {
    guard messageHead == previous.messageHead, messageIDs.equals(previous.messageIDs),
      parent.equals(previous.parent), recordedAt == previous.recordedAt, actor == previous.actor,
      clientTime == previous.clientTime
    else { return false }
    switch operation {
    case .add: return previous.user == user
    case .erase: return previous.user == user && previous.cause == cause
    case .clearReaction: return reaction.equals(previous.reaction) && previous.cause == cause
    case .remove, .clearMessage, .setPolicy, .create: return previous.cause == cause
    }
  }
}
