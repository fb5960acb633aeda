import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `stat`: how large a ledger is.
enum StatCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "stat", summary: "Tells how large the ledger is",
      operands: [.ledger],
      options: [.flag("full", "count live reactions too, which scans all messages"), .json])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let statistics = try withLedgerToRead(at: try arguments.ledgerPath()) {
      (ledger) throws(Failure) in
      try ledger.attempt { (ledger) throws(LedgerError) in
        try ledger.statistics(countingLiveReactions: arguments.has("full"))
      }
    }
    if arguments.has("json") {
      try output.object { $0.members(of: statistics) }
    } else {
      for line in lines(statistics) { try output.line(line) }
    }
    return .done
  }

  private static func lines(_ statistics: LedgerStatistics) -> [String] {
    var rows = [
      ("head", "\(statistics.head)"), ("events", "\(statistics.eventCount)"),
      ("messages", "\(statistics.messageCount)"),
    ]
    if let count = statistics.liveReactionCount { rows.append(("live reactions", "\(count)")) }
    let reader = statistics.oldestReaderLag.map { counted($0, "commit") + " behind" }
    rows += [
      ("users", "\(statistics.userCount)"),
      ("file", "\(statistics.fileByteCount) bytes"), ("map", "\(statistics.mapByteCount) bytes"),
      ("free pages", "\(statistics.freePageCount)"), ("oldest reader", reader ?? "none"),
      ("policy", statistics.policy.words), ("format", "\(statistics.formatVersion)"),
      ("LMDB", statistics.libraryVersion),
      ("index by user", statistics.isIndexedByUser ? "kept" : "none"),
    ]
    rows += statistics.warnings.map { ("warning", $0) }
    return rows.map { name, value in
      (name + ":" + String(repeating: " ", count: 15 - name.count) + value).printable
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of statistics: LedgerStatistics) {
    member("head", statistics.head)
    member("events", statistics.eventCount)
    member("messages", statistics.messageCount)
    member("liveReactions", ifPresent: statistics.liveReactionCount)
    member("users", statistics.userCount)
    member("fileBytes", statistics.fileByteCount)
    member("mapBytes", statistics.mapByteCount)
    member("freePages", statistics.freePageCount)
    member("oldestReader", orNull: statistics.oldestReaderLag)
    member("policy", statistics.policy)
    member("format", statistics.formatVersion)
    member("lmdb", statistics.libraryVersion)
    member("byUser", statistics.isIndexedByUser)
    member("warnings", strings: statistics.warnings)
  }
}
