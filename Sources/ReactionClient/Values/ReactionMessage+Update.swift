internal import ReactionModel

/// What became of a message when an event was to be applied to it.
public enum ReactionUpdate: Hashable, Sendable {
  /// It was applied; the message as it is now.
  case applied(ReactionMessage)
  /// The message has it already: it stays as it is.
  case alreadyApplied
  /// Events are missing between the message's sequence and this one's: read the message anew.
  case gap(messageSequence: UInt64, previousSequence: UInt64)
  /// The event is one of another message.
  case otherMessage
}

extension LedgerClient {
  /// Applies an event to a message: its reactions, their counts, `reactedByMe` and the first users.
  ///
  /// A pure function. The event's sequence and previous sequence say whether it is the next one of
  /// its message, so that an event that comes twice, late or after others that were lost does no
  /// harm. A client's own changes come in no event: go on from the message in the reply. When one of
  /// the first three users goes, who moves up is not known: then the preview is stale. Complexity: O(reactions on the message).
  ///
  /// - Parameters:
  ///   - message: The message as a client, a change or this function gave it.
  ///   - event: The event.
  ///   - action: Whether the reaction came or went.
  /// - Returns: The message after the event, or why it was not applied.
  public static func updateMessageWithReactionInfo(
    _ message: ReactionMessage, _ event: ReactionEvent, _ action: ReactionAction
  ) -> ReactionUpdate {
    guard event.message == message.key else { return .otherMessage }
    guard event.sequence > message.sequence else { return .alreadyApplied }
    guard event.previousSequence == message.sequence else {
      return .gap(
        messageSequence: message.sequence, previousSequence: event.previousSequence)
    }
    var updated = message
    switch action {
    case .added: updated.add(event.reaction, by: event.user?.id)
    case .removed: updated.remove(event.reaction, by: event.user?.id)
    }
    updated.sequence = event.sequence
    return .applied(updated)
  }
}

extension ReactionMessage {
  /// A user has the reaction as the last one; a reaction that is new comes last.
  mutating func add(_ reaction: Reaction, by user: UserID?) {
    guard let index = reactions.firstIndex(where: { $0.reaction == reaction }) else {
      reactions.append(
        ReactionOverview(
          reaction: reaction, count: 1, reactedByMe: user == viewer,
          firstUsers: user.map { [$0] } ?? []))
      return
    }
    reactions[index].add(user, isViewer: user == viewer)
  }

  /// A user has the reaction no more; one that nobody has goes.
  mutating func remove(_ reaction: Reaction, by user: UserID?) {
    guard let index = reactions.firstIndex(where: { $0.reaction == reaction }) else { return }
    reactions[index].remove(user, isViewer: user == viewer)
    if reactions[index].count <= 0 { reactions.remove(at: index) }
  }
}

extension ReactionOverview {
  // The first users are always a true prefix of the list, so that they are all there are when they
  // are as many as the count.

  mutating func add(_ user: UserID?, isViewer: Bool) {
    if let user, firstUsers.count == count, count < Self.previewCount { firstUsers.append(user) }
    count += 1
    if isViewer { reactedByMe = true }
  }

  mutating func remove(_ user: UserID?, isViewer: Bool) {
    count -= 1
    if isViewer { reactedByMe = false }
    if let user {
      firstUsers.removeAll { $0 == user }
    } else {
      // Any of them may be the one who was erased.
      firstUsers = []
    }
  }
}
