import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `show`: what messages show.
enum ShowCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "show", summary: "Shows the reactions on messages",
      details: """
        With counts and the first three users. A message that is not known \
        has no reactions. All messages are of one conversation and are read at one moment.
        """,
      operands: [.ledger],
      options: [
        .conversation,
        .value(
          "message", "M", "a message's id in its conversation; may be given several times",
          isRequired: true, isRepeated: true),
        .value("viewer", "U", "the user who asks, for reactedByMe"),
        .value(
          "as-of", "SEQ|TIME",
          "as it was after this sequence, or at this time by the ledger's clock"),
        .value("order", "BY", "opening: those of the longest standing first (default); count"),
        .json,
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let messages = try arguments.messages()
    let viewer = try arguments.user("viewer")
    let moment = try arguments.moment("as-of")
    let order: ReactionOrder =
      try arguments.choice("order", ["opening": .opening, "count": .count]) ?? .opening
    let summaries = try withLedgerToRead(at: try arguments.ledgerPath()) {
      (ledger) throws(Failure) in
      try ledger.look { (snapshot) throws(LedgerError) in
        let summaries =
          if let moment {
            try messages.map { (message) throws(LedgerError) in
              try snapshot.summary(of: message, viewer: viewer, asOf: moment)
            }
          } else {
            try snapshot.summaries(of: messages, viewer: viewer)
          }
        return summaries.map { $0.ordered(by: order) }
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
