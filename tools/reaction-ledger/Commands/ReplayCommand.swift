import LedgerEngine
import LedgerHash
import LedgerInterchange
import LedgerProofs
import ReactionModel

/// `replay`: proves that a ledger is what its log says.
enum ReplayCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "replay", summary: "Proves that the ledger is what its log says",
      details: """
        Runs the log through the reducer and compares every database with what it gives. Where they \
        differ, it says so: at most 100 findings are listed, all are counted. Others may write \
        meanwhile. What does not fit into the memory allowed is done by reading the log several \
        times. It runs in a process of its own, so that a fault on pages that cannot be read is a \
        finding too.
        """,
      operands: [.ledger],
      options: [
        .value(
          "level", "LEVEL",
          "log: the log by itself; legality: and that every event is possible; "
            + "projections: and everything that is read; "
            + "tree: and the hashes over the log (default)"),
        .value(
          "checkpoint", "FILE", "a checkpoint kept elsewhere, which the log must go on from"),
        .vkey,
        .value("memory", "SIZE", "the most memory for tables, like 512M or 2G (1G)"),
        .value("jobs", "N", "how many threads work at once, 1 to 64 (1)"),
        .json,
      ],
      statuses: [(.done, "everything agrees"), (.differs, "there are findings")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    if let status = try runIsolated(arguments, output) { return status }
    let level: ReplayLevel =
      try arguments.choice(
        "level",
        ["log": .log, "legality": .legality, "projections": .projections, "tree": .tree]) ?? .tree
    let checkpoints = try arguments.trustedCheckpoint().map { [$0.head] } ?? []
    if !checkpoints.isEmpty, level < .tree {
      throw .usage("--checkpoint is for --level tree, the default")
    }
    let memoryLimit = try arguments.byteCount("memory") ?? 1 << 30
    let jobCount = try arguments.integer("jobs", in: 1...64) ?? 1
    let progress = ProgressReport()
    defer { progress.clear() }
    let report = try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      try ledger.attempt { (ledger) throws(LedgerError) in
        CancelSignal.note()
        return try ledger.replay(
          level: level, memoryLimit: memoryLimit, jobCount: jobCount, checkpoints: checkpoints
        ) { (step) throws(LedgerError) in
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
        writer.member("root", report.root.map { .string(Base64.text($0.bytes)) } ?? .null)
        writer.member("passes", report.passCount)
        writer.member("jobs", report.jobCount)
        writer.member("tableBytes", report.tableByteCount)
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
    let root = report.root.map { ", root \(Base64.text($0.bytes))" } ?? ""
    try output.line("\(result), level \(report.level.name): \(content)\(root)")
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
      case .tree: "checking the tree"
      case .load: "building"
      }
    return ProgressStep(work: work, doneCount: doneCount, totalCount: totalCount)
  }
}
