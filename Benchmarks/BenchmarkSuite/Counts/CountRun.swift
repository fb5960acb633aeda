import Foundation
import LedgerEngine
import LedgerInterchange
import ReactionModel

/// Counts what does not depend on the machine: memory asked for, bytes and pages.
struct CountRun {
  let bench: Bench
  /// Divides how many events there are in small batches.
  let divisor: Int

  private static let pageByteCount = 4096

  /// Counts, in a process that can count and leave out flushes.
  func run() throws -> [CountFigure] {
    guard bench.counters.skipFlushes != nil, bench.counters.allocationCount() != nil else {
      throw BenchError.program("this program cannot count: it needs glibc, and no sanitizer")
    }
    let path = bench.folder.path("ledger")
    // What is made at its first use is made now.
    _ = try append("", batch: 1, limit: 100)
    _ = try Stage.replay.run(ledgerAt: path, bench.counters)
    _ = try Stage.rebuild.run(ledgerAt: path, bench.counters)
    var figures: [CountFigure] = []
    for (batch, limit) in [(1, 5_000 / divisor), (100, 20_000 / divisor)] {
      figures += try append("append, batch \(batch)", batch: batch, limit: max(1, limit))
    }
    figures += try append("append, with command ids", batch: 1_000, ids: .timeOrdered)
    figures += try append("append, batch 1000", batch: 1_000)
    for stage in Stage.allCases {
      bench.progress.show(stage.rawValue)
      let measurement = try stage.run(ledgerAt: path, bench.counters)
      figures.append(Self.allocations(stage.rawValue, measurement))
    }
    figures += try copies(ofLedgerAt: path)
    let size = try StoreSize(ofLedgerAt: path)
    figures.append(
      CountFigure(
        "file bytes after rebuild", Double(size.byteCount) / Double(bench.eventCount), .percent(2)))
    bench.progress.clear()
    return figures
  }

  /// What goes through a whole ledger, or makes one.
  private func copies(ofLedgerAt path: String) throws -> [CountFigure] {
    let run = CopyRun(bench)
    let copy = bench.folder.path("copy")
    bench.progress.show("scan, export, restore, import")
    return [
      Self.allocations("scan", try LogRun.scan(ledgerAt: path, .decode, bench.counters)),
      Self.allocations("export", try run.export(ledgerAt: path)),
      Self.allocations("restore", try run.restore(to: copy)),
      Self.allocations("import", try run.importCommands(to: bench.folder.cleared("copy"))),
    ]
  }

  /// Appends events to a new ledger at the same place as ever.
  private func append(
    _ name: String, batch: Int, limit: Int? = nil, ids: CommandIDs = .none
  ) throws -> [CountFigure] {
    let run = AppendRun(batchCount: batch, sync: .none, commandIDs: ids, limit: limit)
    let measurement = try run.run(bench, at: bench.folder.cleared("ledger"))
    let written = measurement.each(measurement.writtenByteCount)
    return [
      // What belongs to a commit is shared by its events.
      Self.allocations(name, measurement, tolerance: batch == 1 ? 0.5 : 0.05),
      CountFigure(
        "\(name): allocations in LMDB and OpenSSL",
        measurement.each(measurement.libraryAllocationCount ?? 0), .amount(batch == 1 ? 1 : 0.2)),
      CountFigure("\(name): bytes written", written, .percent(2)),
      CountFigure(
        "\(name): pages written", written / Double(Self.pageByteCount), .percent(2)),
      CountFigure(
        "\(name): file bytes", measurement.each(measurement.fileByteCount ?? 0), .percent(2)),
    ]
  }

  private static func allocations(
    _ name: String, _ measurement: Measurement, tolerance: Double = 0.05
  ) -> CountFigure {
    CountFigure(
      "\(name): allocations", measurement.each(measurement.allocationCount ?? 0),
      .amount(tolerance))
  }
}
