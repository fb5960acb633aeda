/// A benchmark of `run`.
enum Benchmark: String, CaseIterable {
  case append
  case batches
  case callers
  case commandIDs
  case summary
  case summaryMine
  case page
  case pageMine
  case reactors
  case asOf
  case feed
  case replay
  case rebuild
  case export
  case restore
  case `import`

  var summary: String {
    switch self {
    case .append: "appends all events, 1000 at a time; the ledger that the others read"
    case .batches: "appends events in batches of 1 to 10000, at both levels of durability"
    case .callers: "1 to 64 tasks that each append one command and wait for it"
    case .commandIDs:
      "appends all events without command ids, with ids in order of time, and random"
    case .summary: "the summary of a message"
    case .summaryMine: "the same with reactedByMe"
    case .page: "the summaries of 50 messages that follow each other"
    case .pageMine: "the same with reactedByMe"
    case .reactors: "the first 100 users of the most frequent reaction"
    case .asOf: "the summary of a message as of the middle of the log"
    case .feed: "the changes of the feed from its beginning"
    case .replay: "replays the log and compares every row, in a process of its own"
    case .rebuild: "builds the projections anew, in a process of its own"
    case .export: "writes the log as JSON lines"
    case .restore: "makes a ledger of an export"
    case .import: "reads commands from JSON lines and appends them"
    }
  }
}
