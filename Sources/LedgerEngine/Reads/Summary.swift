public import ReactionModel

/// What a message shows: its live reactions in order of opening.
public struct MessageSummary: Hashable, Sendable {
  /// The message.
  public let message: MessageKey
  /// Its live reactions, those of the longest standing first; none has a count of 0.
  public let reactions: [ReactionSummary]
  /// How many events there have been on the message.
  public let eventCount: Int
  /// The sequence of the last one, 0 if there has been none.
  public let sequence: UInt64
}

/// What one reaction on a message shows.
public struct ReactionSummary: Hashable, Sendable {
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// How many users have it.
  public let count: Int
  /// Whether the user who asks is among them; false if nobody was named.
  public let reactedByMe: Bool
  /// The three who have had it longest, in order of their adds.
  public let firstUsers: [UserID]
}
