import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `backup`: a consistent copy while others write.
enum BackupCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "backup", summary: "Makes a consistent, compact copy while others write",
      details:
        "The copy is a ledger with the same id and history; it appears whole, or not at all.",
      operands: [.ledger, Operand("DEST", "the folder of the copy; nothing, or an empty folder")],
      options: [.json],
      statuses: [(.done, "copied"), (.differs, "there is something at DEST already")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let destination = try arguments.operand("DEST")
    try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      do throws(LedgerError) {
        try ledger.backup(to: destination)
      } catch {
        throw Failure(error, at: destination)
      }
    }
    if arguments.has("json") {
      try output.object { $0.member("backup", destination) }
    } else {
      try output.line("copied to \(destination)".printable)
    }
    return .done
  }
}

/// `compact`: the data file written anew.
enum CompactCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "compact", summary: "Writes the data file anew, without free space",
      details: """
        No process may have the ledger open; if one has, nothing is done and its id is told. If it \
        is interrupted, the ledger is as it was, or compacted.
        """,
      operands: [.ledger], options: [.json], statuses: [(.done, "compacted")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = try arguments.ledgerPath()
    let report: Ledger.CompactionReport
    do throws(LedgerError) {
      report = try Ledger.compact(at: path)
    } catch {
      throw Failure(error, at: path)
    }
    if arguments.has("json") {
      try output.object { writer in
        writer.member("bytesBefore", report.bytesBefore)
        writer.member("bytesAfter", report.bytesAfter)
      }
    } else {
      try output.line("compacted from \(report.bytesBefore) to \(report.bytesAfter) bytes")
    }
    return .done
  }
}
