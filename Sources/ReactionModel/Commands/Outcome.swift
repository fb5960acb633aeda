/// What became of a command.
///
/// An outcome is a value: only the storage throws.
public enum Outcome: Hashable, Sendable {
  /// It was recorded.
  case recorded(Receipt)
  /// A command with this id and the same content was recorded before; its receipt again.
  case repeated(Receipt)
  /// Nothing had to change, and nothing was appended.
  case unchanged(UnchangedReason)
  /// It is against the rules, and nothing was appended.
  case refused(RefusalReason)
  /// It was one of several that were to be recorded together, and the one at this index was refused.
  case rolledBack(because: Int)

  /// The word used for it in text: `recorded`, `repeated`, `unchanged`, `refused`,
  /// `rolledBack`.
  public var name: String {
    switch self {
    case .recorded: "recorded"
    case .repeated: "repeated"
    case .unchanged: "unchanged"
    case .refused: "refused"
    case .rolledBack: "rolledBack"
    }
  }

  /// The receipt of what was recorded, now or before.
  public var receipt: Receipt? {
    switch self {
    case .recorded(let receipt), .repeated(let receipt): receipt
    case .unchanged, .refused, .rolledBack: nil
    }
  }
}

/// How safe a recorded command is when its receipt is given.
public enum Durability: UInt8, Sendable, CaseIterable {
  /// Flushed: a power cut after the receipt loses nothing.
  case durable = 0
  /// Never torn, but a power cut may take the last commit, until the next one or until the writer
  /// has been idle for a moment.
  case lastCommitMayVanish = 1

  /// The word used for it in text.
  public var name: String { String(describing: self) }
}

/// Where and when a command stands in the log.
///
/// Of a command that was a series (a large clear, an erasure) it is that of the last one.
public struct Receipt: Hashable, Sendable {
  /// The sequences of the command's records.
  public let sequences: ClosedRange<UInt64>
  /// When it was recorded, by the ledger's clock.
  public let recordedAt: Timestamp
  /// How safe the record is.
  public let durability: Durability

  /// Makes a receipt.
  public init(sequences: ClosedRange<UInt64>, recordedAt: Timestamp, durability: Durability) {
    self.sequences = sequences
    self.recordedAt = recordedAt
    self.durability = durability
  }
}

/// Why a command changed nothing.
public enum UnchangedReason: String, Sendable, CaseIterable {
  /// The user has this reaction on the message already.
  case alreadyReacted
  /// The user does not have this reaction on the message.
  case notReacted
  /// Nobody has that reaction on the message, or any.
  case nothingToClear
  /// The ledger knows no user of this id.
  case nothingToErase
  /// The policy is in force already.
  case samePolicy

  /// The chat SDKs' error code for it, where they have one.
  public var code: String? {
    switch self {
    case .alreadyReacted: "ERR_ALREADY_REACTED"
    case .notReacted: "ERR_REACTION_NOT_FOUND"
    case .nothingToClear, .nothingToErase, .samePolicy: nil
    }
  }
}

/// Why a command was refused.
///
/// Of several reasons the first in this order is given.
public enum RefusalReason: Hashable, Sendable {
  /// The command id was used before for something else.
  case commandIDReused
  /// The conversation is a chat room, which carries no reactions.
  case conversationNotSupported
  /// The user is being erased.
  case userBeingErased
  /// The reaction is none, or the policy does not allow it.
  case invalidReaction(InvalidReaction)
  /// The message has as many distinct reactions, or the user as many on it, as the policy allows.
  case limitReached(Limit)

  /// Which limit was reached.
  public enum Limit: String, Sendable, CaseIterable {
    /// Distinct reactions on the message.
    case distinctPerMessage
    /// Reactions of one user on the message.
    case perUserAndMessage
  }

  /// The word used for it in text.
  public var name: String {
    switch self {
    case .commandIDReused: "commandIDReused"
    case .conversationNotSupported: "conversationNotSupported"
    case .userBeingErased: "userBeingErased"
    case .invalidReaction: "invalidReaction"
    case .limitReached: "limitReached"
    }
  }

  /// The chat SDKs' error code for it, where they have one.
  public var code: String? {
    switch self {
    case .invalidReaction: "ERR_INVALID_REACTION"
    case .limitReached: "REACTION_REACH_LIMIT"
    case .commandIDReused, .conversationNotSupported, .userBeingErased: nil
    }
  }
}
