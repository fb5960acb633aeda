internal import ReactionModel

/// What adding a reaction comes to: a pure function of what is live, and of the policy.
enum Plan: Hashable {
  /// The user has the reaction, and nothing else has to go.
  case unchanged
  /// A limit stands against it.
  case limitReached(RefusalReason.Limit)
  /// The user's reactions that go, in order of their adds, and whether the new one comes.
  case changes(removed: [Held], isAdded: Bool)

  /// A reaction that a user has on the message.
  struct Held: Hashable {
    let reaction: Reaction
    /// The sequence of the add.
    let sequence: UInt64
    /// Whether nobody else has it, so that it leaves the message with this user.
    let isOnly: Bool
    /// Whether it is the one that is to be added.
    let isWanted: Bool
  }

  /// What is live on the message, as far as an add is concerned.
  struct Situation {
    /// Whether the user has the reaction.
    var isHeld: Bool
    /// Whether anybody has it.
    var isShown: Bool
    /// All that the user has; may be empty where neither selection nor limit asks for it.
    var held: [Held]
    /// The distinct reactions on the message.
    var distinctCount: Int
  }

  /// Plans an add of a reaction that is valid, or on the message already.
  ///
  /// Limits are judged on the state after replaced reactions are gone. The limit of distinct
  /// reactions does not stop a further user on a reaction that is there.
  init(in situation: Situation, under policy: Policy) {
    let isSingle = policy.selection == .single
    let removed = isSingle ? situation.held.filter { !$0.isWanted } : []
    if situation.isHeld {
      self = removed.isEmpty ? .unchanged : .changes(removed: removed, isAdded: false)
      return
    }
    let distinctCount = situation.distinctCount - removed.count { $0.isOnly }
    if !situation.isShown, distinctCount >= policy.maximumDistinctPerMessage {
      self = .limitReached(.distinctPerMessage)
    } else if let limit = policy.maximumPerUserAndMessage,
      situation.held.count - removed.count >= limit
    {
      self = .limitReached(.perUserAndMessage)
    } else {
      self = .changes(removed: removed, isAdded: true)
    }
  }
}
