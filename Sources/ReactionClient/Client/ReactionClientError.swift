public import LedgerEngine
public import ReactionModel

/// Why a call of the client did not do what was asked, in the words of the chat SDKs.
public enum ReactionClientError: Error, Sendable {
  /// The message is unknown to the host, or deleted.
  case messageNotFound
  /// The text is no reaction, or none that the ledger's policy allows.
  case invalidReaction(InvalidReaction)
  /// The user has this reaction on the message already.
  case alreadyReacted
  /// The user does not have this reaction on the message.
  case reactionNotFound
  /// More than 100 were asked for at once.
  case limitExceeded(Int)
  /// Less than one was asked for.
  case limitNotPositive(Int)
  /// The message, or the user on it, has as many reactions as the policy allows.
  case reactionLimitReached(RefusalReason.Limit)
  /// The user is no member of the conversation, or may not react there.
  case notPermitted
  /// A cursor is no cursor, or one of another message or reaction.
  case invalidCursor(String)
  /// The ledger refused it for another reason.
  case refused(RefusalReason)
  /// The storage failed.
  case storage(LedgerError)
  /// The host's directory failed.
  case directory(DirectoryFailure)

  /// The SDKs' word for it; of the last three, which they do not have, one of our own.
  public var code: String {
    switch self {
    case .messageNotFound: "ERR_MESSAGE_NOT_FOUND"
    case .invalidReaction: "ERR_INVALID_REACTION"
    case .alreadyReacted: "ERR_ALREADY_REACTED"
    case .reactionNotFound: "ERR_REACTION_NOT_FOUND"
    case .limitExceeded: "ERROR_LIMIT_EXCEEDED"
    case .limitNotPositive: "ERROR_NON_POSITIVE_LIMIT"
    case .reactionLimitReached: "REACTION_REACH_LIMIT"
    case .notPermitted: "REACTION_OPERATION_IS_ILLEGAL"
    case .invalidCursor: "ERR_INVALID_CURSOR"
    case .refused(let reason): reason.code ?? "ERR_REFUSED"
    case .storage: "ERR_STORAGE"
    case .directory: "ERR_DIRECTORY"
    }
  }

  /// The SDKs' number for it; `nil` where they have none.
  public var number: Int? {
    switch self {
    case .reactionLimitReached: 1300
    case .alreadyReacted: 1301
    case .notPermitted: 1302
    default: nil
    }
  }

  /// What the storage threw: a cursor or a limit that is wrong is the caller's affair.
  init(_ error: LedgerError) {
    switch error {
    case .invalidCursor(let reason): self = .invalidCursor(reason)
    case .invalidLimit(let limit, let allowed):
      self = limit < allowed.lowerBound ? .limitNotPositive(limit) : .limitExceeded(limit)
    default: self = .storage(error)
    }
  }

  /// What the ledger refused.
  init(_ reason: RefusalReason) {
    switch reason {
    case .invalidReaction(let reason): self = .invalidReaction(reason)
    case .limitReached(let limit): self = .reactionLimitReached(limit)
    default: self = .refused(reason)
    }
  }
}

extension ReactionClientError: CustomStringConvertible {
  /// The SDKs' text, where they have one.
  public var description: String {
    switch self {
    case .messageNotFound: "Message does not exist"
    case .invalidReaction(let reason): "Invalid reaction: \(reason)"
    case .alreadyReacted: "Already reacted to message"
    case .reactionNotFound: "Reaction not found on message"
    case .limitExceeded: "Limit Exceeded Max limit of \(PageLimit.maximum)"
    case .limitNotPositive(let limit): "The limit must be 1 to \(PageLimit.maximum), not \(limit)"
    case .reactionLimitReached(let limit):
      limit == .perUserAndMessage
        ? "The user has as many reactions on the message as they may"
        : "The message has as many reactions as it may"
    case .notPermitted: "The user may not react to this message"
    case .invalidCursor(let reason): "Invalid cursor: \(reason)"
    case .refused(let reason): "The ledger refused it: \(reason.name)"
    case .storage(let error): "\(error)"
    case .directory(let failure): "The directory failed: \(failure.reason)"
    }
  }
}

/// How many may be asked for at once.
enum PageLimit {
  static let maximum = 100
  static let standard = 30

  static func require(_ limit: Int) throws(ReactionClientError) {
    if limit < 1 { throw .limitNotPositive(limit) }
    if limit > maximum { throw .limitExceeded(limit) }
  }
}
