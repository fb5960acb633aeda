import Foundation

/// What the system knows of this process.
enum ProcessFigures {
  /// The bytes that this process has given to write calls so far.
  static var writtenByteCount: Int { number("wchar: ", in: "/proc/self/io") ?? 0 }

  /// The most memory that this process has held at a time, in bytes.
  static var peakMemoryByteCount: Int {
    (number("VmHWM:", in: "/proc/self/status") ?? 0) * 1024
  }

  private static func number(_ prefix: String, in path: String) -> Int? {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(prefix) }
    return line?.dropFirst(prefix.count).split { " \t".contains($0) }.first.flatMap { Int($0) }
  }
}
