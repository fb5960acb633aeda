import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Reads of what was: summaries as of a moment, and the feed of changes.
enum PastRun {
  /// Summaries as of the middle of the log.
  static func asOf(_ bench: Bench, ledgerAt path: String, count: Int) throws -> Measurement {
    let picks = ReadPicks(bench.workload, pickCount: min(count, 65_536), pageCount: 0)
    let ledger = try Ledger.open(at: path)
    defer { ledger.close() }
    let middle = Moment.sequence(try ledger.statistics().head / 2)
    var (meter, digest) = (Meter(bench.counters, keepsLatencies: true), Digest())
    for index in 0..<count {
      let place = index % picks.messages.count
      let summary = try meter.measure { () throws(LedgerError) in
        try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.summary(
            of: picks.messages[place], viewer: picks.viewers[place], asOf: middle)
        }
      }
      digest.add(summary)
    }
    var measurement = Measurement("asOf", operations: count, meter)
    measurement.digest = digest
    return measurement
  }

  /// The changes from the beginning, as fast as the feed gives them.
  static func feed(_ bench: Bench, ledgerAt path: String, limit: Int) async throws -> Measurement {
    let ledger = try Ledger.open(at: path)
    defer { ledger.close() }
    let count = min(limit, bench.eventCount)
    var meter = Meter(bench.counters)
    let digest = try await meter.measure {
      var (digest, taken) = (Digest(), 0)
      for try await change in ledger.changes() {
        for operation in change.operations {
          digest.add(operation.reaction.text)
          digest.add(Int(operation.sequence))
        }
        taken += 1
        if taken == count { break }
      }
      return digest
    }
    var measurement = Measurement("feed", operations: count, meter)
    measurement.digest = digest
    return measurement
  }
}
