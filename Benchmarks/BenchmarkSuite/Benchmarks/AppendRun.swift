import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Appends the first events of the workload to a new ledger in batches.
struct AppendRun {
  var batchCount = 1_000
  var sync = Sync.durable
  /// How ids are given.
  var form = Form.strings
  var commandIDs = CommandIDs.none
  /// How many events; `nil` for all.
  var limit: Int?
  var keepsLatencies = false
  /// Whether all summaries are read and digested in the end.
  var isDigesting = false

  /// How ids are given to the ledger.
  enum Form {
    /// As values with `String`s.
    case strings
    /// As borrowed bytes.
    case bytes
  }

  /// The commands that are made at a time, outside of what is measured.
  private static let chunkCount = 10_000

  /// Runs and leaves the ledger, closed, at a path.
  ///
  /// Only the calls of `append` are measured: the commands are made before.
  func run(_ bench: Bench, at path: String) throws -> Measurement {
    let count = min(limit ?? bench.eventCount, bench.eventCount)
    let flush = sync == .none ? nil : try bench.flushNanoseconds()
    if sync == .none { bench.counters.skipFlushes?(true) }
    defer { bench.counters.skipFlushes?(false) }
    var options = LedgerOptions()
    options.durability = sync.durability
    let ledger = try Ledger.create(at: path, options: options)
    var meter = Meter(bench.counters, keepsLatencies: keepsLatencies)
    var (recordedCount, reused) = (0, CommandBatch())
    for start in stride(from: 0, to: count, by: max(batchCount, Self.chunkCount)) {
      let end = min(start + max(batchCount, Self.chunkCount), count)
      let commands = commands(start..<end, of: bench.workload)
      bench.progress.show("append: \(start) of \(count)")
      switch form {
      case .strings:
        for batch in commands {
          recordedCount += try meter.measure { () throws(LedgerError) in
            try ledger.append(batch)
          }.count { $0.name == "recorded" }
        }
      case .bytes:
        for packets in commands.map({ CommandPackets($0) }) {
          recordedCount += try meter.measure { () throws in
            reused.removeAll()
            try packets.read(into: &reused)
            return try ledger.append(reused)
          }.count { $0.name == "recorded" }
        }
      }
    }
    let written = meter.writtenByteCount
    let digest =
      isDigesting ? try Digest.ofSummaries(ledger, bench.workload, limit: count) : nil
    ledger.close()
    bench.progress.clear()
    guard recordedCount == count else { throw BenchError.notAllRecorded(recordedCount, of: count) }
    var measurement = Measurement("append", labels, operations: count, meter)
    measurement.writtenByteCount = written
    let size = try StoreSize(ofLedgerAt: path)
    measurement.fileByteCount = size.byteCount
    measurement.pageCount = size.pageCount
    measurement.eventsPerCommit = Double(min(batchCount, count))
    measurement.flushNanoseconds = flush
    measurement.digest = digest
    return measurement
  }

  private func commands(_ range: Range<Int>, of workload: Workload) -> [[Command]] {
    stride(from: range.lowerBound, to: range.upperBound, by: batchCount).map { start in
      (start..<min(start + batchCount, range.upperBound)).map { index in
        let event = workload.events[index]
        return workload.command(for: event, id: commandIDs.id(index, at: event.time))
      }
    }
  }

  private var labels: [Measurement.Label] {
    var labels = [
      Measurement.Label(key: "batch", value: "\(batchCount)"),
      Measurement.Label(key: "sync", value: sync.rawValue),
    ]
    if commandIDs != .none { labels.append(.init(key: "commandIDs", value: commandIDs.rawValue)) }
    return labels
  }
}
