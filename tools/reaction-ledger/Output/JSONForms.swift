import LedgerEngine
import LedgerInterchange
import ReactionModel

// The JSON forms that several commands print. Their keys are stable.

extension JSONWriter {
  /// Writes a member that is a string, or null if there is none.
  mutating func member(_ key: String, orNull value: String?) {
    if let value { member(key, value) } else { null(key) }
  }

  /// Writes a member that is an integer, or null if there is none.
  mutating func member(_ key: String, orNull value: (some FixedWidthInteger)?) {
    if let value { member(key, value) } else { null(key) }
  }

  private mutating func null(_ key: String) {
    self.key(key)
    null()
  }

  /// Writes a member that is an array of strings.
  mutating func member(_ key: String, strings: some Sequence<String>) {
    array(key) { writer in
      for string in strings { writer.value(string) }
    }
  }
}

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

  /// Writes a policy: `selection`, `maxDistinct`, `maxPerUser` (null without a limit), `reactions`
  /// and, of an allow-list, `allowed`.
  mutating func member(_ key: String, _ policy: Policy) {
    object(key) { writer in
      writer.member("selection", policy.selection.word)
      writer.member("maxDistinct", policy.maximumDistinctPerMessage)
      writer.member("maxPerUser", orNull: policy.maximumPerUserAndMessage)
      writer.member("reactions", policy.validity.word)
      if case .allowed(let reactions) = policy.validity {
        writer.member("allowed", strings: reactions.map(\.text))
      }
    }
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
    }
  }
}

extension Policy.Selection {
  /// The word for it in options and JSON.
  var word: String {
    switch self {
    case .multiple: "multiple"
    case .single: "single"
    }
  }
}

extension Policy.Validity {
  /// The word for it in options and JSON.
  var word: String {
    switch self {
    case .emoji: "emoji"
    case .emojiAndCustom: "custom"
    case .anyText: "any"
    case .allowed: "allowed"
    }
  }
}
