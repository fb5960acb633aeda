import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `export`: the whole log, from which the same ledger can be made again.
enum ExportCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "export", summary: "Prints the whole log as JSON lines, without loss",
      details: """
        Removed reactions, notices, times and causes are in it, and so are the salts that hide \
        users: an export is as secret as the ledger. "restore" makes the very same ledger of it.
        """,
      operands: [.ledger],
      options: [.value("format", "FORMAT", "jsonl (default)")],
      statuses: [(.done, "all of it, up to the last record when it began")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    _ = try arguments.choice("format", ["jsonl": ()])
    let progress = ProgressLine()
    defer { progress.clear() }
    try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      let (head, format) = try ledger.attempt { (ledger) throws(LedgerError) in
        let statistics = try ledger.statistics()
        return (statistics.head, statistics.formatVersion)
      }
      var (last, lines): (UInt64, JSONWriter) = (0, JSONWriter())
      while last < head, !output.isClosed {
        let limit = Int(min(1_000, head - last))
        let end = try ledger.look { (snapshot) throws(LedgerError) in
          try snapshot.scanLogged(after: last, limit: limit) { (notice) throws(LedgerError) in
            lines.line(of: notice, format: format)
          } event: { (event) throws(LedgerError) in
            lines.line(of: event)
          }
        }
        guard end > last else { break }
        try output.bytes { $0 += lines.bytes }
        lines.removeAll()
        last = end
        progress.show("exporting: \(last) of \(head) records")
      }
    }
    return .done
  }
}

/// `restore`: makes a ledger of an export.
enum RestoreCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "restore", summary: "Makes a ledger of an export, with the very same records",
      details: """
        Each record is checked: its seal, and whether it can follow those before it. The ledger \
        appears whole, or not at all.
        """,
      operands: [
        Operand("L", "the folder of the new ledger"),
        Operand("FILE", "the export; -: standard input"),
      ],
      options: [.json],
      statuses: [
        (.done, "restored"),
        (.differs, "there is something at L already: nothing was restored"),
        (.inputErrors, "a line is no record that can stand there: nothing was restored"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = try arguments.ledgerPath()
    let file = try arguments.operand("FILE")
    let progress = ProgressLine()
    defer { progress.clear() }
    let head = try restore(file, to: path, progress)
    progress.clear()
    if arguments.has("json") {
      try output.object { writer in
        writer.member("restored", true)
        writer.member("head", head)
      }
    } else {
      try output.line("restored \(counted(Int(head), "record"))")
    }
    return .done
  }

  private static func restore(
    _ file: String, to path: String, _ progress: ProgressLine
  ) throws(Failure) -> UInt64 {
    var lines: JSONLines
    do throws(ImportError) {
      lines = try JSONLines(path: file)
    } catch {
      throw Failure(.inputErrors, "\(error): name the file of an export")
    }
    var restoration = try attempt(path) { () throws(LedgerError) in
      try LedgerRestoration(at: path)
    }
    var reader = ExportReader()
    while try read(&lines, into: &reader, of: file) {
      do throws(LedgerError) {
        try restoration.append(reader.record)
      } catch {
        throw Failure(error, at: path)
      }
      if restoration.head % 10_000 == 0 {
        progress.show("restoring: \(restoration.head) records, \(lines.byteCount) bytes")
      }
    }
    let head = restoration.head
    do throws(LedgerError) {
      try restoration.finish()
    } catch {
      throw Failure(error, at: path)
    }
    return head
  }

  private static func attempt<R: ~Copyable>(
    _ path: String, _ body: () throws(LedgerError) -> R
  ) throws(Failure) -> R {
    do throws(LedgerError) {
      return try body()
    } catch {
      throw Failure(error, at: path)
    }
  }

  /// Reads the record of the next line; `false` at the end of the file.
  private static func read(
    _ lines: inout JSONLines, into reader: inout ExportReader, of file: String
  ) throws(Failure) -> Bool {
    do throws(ImportError) {
      guard let line = try lines.next() else { return false }
      if let error = line.error { throw error }
      do throws(FormError) {
        try reader.read(lines.document)
        return true
      } catch {
        throw ImportError(path: file, line: line.number, text: "\(error)")
      }
    } catch {
      throw Failure(.inputErrors, "\(error): nothing was restored")
    }
  }
}
