import LMDB
import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Tasks that each append one command and wait until it is durable, then the next.
struct CallersRun {
  let callerCount: Int
  /// How many events in all.
  let limit: Int

  /// Runs and leaves the ledger, closed, at a path.
  ///
  /// What belongs to one message is one caller's, in its order, so that all is recorded.
  func run(_ bench: Bench, at path: String) async throws -> Measurement {
    let count = min(limit, bench.eventCount)
    let flush = try bench.flushNanoseconds()
    var shares = [[Command]](repeating: [], count: callerCount)
    for event in bench.workload.events[..<count] {
      shares[Int(event.message) % callerCount].append(bench.workload.command(for: event))
    }
    try Ledger.create(at: path).close()
    let commitsBefore = try Self.commitCount(path)
    let ledger = try Ledger.open(at: path)
    var meter = Meter(bench.counters)
    let latencies = try await meter.measure {
      try await Self.append(shares, to: ledger)
    }
    let written = meter.writtenByteCount
    let digest = try Digest.ofSummaries(ledger, bench.workload, limit: count)
    ledger.close()
    guard latencies.count == count else {
      throw BenchError.notAllRecorded(latencies.count, of: count)
    }
    var measurement = Measurement(
      "callers", [.init(key: "callers", value: "\(callerCount)")], operations: count, meter)
    measurement.writtenByteCount = written
    measurement.latencies = Measurement.Latencies(latencies)
    measurement.flushNanoseconds = flush
    measurement.digest = digest
    let commitCount = try Self.commitCount(path) - commitsBefore
    measurement.eventsPerCommit = Double(count) / Double(max(1, commitCount))
    let size = try StoreSize(ofLedgerAt: path)
    measurement.fileByteCount = size.byteCount
    measurement.pageCount = size.pageCount
    return measurement
  }

  /// Appends each share by a task of its own; the durations of those that were recorded.
  private static func append(
    _ shares: [[Command]], to ledger: Ledger
  ) async throws -> [UInt64] {
    try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for share in shares {
        group.addTask {
          var latencies: [UInt64] = []
          latencies.reserveCapacity(share.count)
          for command in share {
            let start = Meter.now
            let outcome = try await ledger.append(command)
            if case .recorded = outcome { latencies.append(Meter.now - start) }
          }
          return latencies
        }
      }
      var all: [UInt64] = []
      for try await latencies in group { all += latencies }
      return all
    }
  }

  /// How many transactions were committed to a closed ledger.
  private static func commitCount(_ path: String) throws -> Int {
    let environment = try Environment(path: path)
    defer { environment.close() }
    return Int(environment.information.lastTransaction)
  }
}
