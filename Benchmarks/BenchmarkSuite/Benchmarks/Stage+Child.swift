import Foundation
import LedgerInterchange

extension Stage {
  /// Runs the stage in a process of its own: the program itself, asked for a stage.
  static func runInChild(_ stage: Stage, ledgerAt path: String) throws -> Measurement {
    let text = try FloorProgram.output(of: "/proc/self/exe", ["stage", stage.rawValue, path])
    let fields = FloorProgram.fields(in: text)
    let digest = FloorProgram.words(in: text)["digest"].flatMap { UInt64($0, radix: 16) }
    guard let operations = fields["operations"], let nanoseconds = fields["nanoseconds"] else {
      throw BenchError.program("a stage answered \(text)")
    }
    var measurement = Measurement(
      stage.rawValue, operations: Int(operations), nanoseconds: nanoseconds)
    measurement.writtenByteCount = Int(fields["written"] ?? 0)
    measurement.allocationCount = fields["allocations"].map { UInt64($0) }
    measurement.libraryAllocationCount = fields["libraryAllocations"].map { UInt64($0) }
    measurement.peakMemoryByteCount = fields["peak"].map { Int($0) }
    measurement.digest = digest.map { Digest(value: $0) }
    return measurement
  }

  /// What the process of a stage prints.
  static func line(of measurement: Measurement) -> String {
    let fields: [(String, Int?)] = [
      ("operations", measurement.operationCount), ("nanoseconds", Int(measurement.nanoseconds)),
      ("written", measurement.writtenByteCount),
      ("allocations", measurement.allocationCount.map { Int($0) }),
      ("libraryAllocations", measurement.libraryAllocationCount.map { Int($0) }),
      ("peak", measurement.peakMemoryByteCount),
    ]
    let words = fields.compactMap { name, value in value.map { "\(name)=\($0)" } }
    return (words + (measurement.digest.map { ["digest=\($0.text)"] } ?? []))
      .joined(separator: " ")
  }
}
