import Foundation
import LedgerInterchange
import ReactionModel

/// The form in which the floor program takes a workload: a header of 40 bytes, 24 for each event,
/// 16 for each message, all numbers little-endian.
enum WorkloadFile {
  static let magic = "RXLOAD01"

  static func write(_ workload: Workload, to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw BenchError.program("\(path) cannot be written")
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    var bytes = header(of: workload)
    for event in workload.events {
      append(event, to: &bytes)
      try flush(&bytes, to: file, from: 1 << 20)
    }
    for message in workload.messages {
      append(message.number, to: &bytes)
      append(message.conversation, to: &bytes)
      append(UInt32(0), to: &bytes)
      try flush(&bytes, to: file, from: 1 << 20)
    }
    try flush(&bytes, to: file, from: 1)
  }

  static func header(of workload: Workload) -> [UInt8] {
    var bytes = Array(magic.utf8)
    append(UInt64(workload.events.count), to: &bytes)
    append(UInt64(workload.messages.count), to: &bytes)
    append(workload.seed, to: &bytes)
    append(UInt32(WorkloadShape.conversationCount), to: &bytes)
    append(UInt32(WorkloadShape.userCount), to: &bytes)
    return bytes
  }

  private static func append(_ event: WorkloadEvent, to bytes: inout [UInt8]) {
    append(UInt64(event.time.microseconds), to: &bytes)
    append(event.message, to: &bytes)
    append(event.user, to: &bytes)
    append(UInt16(event.reaction), to: &bytes)
    bytes.append(event.kind == .add ? 0 : 1)
    for _ in 0..<5 { bytes.append(0) }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    var rest = number.littleEndian
    for _ in 0..<number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private static func flush(_ bytes: inout [UInt8], to file: FileHandle, from count: Int) throws {
    guard bytes.count >= count else { return }
    try file.write(contentsOf: bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
