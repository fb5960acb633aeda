import BenchmarkSuite
import CProcessCounters
import Glibc

/// Measures the ledger: see `reaction-bench help`.
@main struct ReactionBench {
  static func main() async {
    let counters =
      process_counters_work()
      ? ProcessCounters(
        allocationCount: { UInt64(process_allocation_count()) },
        libraryAllocationCount: { UInt64(process_library_allocation_count()) },
        skipFlushes: { (isSkipping: Bool) in process_skip_flushes(isSkipping) }) : .none
    let arguments = Array(CommandLine.arguments.dropFirst())
    BenchmarkTool.removeFoldersOnSignals()
    exit(await BenchmarkTool.run(arguments, counters: counters))
  }
}
