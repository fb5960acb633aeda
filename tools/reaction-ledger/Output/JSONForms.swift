import LedgerEngine
import LedgerInterchange
import ReactionModel

// The JSON forms that several commands print. Their keys are stable.

extension JSONWriter {
  /// Writes what a message shows: `conversation`, `message`, `reactions` (`reaction`, `count`,
  /// `reactedByMe`, `firstUsers`), `sequence`.
  mutating func members(of summary: MessageSummary) {
    member("conversation", "\(summary.message.conversation)")
    member("message", summary.message.message.text)
    array("reactions") { writer in
      for reaction in summary.reactions {
        writer.object { writer in
          writer.member("reaction", reaction.reaction.text)
          writer.member("count", reaction.count)
          writer.member("reactedByMe", reaction.reactedByMe)
          writer.member("firstUsers", strings: reaction.firstUsers.map(\.text))
        }
      }
    }
    member("sequence", summary.sequence)
  }

  /// Writes what became of a command: `outcome`, `reason`, `code`, `sequences`, `recordedAt`,
  /// `durability`, those that there are.
  mutating func members(of outcome: Outcome) {
    member("outcome", outcome.name)
    member("reason", ifPresent: outcome.reason?.name)
    member("code", ifPresent: outcome.reason?.code)
    guard let receipt = outcome.receipt else { return }
    array("sequences") { writer in
      writer.value(receipt.sequences.lowerBound)
      writer.value(receipt.sequences.upperBound)
    }
    member("recordedAt", "\(receipt.recordedAt)")
    member("durability", receipt.durability.name)
  }

  /// Writes findings: `rule`, `place`, `expected`, `found`, `sequence` (null without one).
  mutating func member(_ key: String, _ findings: [Finding]) {
    array(key) { writer in
      for finding in findings {
        writer.object { writer in
          writer.member("rule", finding.rule.rawValue)
          writer.member("place", finding.place)
          writer.member("expected", finding.expected)
          writer.member("found", finding.found)
          writer.member("sequence", orNull: finding.sequence)
        }
      }
    }
  }
}

extension Outcome {
  /// Why nothing was recorded, and the chat SDKs' code for it.
  var reason: (name: String, code: String?)? {
    switch self {
    case .recorded, .repeated: nil
    case .unchanged(let reason): (reason.rawValue, reason.code)
    case .refused(let reason): (reason.name, reason.code)
    case .rolledBack: nil
    }
  }
}
