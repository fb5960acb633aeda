import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `replay`: proves that a ledger is what its log says.
enum ReplayCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "replay", summary: "Proves that the ledger is what its log says",
      details: """
        Runs the log through the reducer and compares every database with what it gives. Where they \
        differ, it says so: at most 100 findings are listed, all are counted. Others may write \
        meanwhile. It runs in a process of its own, so that a fault on pages that cannot be read \
        is a finding too.
        """,
      operands: [.ledger],
      options: [
        .value(
          "level", "LEVEL",
          "log: the log by itself; legality: and that every event is possible; "
            + "projections: and everything that is read (default)"),
        .json,
      ],
      statuses: [(.done, "everything agrees"), (.differs, "there are findings")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    if let status = try runIsolated(arguments, output) { return status }
    let level: ReplayLevel =
      try arguments.choice(
        "level", ["log": .log, "legality": .legality, "projections": .projections]) ?? .projections
    let progress = ProgressReport()
    defer { progress.clear() }
    let report = try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      try ledger.attempt { (ledger) throws(LedgerError) in
        CancelSignal.note()
        return try ledger.replay(level: level) { (step) throws(LedgerError) in
          try progress.show(step)
        }
      }
    }
    progress.clear()
    if arguments.has("json") {
      try output.object { writer in
        writer.member("ok", report.isOK)
        writer.member("events", report.eventCount)
        writer.member("messages", report.messageCount)
        writer.member("findings", report.findings)
        writer.member("findingCount", report.findingCount)
        writer.member("head", report.head)
        writer.member("users", report.userCount)
        writer.member("level", report.level.name)
      }
    } else {
      try print(report, output)
    }
    return report.isOK ? .done : .differs
  }

  private static func print(_ report: ReplayReport, _ output: Output) throws(Failure) {
    for finding in report.findings { try output.line("\(finding)".printable) }
    let content =
      "\(counted(report.eventCount, "event")) on \(counted(report.messageCount, "message")) "
      + "by \(counted(report.userCount, "user")), up to sequence \(report.head)"
    if report.findings.first?.rule == .storage {
      return try output.line(
        "\(counted(report.findingCount, "finding")), level \(report.level.name): "
          + "nothing but pages was read")
    }
    let result = report.isOK ? "everything agrees" : counted(report.findingCount, "finding")
    try output.line("\(result), level \(report.level.name): \(content)")
  }
}

extension ReplayProgress {
  /// How far it is, in words.
  var step: ProgressStep {
    let work =
      switch stage {
      case .pages: "looking at pages"
      case .log: "reading the log"
      case .users: "checking users"
      case .messages: "checking messages"
      case .reactors: "checking reactors"
      case .commands: "checking command ids"
      case .byUser: "checking the index by user"
      case .load: "building"
      }
    return ProgressStep(work: work, doneCount: doneCount, totalCount: totalCount)
  }
}
