internal import LedgerEngine
public import ReactionModel

/// The reactions of a message as one user sees them: what a host keeps beside its own message.
///
/// ``LedgerClient/updateMessageWithReactionInfo(_:_:_:)`` keeps it up to date.
public struct ReactionMessage: Hashable, Sendable {
  /// Which message.
  public let key: MessageKey
  /// Who sees it.
  public let viewer: UserID
  /// Its reactions, those of the longest standing first; none has a count of 0.
  public internal(set) var reactions: [ReactionOverview]
  /// The sequence of the last event on the message that is in the list, 0 for none.
  public internal(set) var sequence: UInt64

  /// The message's id in its conversation.
  public var id: MessageID { key.message }

  /// Makes a message, for instance one that was kept.
  public init(
    key: MessageKey, viewer: UserID, reactions: [ReactionOverview] = [], sequence: UInt64 = 0
  ) {
    self.key = key
    self.viewer = viewer
    self.reactions = reactions
    self.sequence = sequence
  }

  /// What the ledger shows to a viewer; of a deleted message nothing.
  init(_ summary: MessageSummary, viewer: UserID, isDeleted: Bool) {
    self.init(
      key: summary.message, viewer: viewer,
      reactions: isDeleted ? [] : summary.reactions.map { ReactionOverview($0) },
      sequence: summary.sequence)
  }

  /// Whether the viewer has this reaction.
  public func isReactedByMe(_ reaction: Reaction) -> Bool {
    reactions.contains { $0.reaction == reaction && $0.reactedByMe }
  }
}

/// One reaction on a message, as one user sees it.
public struct ReactionOverview: Hashable, Sendable {
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// How many users have it, at least 1.
  public internal(set) var count: Int
  /// Whether the viewer is among them.
  public internal(set) var reactedByMe: Bool
  /// Of those who have it, the earliest, in order of adding: three, or as many as are known.
  public internal(set) var firstUsers: [UserID]

  /// How many users are in a preview that is not stale, if as many have the reaction.
  public static let previewCount = 3

  /// Whether some of the earliest users are not known.
  ///
  /// One of them was removed, and who moved up only the ledger can tell. Those in ``firstUsers`` are
  /// right all the same.
  public var isPreviewStale: Bool { firstUsers.count < min(count, Self.previewCount) }

  /// Makes an overview, for instance one that was kept.
  ///
  /// - Parameters:
  ///   - reaction: The reaction.
  ///   - count: How many users have it, at least 1.
  ///   - reactedByMe: Whether the viewer is among them.
  ///   - firstUsers: The earliest of them, in order of adding; more than three are cut off.
  public init(reaction: Reaction, count: Int, reactedByMe: Bool, firstUsers: [UserID]) {
    self.reaction = reaction
    self.count = count
    self.reactedByMe = reactedByMe
    self.firstUsers = Array(firstUsers.prefix(max(0, min(count, Self.previewCount))))
  }

  init(_ summary: ReactionSummary) {
    self.init(
      reaction: summary.reaction, count: summary.count, reactedByMe: summary.reactedByMe,
      firstUsers: summary.firstUsers)
  }
}
