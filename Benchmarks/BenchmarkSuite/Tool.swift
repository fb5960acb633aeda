import Foundation
import LedgerInterchange

/// The command line of the benchmarks.
public enum BenchmarkTool {
  /// Runs what the arguments ask for.
  ///
  /// - Parameters:
  ///   - arguments: Those after the program's name.
  ///   - counters: What the program can count.
  /// - Returns: The exit status.
  public static func run(_ arguments: [String], counters: ProcessCounters) -> Int32 {
    do {
      let path = arguments[2]
      let workload = Workload(eventCount: Int(arguments[1]) ?? 1000)
      let bench = try Bench(workload, below: arguments[4], counters: counters)
      var comparison = try FloorComparison(bench, program: FloorProgram(path: path), rounds: Int(arguments[3]) ?? 1)
      try comparison.run { figures in
        var table = Table(["operation", "unit", "ours", "floor", "ratio", "goal"])
        for figure in figures.all {
          table.add([figure.operation, figure.unit, short(median(figure.ours)), short(median(figure.floor)), short(figure.ratio), short(figure.goal) + (figure.isReached ? "" : " !")])
        }
        print(table.lines.joined(separator: "\n"))
        print("")
        fflush(nil)
      }
      return 0
    } catch {
      print("reaction-bench: \(error)")
      return 3
    }
  }
}
