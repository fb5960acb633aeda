import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `rebuild`: builds the projections anew.
enum RebuildCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "rebuild", summary: "Builds the projections anew from the log",
      details: """
        Others may read and write meanwhile; if it is interrupted, nothing has changed. It mends \
        projections only: on a log with findings it refuses to build.
        """,
      operands: [.ledger],
      options: [
        .value(
          "by-user", "on|off",
          "whether an index of live reactions by user is kept from now on; it makes erasing quick "
            + "and nearly doubles the cost of a write (default: as it is)"),
        .json,
      ],
      statuses: [
        (.done, "rebuilt"), (.differs, "refused: the log has findings, which are listed"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = try arguments.ledgerPath()
    let isIndexed = try arguments.choice("by-user", ["on": true, "off": false])
    let progress = ProgressReport()
    defer { progress.clear() }
    let result = try withLedger(at: path) { (ledger) throws(Failure) in
      do throws(LedgerError) {
        CancelSignal.note()
        return Result<RebuildReport, LedgerError>.success(
          try ledger.rebuild(indexingByUser: isIndexed) { (step) throws(LedgerError) in
            try progress.show(step)
          })
      } catch {
        return .failure(error)
      }
    }
    progress.clear()
    switch result {
    case .success(let report):
      try print(report, arguments, output)
      return .done
    case .failure(let error):
      if case .rebuildRefused(let findings) = error { try print(findings, arguments, output) }
      throw Failure(error, at: path)
    }
  }

  private static func print(
    _ report: RebuildReport, _ arguments: Arguments, _ output: Output
  ) throws(Failure) {
    guard arguments.has("json") else {
      return try output.line(
        "rebuilt up to sequence \(report.head): \(counted(report.messageCount, "message")), "
          + "\(counted(report.reactorCount, "reactor")) beside the rows, "
          + counted(report.commandCount, "command id"))
    }
    try output.object { writer in
      writer.member("rebuilt", true)
      writer.member("head", report.head)
      writer.member("messages", report.messageCount)
      writer.member("reactors", report.reactorCount)
      writer.member("commands", report.commandCount)
    }
  }

  private static func print(
    _ findings: [Finding], _ arguments: Arguments, _ output: Output
  ) throws(Failure) {
    guard arguments.has("json") else {
      for finding in findings { try output.line("\(finding)".printable) }
      return
    }
    try output.object { writer in
      writer.member("rebuilt", false)
      writer.member("findings", findings)
    }
  }
}
