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
          try ledger.appendAllOrNothing(batch.map(\.command))
        }
        try print(outcomes, of: batch, output)
        return .done
      }
      while !output.isClosed {
        let batch = try reader.batch(limit: batchCount, waitsForAll: false)
        if batch.isEmpty { break }
        let outcomes = try ledger.attempt { (ledger) throws(LedgerError) in
          try ledger.append(batch.map(\.command))
        }
        try print(outcomes, of: batch, output)
        try output.flush()
      }
      return reader.errorCount == 0 ? .done : .inputErrors
    }
  }

  private static func print(
    _ outcomes: [Outcome], of batch: [CommandReader.Item], _ output: Output
  ) throws(Failure) {
    for (item, outcome) in zip(batch, outcomes) {
      try output.object { writer in
        writer.member("line", item.line)
        writer.members(of: outcome)
      }
    }
  }
}

/// The commands on the lines of a file; what is none is told on standard error and counted.
private struct CommandReader {
  struct Item {
    let line: Int
    let command: Command
  }

  private(set) var errorCount = 0
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
  mutating func batch(limit: Int, waitsForAll: Bool) throws(Failure) -> [Item] {
    var batch: [Item] = []
    do throws(ImportError) {
      while batch.isEmpty || waitsForAll || lines.hasLineAtHand {
        guard batch.count < limit else {
          guard waitsForAll else { return batch }
          throw ImportError(path: file, text: "more than \(limit) commands cannot be one")
        }
        guard let line = try lines.next() else { return batch }
        if let command = command(on: line) {
          batch.append(Item(line: line.number, command: command))
        }
      }
    } catch {
      throw Failure(.inputErrors, "\(error)")
    }
    return batch
  }

  private mutating func command(on line: JSONLines.Line) -> Command? {
    let text: String
    switch line.value {
    case .failure(let error): text = "\(error)"
    case .success(let json):
      do throws(FormError) {
        return try Command(json: json)
      } catch {
        text = "\(file):\(line.number): \(error)"
      }
    }
    errorCount += 1
    StandardStreams.writeError("reaction-ledger: \(text)\n")
    return nil
  }
}
