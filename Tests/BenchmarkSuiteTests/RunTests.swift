import Foundation
import LedgerEngine
import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

@testable import BenchmarkSuite

/// Every benchmark at its tiny size, and that what they made is the same wherever it must be.
struct RunTests {
  private typealias Measurement = BenchmarkSuite.Measurement

  private static func measure(
    _ names: [String] = [], ids: WorkloadNames.MessageIDs = .timeOrdered
  ) async throws -> [Measurement] {
    let folder = try TemporaryFolder()
    var options = try Options(["run", "--tiny", "--folder", folder.path] + names)
    options.messageIDs = ids
    let bench = try Bench(
      options.workload(options.sizes[0]), below: folder.path, counters: .none)
    let chosen = Benchmark.allCases.filter { names.isEmpty || names.contains($0.rawValue) }
    var plan = RunPlan(bench, chosen, sync: .durable, divisor: options.divisor) {
      try $0.run(ledgerAt: $1, .none)
    }
    try await plan.run()
    return plan.measurements
  }

  @Test(arguments: WorkloadNames.MessageIDs.allCases)
  func all(_ ids: WorkloadNames.MessageIDs) async throws {
    let measurements = try await Self.measure(ids: ids)
    for benchmark in Benchmark.allCases {
      let own = measurements.filter { $0.name == benchmark.rawValue }
      #expect(!own.isEmpty, "\(benchmark)")
      for measurement in own {
        #expect(measurement.operationCount > 0 && measurement.nanoseconds > 0, "\(benchmark)")
        #expect(measurement.digest != nil, "\(benchmark)")
        #expect(measurement.label("ids") == ids.rawValue)
      }
    }
    // The ledger that was written, built anew, restored and imported shows the same.
    let whole = ["append", "rebuild", "restore", "import"].map { name in
      measurements.first { $0.name == name }?.digest
    }
    #expect(Set(whole.map { $0?.value }).count == 1)
    // Neither batches nor levels of durability change what a ledger shows.
    let batches = Dictionary(grouping: measurements.filter { $0.name == "batches" }) {
      $0.operationCount
    }
    for (count, some) in batches {
      #expect(Set(some.map { $0.digest?.value }).count == 1, "\(count) events")
    }
    let durable = measurements.filter { ["batches", "callers", "append"].contains($0.name) }
    #expect(durable.allSatisfy { $0.flushNanoseconds ?? 0 > 0 && $0.fileByteCount ?? 0 > 0 })
    #expect(measurements.first { $0.name == "replay" }?.peakMemoryByteCount ?? 0 > 0)
    #expect(Plots.all(measurements).map(\.name) == ["throughput", "latency", "callers"])
  }

  /// Reads into memory that is used again read what values tell.
  @Test(arguments: ReadRun.allCases) func reused(_ run: ReadRun) throws {
    let folder = try TemporaryFolder()
    let workload = Workload(eventCount: 3_000, seed: 5)
    let bench = try Bench(workload, below: folder.path, counters: .none)
    _ = try AppendRun().run(bench, at: folder.file("L"))
    let ledger = try Ledger.open(at: folder.file("L"))
    let picks = ReadPicks(workload, pickCount: 500, pageCount: 20)
    let (values, reused) = (
      try run.run(ledger, picks, count: 700, .none),
      try run.run(ledger, picks, count: 700, .none, isReusing: true)
    )
    #expect(values.digest == reused.digest)
    #expect(values.digest != Digest() || picks.pages.isEmpty)
    ledger.close()
  }

  /// The whole tool: a table, and JSON lines with the same measurements.
  @Test func output() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["append", "page", "--tiny", "--folder", folder.path]
    var (table, json): ([String], [String]) = ([], [])
    try await BenchmarkTool.run(
      try Options(arguments + ["--svg", folder.file("plots")]), .none
    ) { table.append($0) }
    try await BenchmarkTool.run(try Options(arguments + ["--json"]), .none) {
      json += $0.split(separator: "\n").map(String.init)
    }
    #expect(table.map { $0.prefix { $0 != " " } } == ["1000", "benchmark", "append", "page"])
    #expect(json.count == 2)
    for line in json {
      guard case .object(let object) = try JSONParser.parse(Array(line.utf8)) else {
        Issue.record("not an object: \(line)")
        continue
      }
      #expect(object.members.map(\.key).starts(with: ["benchmark", "events", "ids"]))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plots"])
  }

  /// What pages and picks are, they are again with the same seed.
  @Test func picks() {
    let workload = Workload(eventCount: 3_000, seed: 5)
    let (one, two) = (
      ReadPicks(workload, pickCount: 100, pageCount: 10),
      ReadPicks(workload, pickCount: 100, pageCount: 10)
    )
    #expect(one.messages == two.messages && one.viewers == two.viewers)
    #expect(one.pages.count == 10)
    for page in one.pages {
      #expect(page.messages.count == ReadPicks.pageCount)
      #expect(Set(page.messages.map(\.conversation)).count == 1)
    }
  }

  @Test func commandIDs() {
    let times = [0, 1, 2].map { Timestamp(microseconds: 1_750_000_000_000_000 + $0 * 1_000) }
    let ids = times.enumerated().map { CommandIDs.timeOrdered.id($0.offset, at: $0.element) }
    let found = ids.compactMap { $0 }
    #expect(found == found.sorted() && Set(found).count == 3)
    #expect(CommandIDs.none.id(0, at: times[0]) == nil)
  }
}
