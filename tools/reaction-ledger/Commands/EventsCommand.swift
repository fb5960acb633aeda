import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `events`: the log.
enum EventsCommand: ToolCommand {
  /// The records of one snapshot: a long listing must not hold an old one.
  static let chunkCount = 1_000

  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "events", summary: "Lists the log, events and notices, oldest first",
      details: "Up to what is the last record when the listing begins.",
      operands: [.ledger],
      options: [
        .value("after", "SEQ", "only what follows this sequence (default 0)"), .json,
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let after: UInt64 = try arguments.integer("after", in: 0...UInt64.max) ?? 0
    let isJSON = arguments.has("json")
    try withLedger(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      let (head, format) = try ledger.attempt { (ledger) throws(LedgerError) in
        let statistics = try ledger.statistics()
        return (statistics.head, statistics.formatVersion)
      }
      var last = after
      while last < head, !output.isClosed {
        let limit = Int(min(UInt64(chunkCount), head - last))
        let entries = try ledger.look { (snapshot) throws(LedgerError) in
          try snapshot.records(after: last, limit: limit)
        }
        guard let end = entries.last?.sequence else { break }
        for entry in entries {
          if isJSON {
            try output.object { $0.members(of: entry, format: format) }
          } else {
            try output.line(entry.line)
          }
        }
        last = end
      }
    }
    return .done
  }
}
