import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `show`: what messages show.
enum ShowCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "show", summary: "Shows the reactions on messages",
      details: """
        In order of opening, with counts and the first three users. A message that is not known \
        has no reactions. All messages are of one conversation and are read at one moment.
        """,
      operands: [.ledger],
      options: [
        .conversation,
        .value(
          "message", "M", "a message's id in its conversation; may be given several times",
          isRequired: true, isRepeated: true),
        .value("viewer", "U", "the user who asks, for reactedByMe"),
        .json,
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let messages = try arguments.messages()
    let viewer = try arguments.user("viewer")
    let summaries = try withLedger(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      try ledger.look { (snapshot) throws(LedgerError) in
        try snapshot.summaries(of: messages, viewer: viewer)
      }
    }
    for summary in summaries {
      if arguments.has("json") {
        try output.object { $0.members(of: summary) }
      } else {
        for line in summary.lines { try output.line(line) }
      }
    }
    return .done
  }
}
