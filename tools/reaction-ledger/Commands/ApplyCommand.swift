import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `apply`: runs commands given as JSON lines.
enum ApplyCommand: ToolCommand {
  /// The commands of one bulk append.
  static let batchCount = 1_000
  /// The most commands that are recorded together or not at all.
  static let allOrNothingLimit = 50_000

  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "apply", summary: "Runs commands given as JSON lines",
      details: """
        A line is {"op":"add"|"remove","conversation":"group:g1","message":"m1","user":"u1",\
        "reaction":"👍"}, or {"op":"clear","conversation","message","reaction"?}, \
        {"op":"erase","user"}, {"op":"setPolicy","policy"}; with "actor", "cause", "reactedAt", \
        "parent" and "commandId" where they are wanted. Prints an outcome as a JSON line for each, with the line's number.
        """,
      operands: [
        .newLedger,
        Operand("FILE", "the file with the lines; - or nothing: standard input", isOptional: true),
      ],
      options: [
        .flag("all-or-nothing", "record all or, if one line is wrong or refused, none")
      ],
      statuses: [
        (.done, "every line was understood, whatever its outcome"),
        (.inputErrors, "some lines are no commands: standard error says which"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = try arguments.ledgerPath()
    let file = arguments.operands["FILE"]?.first ?? "-"
    let isAllOrNothing = arguments.has("all-or-nothing")
    var reader = try CommandReader(file)
    return try withLedger(at: path, creating: .standard) { (ledger) throws(Failure) in
      if isAllOrNothing {
        let batch = try reader.batch(limit: allOrNothingLimit, waitsForAll: true)
        guard reader.errorCount == 0 else {
          throw Failure(.inputErrors, "\(file): not every line is a command: nothing was recorded")
        }
        let outcomes = try ledger.attempt { (ledger) throws(LedgerError) in
          try ledger.appendAllOrNothing(batch)
        }
        try print(outcomes, of: reader.lineNumbers, output)
        return .done
      }
      while !output.isClosed {
        let batch = try reader.batch(limit: batchCount, waitsForAll: false)
        if batch.count == 0 { break }
        let outcomes = try ledger.attempt { (ledger) throws(LedgerError) in
          try ledger.append(batch)
        }
        try print(outcomes, of: reader.lineNumbers, output)
        try output.flush()
      }
      return reader.errorCount == 0 ? .done : .inputErrors
    }
  }

  private static func print(
    _ outcomes: [Outcome], of lineNumbers: [Int], _ output: Output
  ) throws(Failure) {
    for (line, outcome) in zip(lineNumbers, outcomes) {
      try output.object { writer in
        writer.member("line", line)
        writer.members(of: outcome)
      }
    }
  }
}

/// The commands on the lines of a file; what is none is told on standard error and counted.
private struct CommandReader {
  private(set) var errorCount = 0
  /// The lines of the last batch's commands.
  private(set) var lineNumbers: [Int] = []
  private let file: String
  private var lines: JSONLines

  init(_ file: String) throws(Failure) {
    self.file = file
    do throws(ImportError) {
      lines = try JSONLines(path: file)
    } catch {
      throw Failure(.inputErrors, "\(error): name a file of JSON lines")
    }
  }

  /// The next commands, at most `limit`; of a stream only those that are at hand, at least one.
  mutating func batch(limit: Int, waitsForAll: Bool) throws(Failure) -> CommandBatch {
    var batch = CommandBatch()
    lineNumbers.removeAll(keepingCapacity: true)
    do throws(ImportError) {
      while batch.count == 0 || waitsForAll || lines.hasLineAtHand {
        guard batch.count < limit else {
          guard waitsForAll else { return batch }
          throw ImportError(path: file, text: "more than \(limit) commands cannot be one")
        }
        guard let line = try lines.next() else { return batch }
        if add(line, to: &batch) { lineNumbers.append(line.number) }
      }
    } catch {
      throw Failure(.inputErrors, "\(error)")
    }
    return batch
  }

  /// Adds the command on a line that was read; `false` if it is none.
  private mutating func add(_ line: JSONLines.Line, to batch: inout CommandBatch) -> Bool {
    let text: String
    if let error = line.error {
      text = "\(error)"
    } else {
      do throws(FormError) {
        batch.append(try CommandView(json: lines.document))
        return true
      } catch {
        text = "\(file):\(line.number): \(error)"
      }
    }
    errorCount += 1
    StandardStreams.writeError("reaction-ledger: \(text)\n")
    return false
  }
}
