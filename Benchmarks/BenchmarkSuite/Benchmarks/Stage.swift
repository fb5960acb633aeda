import LedgerEngine

/// A benchmark whose memory matters, so that it can run in a process of its own.
enum Stage: String, CaseIterable {
  case replay
  case rebuild

  /// Opens a ledger and runs the stage on it; the peak of memory is the process's own.
  func run(ledgerAt path: String, _ counters: ProcessCounters) throws -> Measurement {
    let ledger = try Ledger.open(at: path)
    defer { ledger.close() }
    var meter = Meter(counters)
    var measurement: Measurement
    switch self {
    case .replay:
      let report = try meter.measure { () throws(LedgerError) in
        try ledger.replay(level: .projections)
      }
      guard report.isOK else { throw BenchError.unsound(report.findings) }
      measurement = Measurement(rawValue, operations: report.eventCount, meter)
      var digest = Digest()
      digest.add(report.eventCount)
      digest.add(report.messageCount)
      digest.add(report.userCount)
      measurement.digest = digest
    case .rebuild:
      let report = try meter.measure { () throws(LedgerError) in try ledger.rebuild() }
      let eventCount = try ledger.statistics().eventCount
      measurement = Measurement(rawValue, operations: eventCount, meter)
      var digest = Digest()
      digest.add(report.messageCount)
      digest.add(report.reactorCount)
      measurement.digest = digest
    }
    measurement.peakMemoryByteCount = ProcessFigures.peakMemoryByteCount
    return measurement
  }
}
