import Foundation
import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Measures the hot path on generated events: append, summary, replay, rebuild.
@main struct ReactionBench {
  static func main() {
    guard let options = BenchOptions(Array(CommandLine.arguments.dropFirst())) else {
      print(BenchOptions.usage)
      exit(2)
    }
    do {
      try run(options)
    } catch {
      print("reaction-bench: \(error)")
      exit(3)
    }
  }

  private static func run(_ options: BenchOptions) throws {
    let path = "\(options.folder)/reaction-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let workload = Workload(eventCount: options.eventCount, seed: options.seed)
    var ledgerOptions = LedgerOptions()
    ledgerOptions.durability = options.durability
    let ledger = try Ledger.create(at: path + "/ledger", options: ledgerOptions)
    var measurements = [try flush(path)]
    measurements.append(try append(workload, to: ledger, options))
    measurements.append(try summaries(workload, of: ledger))
    measurements.append(
      try Measurement.take("replay", operations: options.eventCount) {
        let report = try ledger.replay()
        guard report.isOK else { throw BenchError.unsound(report.findings) }
        return [("messages", "\(report.messageCount)"), ("users", "\(report.userCount)")]
      })
    measurements.append(
      try Measurement.take("rebuild", operations: options.eventCount) {
        let report = try ledger.rebuild()
        return [("messages", "\(report.messageCount)"), ("reactors", "\(report.reactorCount)")]
      })
    ledger.close()
    show(measurements, options)
  }

  /// What a flush of the disk costs: every durable figure rests on it.
  private static func flush(_ path: String) throws -> Measurement {
    let url = URL(filePath: path).appending(path: "flush")
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    let count = 100
    return try Measurement.take("disk flush", operations: count) {
      for _ in 0..<count {
        try file.write(contentsOf: Data(repeating: 1, count: 4096))
        try file.synchronize()
      }
      return []
    }
  }

  private static func append(
    _ workload: Workload, to ledger: Ledger, _ options: BenchOptions
  ) throws -> Measurement {
    let starts = stride(from: 0, to: options.eventCount, by: options.batchCount)
    let batches = starts.map { start in
      workload.commands(start..<min(start + options.batchCount, options.eventCount))
    }
    return try Measurement.take("append", operations: options.eventCount) {
      var recordedCount = 0
      for batch in batches {
        recordedCount += try ledger.append(batch).count { $0.name == "recorded" }
      }
      guard recordedCount == options.eventCount else { throw BenchError.notAllRecorded }
      let bytes = try ledger.statistics().fileByteCount
      return [
        ("batch", "\(options.batchCount)"), ("durability", options.durability.name),
        ("fileBytesEach", "\(bytes / options.eventCount)"),
      ]
    }
  }

  /// Summaries with `reactedByMe`, one snapshot for each, of messages spread over the workload.
  private static func summaries(
    _ workload: Workload, of ledger: Ledger
  ) throws -> Measurement {
    let step = max(1, workload.events.count / 100_000)
    let places = stride(from: 0, to: workload.events.count, by: step).map { workload.events[$0] }
    let asked = places.map { event in
      (workload.messageKey(event.message), workload.userID(event.user))
    }
    return try Measurement.take("summary", operations: asked.count) {
      // The result's digest (FNV-1a over counts), so that a wrong answer does not go unseen.
      var digest: UInt64 = 0xcbf2_9ce4_8422_2325
      for (message, user) in asked {
        let summary = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.summary(of: message, viewer: user)
        }
        for reaction in summary.reactions {
          let value = UInt64(reaction.count) << 1 | (reaction.reactedByMe ? 1 : 0)
          digest = (digest ^ value) &* 0x100_0000_01b3
        }
      }
      return [("digest", String(digest, radix: 16))]
    }
  }

  private static func show(_ measurements: [Measurement], _ options: BenchOptions) {
    guard options.isJSON else {
      print(Measurement.heading)
      for measurement in measurements { print(measurement.row) }
      return
    }
    var writer = JSONWriter()
    for measurement in measurements { measurement.write(to: &writer) }
    print(String(decoding: writer.bytes, as: UTF8.self), terminator: "")
  }
}

enum BenchError: Error, CustomStringConvertible {
  case notAllRecorded
  case unsound([Finding])

  var description: String {
    switch self {
    case .notAllRecorded: "not every event of the workload was recorded"
    case .unsound(let findings): "the replay has findings: \(findings)"
    }
  }
}
