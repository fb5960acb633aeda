import LedgerEngine
import ReactionModel

// What people read, where JSON is not asked for. Its wording may change.

extension MessageSummary {
  /// The summary as lines of text.
  var lines: [String] {
    guard !reactions.isEmpty else { return ["\(message): no reactions".printable] }
    return ["\(message), last event \(sequence):".printable]
      + reactions.map { reaction in
        let more = reaction.count > reaction.firstUsers.count ? ", …" : ""
        let users = reaction.firstUsers.map(\.text).joined(separator: ", ")
        let mine = reaction.reactedByMe ? " (the viewer among them)" : ""
        return "  \(reaction.reaction) \(reaction.count): \(users)\(more)\(mine)".printable
      }
  }
}

extension Outcome {
  /// The outcome as a line of text.
  var line: String {
    switch self {
    case .recorded(let receipt): "recorded as \(receipt.words)"
    case .repeated(let receipt): "recorded before, as \(receipt.words)"
    case .unchanged(.alreadyReacted):
      "unchanged (alreadyReacted): the user has this reaction on the message already"
    case .unchanged(.notReacted):
      "unchanged (notReacted): the user does not have this reaction on the message"
    case .unchanged(.nothingToClear): "unchanged (nothingToClear): there is no such reaction"
    case .unchanged(.nothingToErase):
      "unchanged (nothingToErase): the ledger knows no user of this id"
    case .unchanged(.samePolicy): "unchanged (samePolicy): this policy is in force already"
    case .rolledBack(let index): "rolled back, because command \(index + 1) was refused"
    case .refused(let reason): "refused (\(reason.name)): \(reason.words)".printable
    }
  }
}

extension Receipt {
  fileprivate var words: String {
    let (first, last) = (sequences.lowerBound, sequences.upperBound)
    let place = first == last ? "sequence \(first)" : "sequences \(first) to \(last)"
    return "\(place) at \(recordedAt) (\(durability.name))"
  }
}

extension RefusalReason {
  fileprivate var words: String {
    switch self {
    case .commandIDReused: "the command id was used for another command; take a new one"
    case .conversationNotSupported: "chat rooms carry no reactions; use a user: or group: one"
    case .userBeingErased: "the user is being erased and cannot react any more"
    case .invalidReaction(let reason): "\(reason)"
    case .limitReached(.distinctPerMessage):
      "the message has as many distinct reactions as the policy allows"
    case .limitReached(.perUserAndMessage):
      "the user has as many reactions on the message as the policy allows"
    }
  }
}

extension Policy {
  /// The policy in words.
  var words: String {
    let selection = selection == .single ? "one reaction" : "several reactions"
    let limit = maximumPerUserAndMessage.map { " (at most \($0))" } ?? ""
    let validity =
      switch validity {
      case .emoji: "emoji"
      case .emojiAndCustom: "emoji and custom reactions"
      case .anyText: "any text"
      case .allowed(let reactions): "one of \(reactions.count) listed reactions"
      }
    return "\(selection) per user\(limit), at most \(maximumDistinctPerMessage) distinct, "
      + validity
  }
}

/// A count and its noun, which gets an *s* unless the count is 1.
func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
