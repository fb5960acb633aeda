import Foundation
import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Runs a peer and ours on the same commands, by turns; no time is told before their answers were
/// found equal.
struct PeerComparison {
  let bench: Bench
  let peer: any Peer.Type
  let rounds: Int
  let divisor: Int
  private(set) var figures = PairedFigures()
  /// Of all answers that were compared.
  private(set) var digest = Digest()
  private let picks: ReadPicks

  private static let chunkCount = 10_000

  init(_ bench: Bench, _ peer: any Peer.Type, rounds: Int, divisor: Int) {
    self.bench = bench
    self.peer = peer
    self.rounds = rounds
    self.divisor = divisor
    picks = ReadPicks(
      bench.workload, pickCount: max(100, 65_536 / divisor), pageCount: max(8, 2_048 / divisor))
  }

  /// Compares the answers, then the times.
  ///
  /// - Throws: ``BenchError/differs(_:_:_:)`` if an answer is not the same.
  mutating func run() throws {
    for _ in 0..<rounds {
      try fillAndRead()
      try durableWrites()
    }
    bench.progress.clear()
  }

  /// Writes all, compares all that can be read, and then times the reads.
  private mutating func fillAndRead() throws {
    let mode = bench.counters.skipFlushes == nil ? Sync.lastCommitMayVanish : .none
    let ours = try AppendRun(sync: mode).run(bench, at: bench.folder.cleared("ours"))
    let theirs = try append(batchCount: 1_000, isDurable: false, limit: nil)
    let store = theirs.store
    defer { store.close() }
    let ledger = try Ledger.open(at: bench.folder.path("ours"))
    defer { ledger.close() }
    try compare(ledger, store)
    add("write, batch 1000, not synced", ours, theirs.measurement)
    figures.add(
      "write, batch 1000, not synced", "bytes of files", ours: ours.each(ours.fileByteCount ?? 0),
      theirs: theirs.measurement.each(try Self.byteCount(bench.folder.path("peer"))))
    try reads(ledger, store)
  }

  private mutating func durableWrites() throws {
    for (batch, limit) in [(1, 5_000), (10, 20_000), (100, 100_000), (1_000, 500_000)] {
      let count = max(1, limit / divisor)
      let ours = try AppendRun(batchCount: batch, sync: .durable, limit: count)
        .run(bench, at: bench.folder.cleared("durable"))
      let theirs = try append(batchCount: batch, isDurable: true, limit: count)
      theirs.store.close()
      add("write, durable, batch \(batch)", ours, theirs.measurement)
      guard batch == 1 else { continue }
      let weaker = try AppendRun(batchCount: batch, sync: .lastCommitMayVanish, limit: count)
        .run(bench, at: bench.folder.cleared("durable"))
      add("write, lastCommitMayVanish against durable, batch 1", weaker, theirs.measurement)
    }
  }

  private mutating func add(_ operation: String, _ ours: Measurement, _ theirs: Measurement) {
    figures.add(operation, "ns", ours: ours.nanosecondsEach, theirs: theirs.nanosecondsEach)
  }

  private func append(
    batchCount: Int, isDurable: Bool, limit: Int?
  ) throws -> (store: any Peer, measurement: Measurement) {
    let count = min(limit ?? bench.eventCount, bench.eventCount)
    let path = bench.folder.cleared("peer")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // As ours: what is not to be durable waits for no flush, of a checkpoint for instance.
    if !isDurable { bench.counters.skipFlushes?(true) }
    defer { bench.counters.skipFlushes?(false) }
    let store = try peer.init(at: path, isDurable: isDurable)
    var (meter, recordedCount) = (Meter(bench.counters), 0)
    for start in stride(from: 0, to: count, by: Self.chunkCount) {
      bench.progress.show("\(peer.title): \(start) of \(count)")
      let commands = bench.workload.commands(start..<min(start + Self.chunkCount, count))
      for start in stride(from: 0, to: commands.count, by: batchCount) {
        let batch = Array(commands[start..<min(start + batchCount, commands.count)])
        recordedCount += try meter.measure { () throws in try store.append(batch) }
      }
    }
    guard recordedCount == count else {
      store.close()
      throw BenchError.notAllRecorded(recordedCount, of: count)
    }
    try store.settle()
    return (store, Measurement("append", operations: count, meter))
  }

  /// All summaries, and what the pages and lists of reactors give.
  private mutating func compare(_ ledger: Ledger, _ store: any Peer) throws {
    bench.progress.show("comparing with \(peer.title)")
    var (ours, theirs) = (Digest(), Digest())
    let keys = bench.workload.messageKeys
    for start in stride(from: 0, to: keys.count, by: 1_000) {
      let some = Array(keys[start..<min(start + 1_000, keys.count)])
      for summary in try ledger.summaries(of: some) { ours.add(PeerSummary(summary)) }
      for summary in try store.summaries(of: some, viewer: nil) { theirs.add(summary) }
    }
    for page in picks.pages {
      for summary in try ledger.summaries(of: page.messages, viewer: page.viewer) {
        ours.add(PeerSummary(summary))
      }
      for summary in try store.summaries(of: page.messages, viewer: page.viewer) {
        theirs.add(summary)
      }
    }
    if let popular = try ReadRun.mostPopular(ledger, picks.hottest) {
      let own = try ledger.reactors(of: popular, on: picks.hottest)
      let other = try store.reactors(of: popular.text, on: picks.hottest, limit: 100)
      ours.add(own.count)
      for user in own.users { ours.add(user.text) }
      theirs.add(other.count)
      for user in other.users { theirs.add(user) }
    }
    guard ours == theirs else {
      throw BenchError.differs("\(peer.title) and ours", ours.value, theirs.value)
    }
    digest = ours
  }

  private mutating func reads(_ ledger: Ledger, _ store: any Peer) throws {
    let popular = try ReadRun.mostPopular(ledger, picks.hottest)?.text ?? ""
    let names: [(ReadRun, String)] = [
      (.summaryMine, "summary with reactedByMe"), (.pageMine, "page of 50 with reactedByMe"),
      (.reactors, "first 100 reactors"),
    ]
    for (run, name) in names {
      bench.progress.show(name)
      let count = max(1, run.fullCount / divisor)
      let ours = try run.run(ledger, picks, count: count, bench.counters)
      guard ours.operationCount > 0 else { continue }
      let theirCount = max(1, count / 8)
      var (meter, sum) = (Meter(bench.counters), 0)
      try meter.measure { () throws in
        for index in 0..<theirCount { sum += try read(store, run, index, popular) }
      }
      figures.add(
        name, "ns", ours: ours.nanosecondsEach,
        theirs: Double(meter.nanoseconds) / Double(theirCount))
    }
  }

  /// A read by a peer; the sum is there so that it is not left out.
  private func read(
    _ store: any Peer, _ run: ReadRun, _ index: Int, _ popular: String
  ) throws -> Int {
    switch run {
    case .summary, .summaryMine:
      let place = index % picks.messages.count
      let found = try store.summaries(
        of: [picks.messages[place]], viewer: picks.viewers[place])
      return found[0].eventCount
    case .page, .pageMine:
      let page = picks.pages[index % picks.pages.count]
      return try store.summaries(of: page.messages, viewer: page.viewer).count
    case .reactors:
      return try store.reactors(of: popular, on: picks.hottest, limit: 100).users.count
    }
  }

  /// The bytes of all files below a folder.
  private static func byteCount(_ folder: String) throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard attributes[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }
}

extension PeerSummary {
  /// A ledger's summary in the peers' form.
  init(_ summary: MessageSummary) {
    self.init(
      eventCount: summary.eventCount,
      reactions: summary.reactions.map { reaction in
        Reaction(
          text: reaction.reaction.text, count: reaction.count, isViewers: reaction.reactedByMe,
          firstUsers: reaction.firstUsers.map(\.text))
      })
  }
}
