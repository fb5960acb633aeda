import Foundation
import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Runs benchmarks on one workload, one after the other.
struct RunPlan {
  let bench: Bench
  let benchmarks: [Benchmark]
  let sync: Sync
  /// Divides how often things are done.
  let divisor: Int
  /// Runs a stage on the ledger at a path; its peak of memory is its own if it does so elsewhere.
  let runStage: (Stage, String) throws -> Measurement

  private(set) var measurements: [Measurement] = []

  init(
    _ bench: Bench, _ benchmarks: [Benchmark], sync: Sync, divisor: Int,
    runStage: @escaping (Stage, String) throws -> Measurement
  ) {
    self.bench = bench
    self.benchmarks = benchmarks
    self.sync = sync
    self.divisor = divisor
    self.runStage = runStage
  }

  /// Runs them all; the ledger that they read is made in any case.
  mutating func run() async throws {
    let path = bench.folder.path("ledger")
    let append = AppendRun(sync: sync, keepsLatencies: true, isDigesting: true)
    add(try append.run(bench, at: path))
    for benchmark in benchmarks where benchmark != .append {
      bench.progress.show(benchmark.rawValue)
      try await run(benchmark, path)
    }
    bench.progress.clear()
    if !benchmarks.contains(.append) { measurements.removeFirst() }
  }

  private mutating func add(_ measurement: Measurement) {
    var measurement = measurement
    measurement.labels.insert(
      contentsOf: [
        .init(key: "events", value: "\(bench.eventCount)"),
        .init(key: "ids", value: bench.workload.names.messageIDs.rawValue),
      ], at: 0)
    measurements.append(measurement)
  }

  private mutating func run(_ benchmark: Benchmark, _ path: String) async throws {
    switch benchmark {
    case .append: break
    case .batches: try batches()
    case .callers: try await callers()
    case .commandIDs: try commandIDs()
    case .summary: try read(.summary, path)
    case .summaryMine: try read(.summaryMine, path)
    case .page: try read(.page, path)
    case .pageMine: try read(.pageMine, path)
    case .reactors: try read(.reactors, path)
    case .asOf: add(try PastRun.asOf(bench, ledgerAt: path, count: count(20_000)))
    case .feed: add(try await PastRun.feed(bench, ledgerAt: path, limit: count(200_000)))
    case .replay: add(try runStage(.replay, path))
    case .rebuild: add(try digested(runStage(.rebuild, path), path))
    case .export: add(try CopyRun(bench).export(ledgerAt: path))
    case .restore:
      let copy = CopyRun(bench)
      if !copy.hasExport { _ = try copy.export(ledgerAt: path) }
      let place = bench.folder.cleared("restored")
      add(try digested(copy.restore(to: place), place))
    case .import:
      let place = bench.folder.cleared("imported")
      add(try digested(CopyRun(bench).importCommands(to: place), place))
    }
  }

  private func count(_ full: Int) -> Int { max(1, full / divisor) }

  /// With the digest of all summaries of the ledger at a path.
  private func digested(_ measurement: Measurement, _ path: String) throws -> Measurement {
    var measurement = measurement
    let ledger = try Ledger.open(at: path)
    defer { ledger.close() }
    measurement.digest = try Digest.ofSummaries(ledger, bench.workload)
    return measurement
  }

  private mutating func batches() throws {
    for sync in [Sync.durable, .lastCommitMayVanish] {
      for (batch, limit) in [
        (1, 5_000), (10, 20_000), (100, 100_000), (1_000, 500_000), (10_000, 1_000_000),
      ] {
        let run = AppendRun(
          batchCount: batch, sync: sync, limit: count(limit), keepsLatencies: true,
          isDigesting: true)
        var measurement = try run.run(bench, at: bench.folder.cleared("batch"))
        measurement.name = "batches"
        add(measurement)
      }
    }
  }

  private mutating func callers() async throws {
    for callerCount in [1, 2, 4, 8, 16, 32, 64] {
      add(
        try await CallersRun(
          callerCount: callerCount, limit: count(min(40_000, 2_000 * callerCount))
        ).run(bench, at: bench.folder.cleared("callers")))
    }
  }

  /// Not synced, where that can be: what ids cost is not the disk's.
  private mutating func commandIDs() throws {
    let sync = bench.counters.skipFlushes == nil ? Sync.lastCommitMayVanish : .none
    for ids in CommandIDs.allCases {
      let run = AppendRun(sync: sync, commandIDs: ids, keepsLatencies: true, isDigesting: true)
      var measurement = try run.run(bench, at: bench.folder.cleared("ids"))
      measurement.name = "commandIDs"
      add(measurement)
    }
  }

  private mutating func read(_ run: ReadRun, _ path: String) throws {
    let picks = ReadPicks(
      bench.workload, pickCount: count(65_536), pageCount: max(8, count(2_048)))
    let ledger = try Ledger.open(at: path)
    defer { ledger.close() }
    add(
      try run.run(
        ledger, picks, count: count(run.fullCount), bench.counters, keepsLatencies: true))
  }
}
