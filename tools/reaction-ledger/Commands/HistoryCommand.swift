import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `history`: the events on a message.
enum HistoryCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "history", summary: "Lists every event on a message, oldest first",
      operands: [.ledger], options: [.conversation, .message, .json])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let message = try arguments.message()
    let entries = try withLedger(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      try ledger.look { (snapshot) throws(LedgerError) in try snapshot.history(of: message) }
    }
    if entries.isEmpty, !arguments.has("json") {
      try output.line("\(message): no events".printable)
    }
    for entry in entries {
      guard !output.isClosed else { break }
      if arguments.has("json") {
        try output.object { $0.members(of: entry, format: nil) }
      } else {
        try output.line(entry.line)
      }
    }
    return .done
  }
}
