import Foundation
import LedgerTestSupport
import Testing

@testable import BenchmarkSuite

/// The gate on what is counted: what passes, what fails, what is told.
struct CountTests {
  private static let stored = [
    CountFigure("allocations", 0.01, .amount(0.05)), CountFigure("bytes", 200, .percent(2)),
  ]

  private static func verdicts(_ found: [CountFigure]) -> [CountComparison.Verdict] {
    CountComparison.all(found: found, stored: stored).map(\.verdict)
  }

  /// Values found, and what they come to beside 0.01 ± 0.05 and 200 ± 2 %.
  static let cases: [(allocations: Double, bytes: Double, verdicts: [CountComparison.Verdict])] = [
    (0.01, 200, [.ok, .ok]), (0.06, 204, [.ok, .ok]), (0, 196, [.ok, .ok]),
    (0.061, 204.001, [.worse, .worse]), (1.01, 195.9, [.worse, .better]),
  ]

  @Test(arguments: cases.indices) func verdict(_ index: Int) {
    let (allocations, bytes, verdicts) = Self.cases[index]
    // The tolerance is the stored one, whatever the program would store now.
    let found = [
      CountFigure("allocations", allocations, .amount(9)), CountFigure("bytes", bytes, .amount(9)),
    ]
    #expect(Self.verdicts(found) == verdicts)
  }

  /// A figure that only one side has is a failure: else a renamed one would be held by nothing.
  @Test func absent() {
    let found = [Self.stored[0], CountFigure("pages", 1, .percent(2))]
    #expect(Self.verdicts(found) == [.ok, .notStored, .notFound])
    #expect(
      CountComparison.Verdict.allCases.filter { !$0.isFailure } == [.ok, .better])
    let table = CountComparison.table(CountComparison.all(found: found, stored: Self.stored))
    #expect(table.lines.last == "bytes            200.0             2.0 %  FAILED: not counted")
  }

  @Test func file() throws {
    let counts = StoredCounts(eventCount: 1_000, seed: 42, figures: Self.stored)
    #expect(try StoredCounts(counts.bytes) == counts)
    #expect(String(decoding: counts.bytes, as: UTF8.self).split(separator: "\n").count == 4)
    for text in ["", "{}", "{\"events\":1,\"seed\":1,\"forEachEvent\":[{\"figure\":\"a\"}]}"] {
      #expect(throws: BenchError.self) { try StoredCounts(Array(text.utf8)) }
    }
    #expect(throws: BenchError.self) { try StoredCounts(path: "/nonexistent") }
  }

  /// The whole: what was written is found again, what became worse fails, what became better is told.
  @Test func gate() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("counts.json")
    let counters = ProcessCounters(
      allocationCount: { 7 }, libraryAllocationCount: { 7 }, skipFlushes: { _ in })
    func run(_ option: String) throws -> [String] {
      var lines: [String] = []
      let options = try Options(["counts", "--tiny", "--folder", folder.path, option, path])
      try BenchmarkTool.count(options, counters) { lines.append($0) }
      return lines
    }
    #expect(try run("--write").count > 20)
    // Other tests of this process write too, so that no bytes written can be held here.
    let stored = try StoredCounts(path: path)
    let held = stored.figures.map { figure in
      CountFigure(
        figure.name, figure.value, figure.name.contains("written") ? .amount(1e9) : .percent(2))
    }
    func store(_ scale: Double) throws {
      let figures = held.map { figure in
        figure.name == "append, batch 1000: file bytes"
          ? CountFigure(figure.name, figure.value * scale, figure.tolerance) : figure
      }
      let counts = StoredCounts(eventCount: stored.eventCount, seed: stored.seed, figures: figures)
      try Data(counts.bytes).write(to: URL(filePath: path))
    }
    try store(1)
    #expect(try run("--check").allSatisfy { $0.hasPrefix("for each event") || $0.hasSuffix("ok") })
    try store(1.1)
    #expect(try run("--check").last?.hasPrefix("Some counts are better") == true)
    try store(0.9)
    #expect(throws: BenchError.worse(1)) { try run("--check") }
    let arguments = ["counts", "--tiny", "--folder", folder.path, "--check", path]
    #expect(await BenchmarkTool.run(arguments, counters: counters) == 1)
    // Counts of another workload, and a program that cannot count.
    #expect(await BenchmarkTool.run(arguments + ["--seed", "1"], counters: counters) == 3)
    #expect(await BenchmarkTool.run(arguments, counters: .none) == 3)
  }

  /// What is committed can be read, and belongs to the workload that the gate runs.
  @Test func committed() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let counts = try StoredCounts(path: root.appending(path: "Benchmarks/counts.json").path)
    let options = try Options(["counts"])
    #expect(counts.eventCount == options.sizes[0] && counts.seed == options.seed)
    // Without summaries, and in replay and rebuild, nothing is allocated for an event.
    for name in ["append, batch 1000", "replay", "rebuild"] {
      let figure = counts.figures.first { $0.name == "\(name): allocations" }
      #expect(figure.map { $0.value + $0.tolerance.width(at: $0.value) < 0.1 } == true)
    }
  }
}
