internal import ReactionCodec
internal import ReactionModel

/// A page of the users who have one reaction on one message, in memory that is used again.
///
/// ``Snapshot/read(reactorsOf:on:after:limit:into:)`` fills it. It stays good after the snapshot;
/// once it has been as full as it gets, filling it allocates nothing for the users. It tells the same
/// as a ``ReactorPage``.
public struct ReactorBuffer: Sendable {
  /// How many users have the reaction in all.
  public internal(set) var count = 0
  /// The users of this page, in order of their adds.
  public internal(set) var users = UserNames()
  /// Where the next page begins; `nil` after the last one.
  public internal(set) var cursor: PageCursor?
  /// The key of the message.
  var key = MessageKeyBuffer()
  /// Pairs of `reactors`, one after another.
  var pairs: [UInt8] = []

  /// Makes an empty buffer.
  public init() {}

  /// Empties it and keeps its memory.
  public mutating func clear() {
    count = 0
    users.clear()
    cursor = nil
  }
}
