import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `reactors`: who has a reaction.
enum ReactorsCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "reactors", summary: "Lists the users who have a reaction on a message",
      details: """
        In order of their adds, a page at a time. A page that is not the last one ends with the \
        cursor of the next.
        """,
      operands: [.ledger],
      options: [
        .conversation, .message,
        .value("reaction", "R", "the reaction", isRequired: true),
        .value("limit", "N", "users on a page, 1 to 100 (default 100)"),
        .value("cursor", "CURSOR", "where the last page ended; the first page without it"),
        .json,
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let message = try arguments.message()
    let reaction = try arguments.reaction("reaction")
    let limit = try arguments.integer("limit", in: Snapshot.pageLimits)
    let path = try arguments.ledgerPath()
    let cursor = try arguments.text("cursor").map { (text) throws(Failure) in
      try self.cursor(text, path)
    }
    let page = try withLedgerToRead(at: path) { (ledger) throws(Failure) in
      try ledger.look { (snapshot) throws(LedgerError) in
        try snapshot.reactors(
          of: reaction, on: message, after: cursor, limit: limit ?? Snapshot.pageLimits.upperBound)
      }
    }
    if arguments.has("json") {
      try output.object { writer in
        writer.member("reaction", page.reaction.text)
        writer.member("count", page.count)
        writer.member("users", strings: page.users.map(\.text))
        writer.member("cursor", orNull: page.cursor?.description)
      }
    } else {
      try output.line("\(page.reaction) on \(message): \(counted(page.count, "user"))".printable)
      for user in page.users { try output.line("  \(user)".printable) }
      if let cursor = page.cursor { try output.line("next page: --cursor=\(cursor)") }
    }
    return .done
  }

  private static func cursor(_ text: String, _ path: String) throws(Failure) -> PageCursor {
    do throws(LedgerError) {
      return try PageCursor(parsing: text)
    } catch {
      throw Failure(error, at: path)
    }
  }
}
