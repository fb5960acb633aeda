/// The state of all reactions as the log tells it: a pure function of the records, one by one.
///
/// It is deliberately plain and shares nothing with the code that keeps the projections up to
/// date: that two different programs agree is what makes the comparison worth something. A record
/// that breaks a rule is reported and, where it would make the state impossible, not applied.
///
/// Memory: about 150 bytes for each event whose reaction is live, and for each message.
public struct Reducer: Sendable {
  /// One user's live reaction.
  public struct Reactor: Hashable, Sendable {
    /// Whose reaction it is.
    public let user: UserNumber
    /// The sequence of the add.
    public let sequence: UInt64
  }

  /// A reaction that is live on a message.
  public struct LiveReaction: Hashable, Sendable {
    /// The reaction.
    public let reaction: Reaction
    /// The sequence of the add that took its count from 0 to 1.
    public let opened: UInt64
    /// Its reactors, in order of their adds.
    public internal(set) var reactors: [Reactor]
    /// The most reactors it has had since it opened.
    public internal(set) var peak: Int
    /// The users among the reactors, kept only where there are too many to look through.
    var members: Set<UserNumber>?

    static let searchedCount = 32

    /// Whether the user is among the reactors.
    func contains(_ user: UserNumber) -> Bool {
      members.map { $0.contains(user) } ?? reactors.contains { $0.user == user }
    }

    mutating func append(_ reactor: Reactor) {
      reactors.append(reactor)
      peak = max(peak, reactors.count)
      members?.insert(reactor.user)
      if members == nil, reactors.count > Self.searchedCount {
        members = Set(reactors.map(\.user))
      }
    }

    mutating func remove(at index: Int) {
      let removed = reactors.remove(at: index)
      members?.remove(removed.user)
    }
  }

  /// A message that has had a reaction.
  public struct Message: Hashable, Sendable {
    /// How many events there are on it.
    public internal(set) var eventCount = 0
    /// The sequence of the last one.
    public internal(set) var lastSequence: UInt64 = 0
    /// Its live reactions, in order of opening.
    public internal(set) var reactions: [LiveReaction] = []
  }

  /// What the log tells of a user.
  public struct User: Hashable, Sendable {
    /// What binds the number to an id.
    public let commitment: Commitment
    /// How many of the user's reactions are live.
    public internal(set) var liveCount = 0
    /// Whether the user was erased.
    public internal(set) var isErased = false
  }

  /// The sequence of the last record.
  public internal(set) var head: UInt64 = 0
  /// How many of the records are events.
  public internal(set) var eventCount = 0
  /// The ledger's id; `nil` before the first record.
  public internal(set) var ledger: LedgerID?
  /// The policy in force; `nil` before the first record.
  public internal(set) var policy: Policy?
  /// The messages that have had a reaction.
  public internal(set) var messages: [MessageKey: Message] = [:]
  /// The users by number; number 1 is at index 0.
  public internal(set) var users: [User] = []
  /// The sequence of the first record of each command that had an id.
  public internal(set) var commands: [CommandID: UInt64] = [:]

  /// The record before, and whether its command goes on.
  var previous: Record?

  /// The state before the first record.
  public init() {}
}
