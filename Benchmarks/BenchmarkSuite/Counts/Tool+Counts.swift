import Foundation
import LedgerInterchange

extension BenchmarkTool {
  /// Counts, compares with what is stored and stores, as far as the options ask for it.
  ///
  /// - Throws: ``BenchError/worse(_:)``, when all is said and stored.
  static func count(
    _ options: Options, _ counters: ProcessCounters, _ say: (String) -> Void
  ) throws {
    let stored = try options.checkedFile.map { path throws(BenchError) in
      try StoredCounts(path: path)
    }
    let eventCount = options.sizes[0]
    if let stored, stored.eventCount != eventCount || stored.seed != options.seed {
      throw BenchError.program(
        "the stored counts are of \(stored.eventCount) events from seed \(stored.seed)")
    }
    let bench = try Bench(
      options.workload(eventCount), below: options.folder, counters: counters)
    let figures = try CountRun(bench: bench, divisor: options.divisor).run()
    let found = StoredCounts(eventCount: eventCount, seed: options.seed, figures: figures)
    let comparisons = CountComparison.all(found: figures, stored: stored?.figures ?? figures)
    if stored == nil {
      for figure in figures { say("\(figure.name)  \(figure.value)") }
    } else {
      for line in CountComparison.table(comparisons).lines { say(line) }
    }
    if let path = options.storedFile {
      try Data(found.bytes).write(to: URL(filePath: path))
    }
    if comparisons.contains(where: { $0.verdict == .better }) {
      say("Some counts are better than stored; store them: reaction-bench counts --write FILE")
    }
    let failureCount = comparisons.count { $0.verdict.isFailure }
    guard failureCount == 0 else { throw BenchError.worse(failureCount) }
  }
}
