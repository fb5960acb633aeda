internal import LedgerEngine
internal import ReactionModel

extension Viewer {
  /// What this user is told of a change; `nil` for one of this client's own, one in a conversation
  /// of others, and one on a message that the host does not know.
  func told(_ change: Change) async throws(ReactionClientError) -> ReactionChange? {
    guard !isOwn(change) else { return nil }
    let key = change.message
    let isMember = try await asking { () async throws(DirectoryFailure) in
      try await directory.isMember(user, of: key.conversation)
    }
    guard isMember, let message = try await known(key.message, in: key.conversation) else {
      return nil
    }
    let users = try await named(change.operations.compactMap(\.user))
    guard let shown = try shown([message]).first else { return nil }
    return ReactionChange(
      message: shown, operations: change.operations.map { ReactionOperation($0) },
      events: change.operations.map { operation in
        ReactionEvent(
          reaction: operation.reaction, user: operation.user.flatMap { users[$0] }, message: key,
          receiver: message.facts.receiver, parentMessageID: message.facts.parent ?? change.parent,
          time: operation.time, sequence: operation.sequence,
          previousSequence: operation.previous)
      },
      position: change.position)
  }
}

extension ReactionOperation {
  init(_ operation: Change.Operation) {
    self.init(
      user: operation.user, reaction: operation.reaction,
      action: operation.kind == .added ? .added : .removed)
  }
}
