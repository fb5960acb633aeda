import LMDB
import LedgerEngine
import LedgerInterchange
import ReactionModel

/// What all benchmarks of a run share.
final class Bench {
  let folder: ScratchFolder
  let workload: Workload
  let counters: ProcessCounters
  let progress: ProgressLine
  let eventCount: Int

  init(
    _ workload: Workload, below parent: String, counters: ProcessCounters,
    progress: ProgressLine = ProgressLine()
  ) throws {
    folder = try ScratchFolder(below: parent)
    self.workload = workload
    self.counters = counters
    self.progress = progress
    eventCount = workload.events.count
  }

  /// What a flush of the folder's disk takes, in nanoseconds: the median of some.
  func flushNanoseconds(count: Int = 25) throws -> Double {
    try DiskFlush.nanoseconds(in: folder.path, count: count)
  }
}

/// How a benchmark waits for the disk.
enum Sync: String, CaseIterable {
  /// Not at all. Only where the process can leave out flushes.
  case none
  /// As ``Durability/lastCommitMayVanish``.
  case lastCommitMayVanish
  /// As ``Durability/durable``.
  case durable

  var durability: Durability { self == .lastCommitMayVanish ? .lastCommitMayVanish : .durable }
}

/// Command ids for benchmarks that give some.
enum CommandIDs: String, CaseIterable {
  case none
  /// As UUID version 7: the event's milliseconds come first.
  case timeOrdered
  case random

  func id(_ index: Int, at time: Timestamp) -> CommandID? {
    var random = WorkloadRandom(seed: UInt64(index))
    switch self {
    case .none: return nil
    case .timeOrdered:
      let milliseconds = UInt64(time.microseconds / 1_000)
      return CommandID(
        high: milliseconds << 16 | 0x7000 | UInt64(index & 0xfff),
        low: random.next() & (1 << 62 - 1) | 1 << 63)
    case .random: return CommandID(high: random.next(), low: random.next())
    }
  }
}

/// What a store's data file holds, told by LMDB while no ledger has it open.
struct StoreSize {
  let pageCount: Int
  let byteCount: Int
  /// The pages of each named database that has entries.
  let databases: [(name: String, pageCount: Int)]

  private static let names =
    ["events", "users", "userNumbers", "tree", "meta"]
    + ["messages", "reactors", "members", "commands", "byUser"].flatMap { ["\($0).A", "\($0).B"] }

  init(ofLedgerAt path: String) throws {
    var options = Environment.Options()
    options.flags = .noSync
    let environment = try Environment(path: path, options: options)
    defer { environment.close() }
    let information = environment.information
    pageCount = information.lastPage + 1
    byteCount = pageCount * information.pageSizeBytes
    databases = try environment.write {
      (transaction: inout WriteTransaction) throws(LMDBError) -> [(String, Int)] in
      var found: [(String, Int)] = []
      for name in Self.names {
        let statistics = try transaction.reads.statistics(of: transaction.openDatabase(name))
        let count =
          statistics.branchPageCount + statistics.leafPageCount + statistics.overflowPageCount
        if statistics.entryCount > 1 { found.append((name, count)) }
      }
      return found
    }
  }
}
