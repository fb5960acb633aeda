import Foundation
import Testing

/// What a run of the tool gave.
struct ToolRun {
  /// The exit status, or minus the signal that ended it.
  let status: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let errors: String

  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// The tool that was built with these tests, run as a child process.
enum Tool {
  /// The executable, beside the one that runs the tests.
  static let path: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: own).deletingLastPathComponent().appending(path: "reaction-ledger")
      .path(percentEncoded: false)
  }()

  /// Runs the tool.
  static func run(_ arguments: [String], in folder: String) throws -> ToolRun {
    try run(path, arguments, in: folder)
  }

  /// Runs a line of the shell in which `"$T"` is the tool.
  static func shell(_ script: String, in folder: String, tool: String = path) throws -> ToolRun {
    try run("/bin/sh", ["-c", script], in: folder, environment: ["T": tool])
  }

  /// Runs any program.
  static func run(
    _ program: String, _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws -> ToolRun {
    try Child(program, arguments, in: folder, environment: environment).wait()
  }
}

/// A child process; its streams go to files, so that none of them can fill up.
struct Child {
  private let process = Process()
  private let streams: [Stream]

  /// Starts a program.
  init(
    _ program: String, _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws {
    streams = try (0..<2).map { _ in try Stream() }
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = streams[0].handle
    process.standardError = streams[1].handle
    try process.run()
  }

  /// Waits until it has ended.
  func wait() throws -> ToolRun {
    process.waitUntilExit()
    let isSignalled = process.terminationReason == .uncaughtSignal
    return ToolRun(
      status: isSignalled ? -process.terminationStatus : process.terminationStatus,
      output: try streams[0].text(), errors: try streams[1].text())
  }

  /// A file without a name that a child writes to.
  private struct Stream {
    let handle: FileHandle

    init() throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "stream-\(UUID())")
      try Data().write(to: file)
      handle = try FileHandle(forUpdating: file)
      try FileManager.default.removeItem(at: file)
    }

    func text() throws -> String {
      try handle.seek(toOffset: 0)
      return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }
  }
}

/// A folder of a test's own, removed when the value goes away.
final class WorkFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Whether something is there.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self(name)) }

  /// The names of what is in the folder.
  func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }

  /// Writes a file, making the folders that it is in.
  func write(_ text: String, to name: String) throws {
    let file = URL(filePath: self(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Runs the tool here, with arguments as ``Transcript`` splits them.
  func run(_ line: String) throws -> ToolRun {
    try Tool.run(Transcript.words(of: line), in: path)
  }

  /// Runs the tool here and requires that it ends with 0 and says nothing on standard error.
  @discardableResult
  func succeed(
    _ line: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ToolRun {
    let run = try run(line)
    try #require(
      run.status == 0 && run.errors.isEmpty, "\(line): \(run.status), \(run.errors)",
      sourceLocation: sourceLocation)
    return run
  }
}
