public import ReactionModel

/// The effect of one command on one message, as the feed tells it.
public struct Change: Hashable, Sendable {
  /// One reaction that came or went.
  public struct Operation: Hashable, Sendable {
    /// Whether it came or went.
    public enum Kind: String, Hashable, Sendable {
      /// It was added.
      case added
      /// It was removed.
      case removed
    }

    /// Whether it came or went.
    public let kind: Kind
    /// The reaction, in canonical form.
    public let reaction: Reaction
    /// Whose reaction it is; `nil` once the user is erased.
    public let user: UserID?
    /// Who asked for it, if not the user; `nil` also once erased.
    public let actor: UserID?
    /// Why.
    public let cause: Cause
    /// Its sequence.
    public let sequence: UInt64
    /// The sequence of the last event on the message before it, 0 if it is the first.
    public let previous: UInt64
    /// When the reaction was added, by the client's clock if the command told, else by the ledger's.
    public let time: Timestamp
  }

  /// The message.
  public let message: MessageKey
  /// The message's parent in its thread, if the command gave one.
  public let parent: MessageID?
  /// What came and went, in order.
  public let operations: [Operation]
  /// The command's id, if it had one.
  public let commandID: CommandID?
  /// When it was recorded.
  public let recordedAt: Timestamp
  /// What to save: the feed goes on after it.
  public let position: Position
  /// What the message shows in the snapshot in which the change was read, which may be later.
  public let reactions: [ReactionSummary]
  /// The head of that snapshot.
  public let snapshotSequence: UInt64
}

/// Where a position is, seen from a ledger.
public enum PositionStanding: Hashable, Sendable {
  /// In this history.
  case here
  /// After the last record: this copy is behind.
  case ahead
  /// In another history: the record with that sequence is another one.
  case notInThisHistory
}
