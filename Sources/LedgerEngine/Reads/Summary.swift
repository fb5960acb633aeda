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

/// In which order a message's reactions are given.
public enum ReactionOrder: Sendable, CaseIterable {
  /// Those of the longest standing first.
  case opening
  /// Those with the most users first; of equal counts those of the longest standing.
  case count
}

extension MessageSummary {
  /// The same with its reactions in another order; a summary is read in that of opening.
  ///
  /// Both orders are total: no two reactions of a message change places from one read to the next
  /// while nothing changes.
  public func ordered(by order: ReactionOrder) -> MessageSummary {
    guard order == .count else { return self }
    // The sort is stable by construction: equal counts are decided by the place.
    let sorted = reactions.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    return MessageSummary(
      message: message, reactions: sorted.map(\.element), eventCount: eventCount,
      sequence: sequence)
  }
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
  public var firstUsers: [UserID] { users.array }
  private let users: FirstUsers

  init(
    reaction: consuming Reaction, count: Int, reactedByMe: Bool, firstUsers: consuming FirstUsers
  ) {
    self.reaction = reaction
    self.count = count
    self.reactedByMe = reactedByMe
    users = firstUsers
  }
}

/// Up to three users, in place: a summary needs no array for each reaction.
struct FirstUsers: Hashable, Sendable {
  private let first: UserID?
  private let second: UserID?
  private let third: UserID?

  /// Those that there are come first.
  init(_ first: consuming UserID?, _ second: consuming UserID?, _ third: consuming UserID?) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// The first three of `users`.
  init(_ users: [UserID]) {
    self.init(
      users.first, users.count > 1 ? users[1] : nil, users.count > 2 ? users[2] : nil)
  }

  var array: [UserID] { [first, second, third].compactMap { $0 } }
}
