import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `import`: records the reactions of another system's export.
enum ImportCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "import", summary: "Records the reactions in an export of another system",
      details: """
        A folder is read in the byte order of its paths. What was imported before is found \
        unchanged, so an import may be given again.
        """,
      operands: [
        .newLedger, Operand("PATH", "the files and folders of the export", isRepeated: true),
      ],
      options: [
        .value("format", "FORMAT", "what the export is: slack", isRequired: true),
        .flag("dry-run", "only read the export; the ledger is neither opened nor made"),
        .json,
      ],
      statuses: [
        (.done, "all was read"),
        (.inputErrors, "parts could not be read; the rest was recorded, and the report says where"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    _ = try arguments.choice("format", ["slack": ()])
    let path = try arguments.ledgerPath()
    let importer = SlackImporter(paths: arguments.operands["PATH", default: []])
    let isDryRun = arguments.has("dry-run")
    let progress = ProgressLine()
    defer { progress.clear() }
    let report =
      isDryRun
      ? importer.dryRun { progress.show($0.line) } : try run(importer, into: path, progress)
    progress.clear()
    if arguments.has("json") {
      try output.document { report.write(to: &$0) }
    } else {
      for line in lines(report, isDryRun: isDryRun) { try output.line(line) }
    }
    guard report.hasErrors else { return .done }
    let count = report.errors.count + report.furtherErrors
    throw Failure(
      .inputErrors,
      "\(counted(count, "part")) of the export could not be read, first \(report.errors[0]): "
        + "mend it and import again; the rest was \(isDryRun ? "read" : "imported")")
  }

  private static func run(
    _ importer: SlackImporter, into path: String, _ progress: ProgressLine
  ) throws(Failure) -> ImportReport {
    try withLedger(at: path, creating: .standard) { (ledger) throws(Failure) in
      try ledger.attempt { (ledger) throws(LedgerError) in
        try importer.run { (commands) throws(LedgerError) in
          try ledger.append(commands)
        } progress: {
          progress.show($0.line)
        }
      }
    }
  }

  private static func lines(_ report: ImportReport, isDryRun: Bool) -> [String] {
    var lines = [
      "\(counted(report.reactions, "reaction")) on \(counted(report.messages, "message")) "
        + "by \(counted(report.users, "user"))"
    ]
    if isDryRun {
      lines.append("dry run: nothing was recorded")
    } else {
      lines.append(
        "recorded \(report.recorded), unchanged \(report.unchanged), repeated \(report.repeated)")
    }
    if report.merged > 0 { lines.append("of them the same under two names: \(report.merged)") }
    lines += report.refused.map { "refused \($0.count) (\($0.reason)), first in \($0.first)" }
    lines += report.skipped.map { tally in
      "skipped \(tally.count) in \(counted(tally.lists, "list")) (\(tally.reason)), "
        + "first in \(tally.first)"
    }
    lines += report.errors.map { "not read: \($0)" }
    if report.furtherErrors > 0 { lines.append("not read: \(report.furtherErrors) more parts") }
    return lines.map(\.printable)
  }
}

extension ImportProgress {
  fileprivate var line: String {
    "importing: \(byteCount) bytes, \(messages) messages, \(reactions) reactions, \(path)"
  }
}
