public import ReactionModel

/// How much a replay checks; each level includes the ones before it.
public enum ReplayLevel: Int, Sendable, CaseIterable, Comparable {
  /// The log by itself: gapless, decodable, sealed, in order, users and commands well formed.
  case log
  /// That every event is possible after those before it.
  case legality
  /// That every projection, and the dictionary of users, is what the log makes it.
  case projections

  /// The word used for it in text.
  public var name: String { String(describing: self) }

  /// Whether one level checks less than another.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// How far a replay or a rebuild is.
public struct ReplayProgress: Hashable, Sendable {
  /// What is being done.
  public enum Stage: String, Sendable, CaseIterable {
    /// Looking at the pages of the store.
    case pages
    /// Reducing the log.
    case log
    /// Checking the users.
    case users
    /// Checking the rows of messages.
    case messages
    /// Checking the reactors of popular reactions.
    case reactors
    /// Checking the command ids.
    case commands
    /// Checking the index by user.
    case byUser
    /// Writing the other slot.
    case load
  }

  /// What is being done.
  public let stage: Stage
  /// How many items of it are done.
  public let doneCount: Int
  /// How many there are.
  public let totalCount: Int
}

/// What a replay found.
public struct ReplayReport: Hashable, Sendable {
  /// What was checked.
  public let level: ReplayLevel
  /// The sequence up to which the log was proved; all of it at the time the replay ended.
  public let head: UInt64
  /// The events among those records.
  public let eventCount: Int
  /// The messages that have had a reaction.
  public let messageCount: Int
  /// The users whom the log mentions.
  public let userCount: Int
  /// How many findings there are.
  public let findingCount: Int
  /// The first of them.
  public let findings: [Finding]

  /// That of a store whose pages cannot be trusted, so that nothing else was read.
  init(level: ReplayLevel, unreadable findings: [Finding]) {
    self.init(
      level: level, head: 0, eventCount: 0, messageCount: 0, userCount: 0,
      findingCount: findings.count, findings: findings)
  }

  init(
    level: ReplayLevel, head: UInt64, eventCount: Int, messageCount: Int, userCount: Int,
    findingCount: Int, findings: [Finding]
  ) {
    self.level = level
    self.head = head
    self.eventCount = eventCount
    self.messageCount = messageCount
    self.userCount = userCount
    self.findingCount = findingCount
    self.findings = findings
  }

  /// Whether everything agrees.
  public var isOK: Bool { findingCount == 0 }
}
