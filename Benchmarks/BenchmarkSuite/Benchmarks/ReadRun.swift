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

  /// Whether several messages are read at once.
  private var isOfPages: Bool { self == .page || self == .pageMine }
  /// Whether somebody asks.
  private var isMine: Bool { self == .summaryMine || self == .pageMine }

  /// Reads `count` times and digests what was read.
  ///
  /// - Parameters:
  ///   - ledger: What is read.
  ///   - picks: What is asked for.
  ///   - count: How often.
  ///   - counters: The counters of the process.
  ///   - isReusing: Whether it is read into memory that is used again; otherwise values are given.
  ///   - keepsLatencies: Whether the time of each read is kept.
  /// - Returns: The measurement; of no operation if no conversation is long enough for a page.
  /// - Throws: What the ledger throws.
  func run(
    _ ledger: Ledger, _ picks: ReadPicks, count: Int, _ counters: ProcessCounters,
    isReusing: Bool = false, keepsLatencies: Bool = false
  ) throws -> Measurement {
    guard !isOfPages || !picks.pages.isEmpty else {
      return Measurement(rawValue, operations: 0, nanoseconds: 0)
    }
    var buffers = isReusing ? Buffers() : nil
    let popular = try Self.mostPopular(ledger, picks.hottest)
    var digest = Digest()
    var meter = Meter(counters, keepsLatencies: keepsLatencies)
    if keepsLatencies {
      for index in 0..<count {
        try meter.measure { () throws(LedgerError) in
          try read(ledger, picks, index, popular, &buffers, &digest)
        }
      }
    } else {
      try meter.measure { () throws(LedgerError) in
        for index in 0..<count { try read(ledger, picks, index, popular, &buffers, &digest) }
      }
    }
    var measurement = Measurement(rawValue, operations: count, meter)
    measurement.digest = digest
    return measurement
  }

  private func read(
    _ ledger: Ledger, _ picks: ReadPicks, _ index: Int, _ popular: Reaction?,
    _ buffers: inout Buffers?, _ digest: inout Digest
  ) throws(LedgerError) {
    if buffers != nil {
      try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try buffers?.fill(self, snapshot, picks, index, popular)
      }
      buffers?.addFirst(of: self, to: &digest)
      return
    }
    switch self {
    case .summary, .summaryMine:
      let place = index % picks.messages.count
      let viewer = isMine ? picks.viewers[place] : nil
      let summary = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.summary(of: picks.messages[place], viewer: viewer)
      }
      digest.addFirst(of: summary)
    case .page, .pageMine:
      let place = index % picks.pages.count
      let viewer = isMine ? picks.pages[place].viewer : nil
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

/// What is read into.
private struct Buffers {
  var summaries = SummaryBuffer()
  var reactors = ReactorBuffer()

  mutating func fill(
    _ run: ReadRun, _ snapshot: borrowing Snapshot, _ picks: ReadPicks, _ index: Int,
    _ popular: Reaction?
  ) throws(LedgerError) {
    switch run {
    case .summary, .summaryMine:
      let place = index % picks.messages.count
      let viewer = run == .summaryMine ? try snapshot.viewer(picks.viewers[place]) : nil
      try snapshot.read(summaryOf: picks.messages[place], viewer: viewer, into: &summaries)
    case .page, .pageMine:
      let place = index % picks.pages.count
      let viewer = run == .pageMine ? try snapshot.viewer(picks.pages[place].viewer) : nil
      try snapshot.read(
        summariesOf: picks.pages[place].messages, viewer: viewer, into: &summaries)
    case .reactors:
      guard let popular else { return }
      try snapshot.read(reactorsOf: popular, on: picks.hottest, limit: 100, into: &reactors)
    }
  }

  /// The same that is added of values.
  func addFirst(of run: ReadRun, to digest: inout Digest) {
    guard run != .reactors else {
      let count = reactors.users.count
      guard count > 0 else { return digest.add("") }
      return reactors.users.withUTF8(at: count - 1) { digest.add($0) }
    }
    for message in summaries.messages where !message.reactions.isEmpty {
      digest.addFirst(
        summaries.reactions[message.reactions.lowerBound].count,
        summaries.reactions[message.reactions.lowerBound].reactedByMe)
    }
  }
}

extension Digest {
  /// As little as shows that the summary was read.
  fileprivate mutating func addFirst(of summary: MessageSummary) {
    guard let first = summary.reactions.first else { return }
    addFirst(first.count, first.reactedByMe)
  }

  fileprivate mutating func addFirst(_ count: Int, _ reactedByMe: Bool) {
    add(count << 1 | (reactedByMe ? 1 : 0))
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
