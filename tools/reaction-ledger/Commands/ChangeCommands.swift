import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `add`: adds a reaction.
enum AddCommand: ToolCommand {
  static var grammar: CommandGrammar {
    Change.grammar("add", "Adds a user's reaction to a message", .newLedger)
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    try Change.run(.add, arguments, creating: .standard, output)
  }
}

/// `remove`: removes a reaction.
enum RemoveCommand: ToolCommand {
  static var grammar: CommandGrammar {
    Change.grammar("remove", "Removes a user's reaction from a message", .ledger)
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    try Change.run(.remove, arguments, creating: nil, output)
  }
}

/// What `add` and `remove` have in common.
private enum Change {
  static func grammar(_ name: String, _ summary: String, _ ledger: Operand) -> CommandGrammar {
    CommandGrammar(
      name: name, summary: summary,
      details: "Prints what became of it, and what the message then shows to that user.",
      operands: [
        ledger, Operand("REACTION", "the reaction: an emoji, :name:, :name:id: or a text"),
      ],
      options: [
        .conversation, .message,
        .value("user", "U", "whose reaction it is", isRequired: true),
        .actor, .cause, .at, .parent, .commandID, .json,
      ],
      statuses: [
        (.done, "recorded, now or before under the same command id"),
        (.differs, "unchanged or refused: nothing was recorded"),
      ])
  }

  static func run(
    _ operation: Command.Operation, _ arguments: Arguments, creating policy: Policy?,
    _ output: Output
  ) throws(Failure) -> ExitStatus {
    let (command, message) = (try command(operation, arguments), try arguments.message())
    let path = try arguments.ledgerPath()
    let (outcome, summary) = try withLedger(at: path, creating: policy) {
      (ledger) throws(Failure) in
      let outcome = try ledger.attempt { (ledger) throws(LedgerError) in
        try ledger.append(command)
      }
      let summary = try ledger.look { (snapshot) throws(LedgerError) in
        try snapshot.summary(of: message, viewer: command.user)
      }
      return (outcome, summary)
    }
    return try output.report(outcome, summary, isJSON: arguments.has("json"))
  }

  private static func command(
    _ operation: Command.Operation, _ arguments: Arguments
  ) throws(Failure) -> Command {
    guard let user = try arguments.user("user") else { throw .usage("--user is missing: add it") }
    return Command(
      operation, try arguments.operand("REACTION"), on: try arguments.message(), by: user,
      actor: try arguments.user("actor"), cause: try arguments.cause("cause") ?? .user,
      at: try arguments.time("at"), parent: try arguments.messageID("parent"),
      id: try arguments.commandID("command-id"))
  }
}
