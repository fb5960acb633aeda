/// A number that stands for a user in the log; 1, 2, 3 … in order of first mention, 0 for nobody.
public typealias UserNumber = UInt32

/// SHA-256(0x02 ‖ salt ‖ id): what binds a user's number to an id without telling it.
public struct Commitment: Hashable, Sendable {
  /// The 32 bytes in order, eight to a word, the first one the highest.
  public let words: (UInt64, UInt64, UInt64, UInt64)

  /// Makes a commitment from its words.
  public init(_ words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// Whether two commitments are equal.
  public static func == (a: Self, b: Self) -> Bool { a.words == b.words }

  /// Hashes the commitment.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// A record of the log without its sequence, which is its key, and its seal, which is its hash.
///
/// Users are numbers here. What a record means is told by ``Reducer``.
public struct Record: Hashable, Sendable {
  /// Which command made the record.
  public enum Operation: UInt8, Sendable, CaseIterable {
    /// Add a reaction.
    case add = 0
    /// Remove a reaction.
    case remove = 1
    /// Remove all reactions of a message.
    case clearMessage = 2
    /// Remove one reaction of a message from all its users.
    case clearReaction = 3
    /// Erase a user.
    case erase = 4
    /// Set the policy.
    case setPolicy = 5
    /// Make the ledger.
    case create = 6

    /// The word used for it in text.
    package var name: String {
      switch self {
      case .add: "add"
      case .remove: "remove"
      case .clearMessage: "clearMessage"
      case .clearReaction: "clearReaction"
      case .erase: "erase"
      case .setPolicy: "setPolicy"
      case .create: "create"
      }
    }

    /// The operation whose name these bytes are.
    package init?(utf8 name: Span<UInt8>) {
      for operation in Self.allCases
      where UTF8Bytes.areEqual(operation.name.utf8Span.span, name) {
        self = operation
        return
      }
      return nil
    }
  }

  /// Where a record stands in its command.
  public struct Place: Hashable, Sendable {
    /// What the command asked for.
    public var operation: Operation
    /// 0 for the command's first record.
    public var index: Int
    /// How many records the command has, 1 to 8,192.
    public var count: Int

    /// The most records of one command.
    public static let countCeiling = 8_192

    /// Makes a place; by default that of the only record.
    public init(_ operation: Operation, index: Int = 0, count: Int = 1) {
      self.operation = operation
      self.index = index
      self.count = count
    }
  }

  /// What a change of a count says.
  public struct Change: Hashable, Sendable {
    /// Whether the reaction came or went.
    public enum Kind: Hashable, Sendable {
      /// It was added.
      case added
      /// It was removed; `ends` is the sequence of the add that it ends.
      case removed(ends: UInt64)
    }

    /// Whether the reaction came or went.
    public var kind: Kind
    /// On which message.
    public var message: MessageKey
    /// The message's parent in its thread, if the command gave one.
    public var parent: MessageID?
    /// The reaction in canonical form.
    public var reaction: Reaction
    /// The sequence of the last change on the same message, 0 for its first.
    public var previous: UInt64

    /// Makes a change.
    public init(
      _ kind: Kind, message: MessageKey, parent: MessageID? = nil, reaction: Reaction,
      previous: UInt64
    ) {
      self.kind = kind
      self.message = message
      self.parent = parent
      self.reaction = reaction
      self.previous = previous
    }
  }

  /// What a record says.
  public enum Content: Hashable, Sendable {
    /// An event: a reaction came or went.
    case change(Change)
    /// A notice, the first record of every log.
    case created(ledger: LedgerID, policy: Policy)
    /// A notice: from here on this policy holds.
    case policyChanged(Policy)
    /// A notice: the record's user was erased.
    case userErased
  }

  /// When it was recorded; never earlier than the record before.
  public var recordedAt: Timestamp
  /// Why.
  public var cause: Cause
  /// Where it stands in its command.
  public var place: Place
  /// When the caller says it was done.
  public var clientTime: Timestamp?
  /// Whose reaction it is, or who was erased; 0 in other notices.
  public var user: UserNumber
  /// Who asked for it, if not the user.
  public var actor: UserNumber?
  /// The command's id; only on the record of index 0.
  public var commandID: CommandID?
  /// The user's commitment, if this is the first record that mentions the user.
  public var userCommitment: Commitment?
  /// The actor's commitment, if this is the first record that mentions the actor.
  public var actorCommitment: Commitment?
  /// What it says.
  public var content: Content

  /// Makes a record.
  public init(
    recordedAt: Timestamp, cause: Cause, place: Place, clientTime: Timestamp? = nil,
    user: UserNumber, actor: UserNumber? = nil, commandID: CommandID? = nil,
    userCommitment: Commitment? = nil, actorCommitment: Commitment? = nil, content: Content
  ) {
    self.recordedAt = recordedAt
    self.cause = cause
    self.place = place
    self.clientTime = clientTime
    self.user = user
    self.actor = actor
    self.commandID = commandID
    self.userCommitment = userCommitment
    self.actorCommitment = actorCommitment
    self.content = content
  }

  /// Whether it is an event: a record that changes a count.
  public var isEvent: Bool {
    if case .change = content { true } else { false }
  }
}
