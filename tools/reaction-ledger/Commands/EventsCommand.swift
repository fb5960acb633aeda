import Glibc
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
      details: """
        Up to what is the last record when the listing begins; with --follow on and on, whichever \
        process appends, and only what is flushed.
        """,
      operands: [.ledger],
      options: [
        .value("after", "SEQ", "only what follows this sequence (default 0)"),
        .flag("follow", "wait for what is appended later; ends when it is interrupted"), .json,
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let after: UInt64 = try arguments.integer("after", in: 0...UInt64.max) ?? 0
    let isJSON = arguments.has("json")
    try withLedgerToRead(at: try arguments.ledgerPath()) { (ledger) throws(Failure) in
      let (head, format) = try ledger.attempt { (ledger) throws(LedgerError) in
        let statistics = try ledger.statistics()
        return (statistics.head, statistics.formatVersion)
      }
      if arguments.has("follow") {
        return try follow(ledger, after: after, isJSON: isJSON, format, output)
      }
      var last = after
      while last < head, !output.isClosed {
        let limit = Int(min(UInt64(chunkCount), head - last))
        let entries = try ledger.look { (snapshot) throws(LedgerError) in
          try snapshot.records(after: last, limit: limit)
        }
        guard let end = entries.last?.sequence else { break }
        try output.entries(entries, isJSON: isJSON, format: format)
        last = end
      }
    }
    return .done
  }

  /// Prints records as they come, until nobody reads them.
  private static func follow(
    _ ledger: Ledger, after: UInt64, isJSON: Bool, _ format: Int, _ output: Output
  ) throws(Failure) {
    var last = after
    while !output.isClosed {
      let entries = try ledger.attempt { (ledger) throws(LedgerError) in
        try ledger.flushedRecords(after: last, limit: chunkCount)
      }
      guard let end = entries.last?.sequence else {
        usleep(20_000)
        continue
      }
      try output.entries(entries, isJSON: isJSON, format: format)
      try output.flush()
      last = end
    }
  }
}
