import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `history`: the events on a message, or of a user.
enum HistoryCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "history", summary: "Lists every event on a message, or of a user, oldest first",
      details:
        "Those of a user are looked for in the whole log. An erased user has no id any more.",
      operands: [.ledger],
      options: [
        .value("conversation", "C", "the conversation: user:ID, group:ID or room:ID"),
        .value("message", "M", "the message's id in its conversation"),
        .value("user", "U", "the user, instead of conversation and message"), .json,
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    guard let user = try arguments.user("user") else { return try ofMessage(arguments, output) }
    guard !arguments.has("conversation"), !arguments.has("message") else {
      throw .usage("--user excludes --conversation and --message: give one or the other")
    }
    try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      var (last, isEmpty): (UInt64, Bool) = (0, true)
      while !output.isClosed {
        let entries = try ledger.attempt { (ledger) throws(LedgerError) in
          try ledger.history(of: user, after: last)
        }
        guard let end = entries.last?.sequence else { break }
        (last, isEmpty) = (end, false)
        try output.entries(entries, isJSON: arguments.has("json"), format: nil)
      }
      if isEmpty, !arguments.has("json") { try output.line("\(user): no events".printable) }
    }
    return .done
  }

  private static func ofMessage(
    _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> ExitStatus {
    let message = try arguments.message()
    let entries = try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      try ledger.look { (snapshot) throws(LedgerError) in try snapshot.history(of: message) }
    }
    if entries.isEmpty, !arguments.has("json") {
      try output.line("\(message): no events".printable)
    }
    try output.entries(entries, isJSON: arguments.has("json"), format: nil)
    return .done
  }
}
