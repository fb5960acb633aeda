import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Reads of a ledger, each on a snapshot of its own.
enum ReadRun: String, CaseIterable {
  case summary
  case summaryMine
  case page
  case pageMine
  case reactors

  /// How often each is done, unless it is a tiny run.
  var fullCount: Int {
    switch self {
    case .summary, .summaryMine: 400_000
    case .page, .pageMine: 16_384
    case .reactors: 20_000
    }
  }

  /// Reads `count` times and digests what was read.
  func run(
    _ ledger: Ledger, _ picks: ReadPicks, count: Int, _ counters: ProcessCounters,
    keepsLatencies: Bool = false
  ) throws -> Measurement {
    guard self == .summary || self == .summaryMine || self == .reactors || !picks.pages.isEmpty
    else { return Measurement(rawValue, operations: 0, nanoseconds: 0) }
    let popular = try Self.mostPopular(ledger, picks.hottest)
    var digest = Digest()
    var meter = Meter(counters, keepsLatencies: keepsLatencies)
    if keepsLatencies {
      for index in 0..<count {
        try meter.measure { () throws(LedgerError) in
          try read(ledger, picks, index, popular, &digest)
        }
      }
    } else {
      try meter.measure { () throws(LedgerError) in
        for index in 0..<count { try read(ledger, picks, index, popular, &digest) }
      }
    }
    var measurement = Measurement(rawValue, operations: count, meter)
    measurement.digest = digest
    return measurement
  }

  private func read(
    _ ledger: Ledger, _ picks: ReadPicks, _ index: Int, _ popular: Reaction?,
    _ digest: inout Digest
  ) throws(LedgerError) {
    switch self {
    case .summary, .summaryMine:
      let place = index % picks.messages.count
      let viewer = self == .summary ? nil : picks.viewers[place]
      let summary = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.summary(of: picks.messages[place], viewer: viewer)
      }
      digest.addFirst(of: summary)
    case .page, .pageMine:
      let place = index % picks.pages.count
      let viewer = self == .page ? nil : picks.pages[place].viewer
      let summaries = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.summaries(of: picks.pages[place].messages, viewer: viewer)
      }
      for summary in summaries { digest.addFirst(of: summary) }
    case .reactors:
      guard let popular else { return }
      let page = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.reactors(of: popular, on: picks.hottest, limit: 100)
      }
      digest.add(page.users.last?.text ?? "")
    }
  }

  /// The reaction that a message has most often.
  static func mostPopular(
    _ ledger: Ledger, _ message: MessageKey
  ) throws(LedgerError) -> Reaction? {
    let reactions = try ledger.summary(of: message).reactions
    return reactions.reduce(reactions.first) { best, next in
      next.count > best?.count ?? 0 ? next : best
    }?.reaction
  }
}

extension Digest {
  /// As little as shows that the summary was read.
  fileprivate mutating func addFirst(of summary: MessageSummary) {
    guard let first = summary.reactions.first else { return }
    add(first.count << 1 | (first.reactedByMe ? 1 : 0))
  }

  /// All of a summary.
  mutating func add(_ summary: MessageSummary) {
    add(summary.eventCount)
    for reaction in summary.reactions {
      add(reaction.reaction.text)
      add(reaction.count)
      for user in reaction.firstUsers { add(user.text) }
    }
  }

  /// The digest of the summaries of all messages that the workload's first events speak of.
  static func ofSummaries(
    _ ledger: Ledger, _ workload: Workload, limit: Int? = nil
  ) throws(LedgerError) -> Digest {
    let messages = Set(workload.events.prefix(limit ?? workload.events.count).map(\.message))
    // They are in order of the first event.
    let keys = workload.messageKeys.prefix(messages.count)
    return try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) -> Digest in
      var digest = Digest()
      for key in keys { digest.add(try snapshot.summary(of: key)) }
      return digest
    }
  }
}
