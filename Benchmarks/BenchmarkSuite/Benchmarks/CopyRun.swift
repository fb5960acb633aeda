import Foundation
import LedgerEngine
import LedgerInterchange
import ReactionModel

/// What moves a whole ledger: export, restore, import.
struct CopyRun {
  let bench: Bench

  private static let batchCount = 1_000

  init(_ bench: Bench) { self.bench = bench }

  private var exportPath: String { bench.folder.path("export.jsonl") }
  private var commandsPath: String { bench.folder.path("commands.jsonl") }

  /// Whether there is an export to restore.
  var hasExport: Bool { FileManager.default.fileExists(atPath: exportPath) }

  /// Writes the log of the ledger at a path as JSON lines.
  func export(ledgerAt path: String) throws -> Measurement {
    let ledger = try Ledger.open(at: path)
    defer { ledger.close() }
    let statistics = try ledger.statistics()
    let file = try Self.emptyFile(exportPath)
    var meter = Meter(bench.counters)
    try meter.measure { () throws in
      var (writer, last): (JSONWriter, UInt64) = (JSONWriter(), 0)
      while last < statistics.head {
        let start = last
        let end = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.scanLogged(after: start, limit: Self.batchCount) {
            (notice) throws(LedgerError) in
            writer.line(of: notice, format: statistics.formatVersion)
          } event: { (event) throws(LedgerError) in
            writer.line(of: event)
          }
        }
        guard end > last else { break }
        try file.write(contentsOf: writer.bytes)
        writer.removeAll()
        last = end
      }
      try file.close()
    }
    var measurement = Measurement("export", operations: Int(statistics.head), meter)
    measurement.fileByteCount = Self.byteCount(exportPath)
    // Salts and times are new in each ledger, so that only the number of lines tells something.
    var digest = Digest()
    digest.add(try Self.lineCount(exportPath))
    measurement.digest = digest
    return measurement
  }

  /// Makes a ledger of the export.
  func restore(to path: String) throws -> Measurement {
    var meter = Meter(bench.counters)
    let count = try meter.measure { () throws in
      var lines = try JSONLines(path: exportPath)
      var restoration = try LedgerRestoration(at: path)
      var reader = ExportReader()
      while let line = try lines.next() {
        if let error = line.error { throw error }
        try reader.read(lines.document)
        try restoration.append(reader.record)
      }
      let count = restoration.head
      try restoration.finish()
      return Int(count)
    }
    let written = meter.writtenByteCount
    var measurement = Measurement("restore", operations: count, meter)
    measurement.writtenByteCount = written
    let size = try StoreSize(ofLedgerAt: path)
    measurement.fileByteCount = size.byteCount
    measurement.pageCount = size.pageCount
    return measurement
  }

  /// Reads the workload's commands from JSON lines and appends them to a new ledger.
  func importCommands(to path: String) throws -> Measurement {
    try writeCommands()
    let flush = try bench.flushNanoseconds()
    let ledger = try Ledger.create(at: path)
    var meter = Meter(bench.counters)
    let recordedCount = try meter.measure { () throws in
      var lines = try JSONLines(path: commandsPath)
      var (batch, recordedCount) = (CommandBatch(), 0)
      while let line = try lines.next() {
        if let error = line.error { throw error }
        batch.append(try CommandView(json: lines.document))
        guard batch.count >= Self.batchCount else { continue }
        recordedCount += try ledger.append(batch).count { $0.name == "recorded" }
        batch.removeAll()
      }
      return recordedCount + (try ledger.append(batch).count { $0.name == "recorded" })
    }
    let written = meter.writtenByteCount
    ledger.close()
    guard recordedCount == bench.eventCount else {
      throw BenchError.notAllRecorded(recordedCount, of: bench.eventCount)
    }
    var measurement = Measurement("import", operations: recordedCount, meter)
    measurement.writtenByteCount = written
    measurement.flushNanoseconds = flush
    let size = try StoreSize(ofLedgerAt: path)
    measurement.fileByteCount = size.byteCount
    measurement.pageCount = size.pageCount
    return measurement
  }

  private func writeCommands() throws {
    let file = try Self.emptyFile(commandsPath)
    var writer = JSONWriter()
    for event in bench.workload.events {
      writer.object { $0.members(of: bench.workload.command(for: event)) }
      writer.endLine()
      guard writer.bytes.count > 1 << 20 else { continue }
      try file.write(contentsOf: writer.bytes)
      writer.removeAll()
    }
    try file.write(contentsOf: writer.bytes)
    try file.close()
  }

  private static func emptyFile(_ path: String) throws -> FileHandle {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw BenchError.program("\(path) cannot be written")
    }
    return try FileHandle(forWritingTo: URL(filePath: path))
  }

  private static func lineCount(_ path: String) throws -> Int {
    var (lines, count) = (try JSONLines(path: path), 0)
    while try lines.next() != nil { count += 1 }
    return count
  }

  private static func byteCount(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }
}
