public import LedgerHash
public import ReactionModel

/// How much a replay checks; each level includes the ones before it.
public enum ReplayLevel: Int, Sendable, CaseIterable, Comparable {
  /// The log by itself: gapless, decodable, sealed, in order, users and commands well formed.
  case log
  /// That every event is possible after those before it.
  case legality
  /// That every projection, and the dictionary of users, is what the log makes it.
  case projections
  /// That the hashes of the tree over the log, and checkpoints of it, are those of this log.
  case tree

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
    /// Checking the hashes of the tree.
    case tree
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
  /// The sequence up to which everything was proved: the last one when the replay began.
  ///
  /// What came while it ran was looked at in part, and may have findings too.
  public let head: UInt64
  /// The events among those records.
  public let eventCount: Int
  /// The messages that have had a reaction.
  public let messageCount: Int
  /// The users whom the log mentions.
  public let userCount: Int
  /// How many findings there are.
  public let findingCount: Int
  /// The first of them, in an order that does not depend on how the work was divided: the log, users,
  /// messages, reactors, commands, the index by user, `meta`, the tree, checkpoints; there by keys.
  public let findings: [Finding]
  /// The root of the tree over the records up to `head` (RFC 6962); `nil` below the level `tree`.
  public let root: Digest?
  /// How often each job read the log, for want of memory.
  public let passCount: Int
  /// How many jobs there were.
  public let jobCount: Int
  /// The most bytes that the tables of all jobs held at once.
  public let tableByteCount: Int

  /// Whether everything agrees.
  public var isOK: Bool { findingCount == 0 }
}
