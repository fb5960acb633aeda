import Foundation

/// The floor: a program, built elsewhere, that does the same on LMDB with nothing around it.
///
/// It prints lines of `name=value` fields.
struct FloorProgram {
  let path: String

  /// Runs the program and returns the numbers among its fields; of fields with one name the first.
  func run(_ arguments: [String]) throws -> [String: Double] {
    Self.fields(in: try Self.output(of: path, arguments))
  }

  /// Runs a program and returns what it printed.
  static func output(of path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    // To wait for the end with waitUntilExit() takes fractions of a second more.
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    do {
      try process.run()
    } catch {
      throw BenchError.program("\(path) cannot be run: \(error.localizedDescription)")
    }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    try? pipe.fileHandleForReading.close()
    hasEnded.wait()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw BenchError.program(
        "\(path) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus): "
          + text)
    }
    return text
  }

  static func fields(in text: String) -> [String: Double] {
    words(in: text) { Double($0) }
  }

  /// The values of all fields as they stand there; of fields with one name the first.
  static func words(in text: String) -> [String: String] {
    words(in: text) { String($0) }
  }

  /// The values that are of the wanted kind: a name may stand for a word and then for a number.
  private static func words<V>(in text: String, _ value: (Substring) -> V?) -> [String: V] {
    var words: [String: V] = [:]
    for word in text.split(whereSeparator: { " \n".contains($0) }) {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = value(parts[1]) else { continue }
      let name = String(parts[0])
      if words[name] == nil { words[name] = value }
    }
    return words
  }
}
