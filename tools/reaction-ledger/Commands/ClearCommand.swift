import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `clear`: removes the reactions of a message.
enum ClearCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "clear", summary: "Removes all reactions of a message, or one from all its users",
      details: """
        Each reaction of each user gets an event of its own, with the cause (default moderation). \
        If it is interrupted, give the same command again: it goes on.
        """,
      operands: [.ledger],
      options: [
        .conversation, .message,
        .value("reaction", "R", "only this reaction"),
        .actor, .cause, .at, .parent, .commandID, .json,
      ],
      statuses: [
        (.done, "recorded, now or before under the same command id"),
        (.differs, "unchanged or refused: nothing was recorded"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let message = try arguments.message()
    let command = Command(
      .clear(message: message, reaction: arguments.text("reaction")),
      actor: try arguments.user("actor"), cause: try arguments.cause("cause"),
      at: try arguments.time("at"), parent: try arguments.messageID("parent"),
      id: try arguments.commandID("command-id"))
    let (outcome, summary) = try withLedger(at: try arguments.ledgerPath()) {
      (ledger) throws(Failure) in
      try ledger.attempt { (ledger) throws(LedgerError) in
        (try ledger.append(command), try ledger.summary(of: message))
      }
    }
    return try output.report(outcome, summary, isJSON: arguments.has("json"))
  }
}

/// `erase`: forgets a user.
enum EraseCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "erase", summary: "Removes all reactions of a user, and forgets who it was",
      details: """
        The log keeps its events, without the id; counts follow. If it is interrupted, give the \
        same command again: it goes on. The id's old bytes leave the file when the ledger is \
        compacted.
        """,
      operands: [.ledger],
      options: [
        .value("user", "U", "the user", isRequired: true), .actor, .cause, .at, .commandID, .json,
      ],
      statuses: [
        (.done, "erased, now or before under the same command id"),
        (.differs, "unchanged or refused: nothing was recorded"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    guard let user = try arguments.user("user") else { throw .usage("--user is missing: add it") }
    let command = Command(
      .erase(user: user), actor: try arguments.user("actor"),
      cause: try arguments.cause("cause"), at: try arguments.time("at"),
      id: try arguments.commandID("command-id"))
    let outcome = try withLedger(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      try ledger.attempt { (ledger) throws(LedgerError) in try ledger.append(command) }
    }
    return try output.report(outcome, nil, isJSON: arguments.has("json"))
  }
}

extension Output {
  /// Prints what became of a command, and what its message then shows.
  ///
  /// - Returns: What the tool ends with.
  func report(
    _ outcome: Outcome, _ summary: MessageSummary?, isJSON: Bool
  ) throws(Failure) -> ExitStatus {
    if isJSON {
      try object { writer in
        writer.members(of: outcome)
        if let summary { writer.object("summary") { $0.members(of: summary) } }
      }
    } else {
      try line(outcome.line)
      for line in summary?.lines ?? [] { try self.line(line) }
    }
    return outcome.receipt == nil ? .differs : .done
  }
}
