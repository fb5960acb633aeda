import Foundation
import LedgerInterchange

/// What one benchmark cost.
struct Measurement {
  let name: String
  let operationCount: Int
  let seconds: Double
  let writtenByteCount: Int
  let notes: [(key: String, value: String)]

  var nanosecondsPerOperation: Double { seconds * 1e9 / Double(max(1, operationCount)) }
  var writtenPerOperation: Double { Double(writtenByteCount) / Double(max(1, operationCount)) }

  /// Runs `body` once and notes time and bytes given to write calls.
  static func take(
    _ name: String, operations: Int, _ body: () throws -> [(key: String, value: String)]
  ) rethrows -> Measurement {
    let (clock, written) = (ContinuousClock(), writtenByteCount())
    let start = clock.now
    let notes = try body()
    let duration = clock.now - start
    let (seconds, attoseconds) = duration.components
    return Measurement(
      name: name, operationCount: operations,
      seconds: Double(seconds) + Double(attoseconds) * 1e-18,
      writtenByteCount: writtenByteCount() - written, notes: notes)
  }

  /// The bytes that this process has given to write calls so far.
  private static func writtenByteCount() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst("wchar: ".count)) } ?? 0
  }

  /// One line of the table.
  var row: String {
    let columns = [
      Self.padded(name, 12), Self.right("\(operationCount)", 10),
      Self.right("\(Int(nanosecondsPerOperation.rounded()))", 12),
      Self.right("\(Int((Double(operationCount) / seconds).rounded()))", 12),
      Self.right("\(Int(writtenPerOperation.rounded()))", 12),
    ]
    return (columns + notes.map { "\($0.key)=\($0.value)" }).joined(separator: "  ")
  }

  static let heading = [
    padded("benchmark", 12), right("operations", 10), right("ns each", 12), right("per second", 12),
    right("written each", 12),
  ].joined(separator: "  ")

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// One line of JSON.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("benchmark", name)
      writer.member("operations", operationCount)
      writer.member("nanosecondsEach", Int(nanosecondsPerOperation.rounded()))
      writer.member("writtenBytesEach", Int(writtenPerOperation.rounded()))
      for note in notes { writer.member(note.key, note.value) }
    }
    writer.endLine()
  }
}
