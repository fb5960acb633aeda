import Foundation
import Glibc

/// The compiler, and the modules that were built with these tests.
struct Compiler {
  let executable: String
  let modules: String

  static let found: Compiler? = {
    let manager = FileManager.default
    let paths = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let executable = paths.split(separator: ":").map { $0 + "/swiftc" }
      .first { manager.isExecutableFile(atPath: $0) }
    let tests = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let executable, let tests else { return nil }
    // The modules lie beside the executable, whatever configuration and scratch path were used.
    let modules = URL(filePath: tests).deletingLastPathComponent().appending(path: "Modules")
      .path(percentEncoded: false)
    guard manager.fileExists(atPath: modules + "/LMDB.swiftmodule") else { return nil }
    return Compiler(executable: executable, modules: modules)
  }()

  /// Compiles a file up to the checks of lifetimes and ownership.
  ///
  /// - Returns: The compiler's exit status, -1 if a signal ended it, and what it said.
  func check(_ file: String) throws -> (status: Int32, output: String) {
    let headers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/CLMDB")
    let output = file + ".output"
    let status = try Self.run(
      [
        executable, "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", modules,
        "-I", headers.path(percentEncoded: false),
        "-module-cache-path", modules + "/../ModuleCache", file,
      ], output: output)
    let text = try FileHandle(forReadingFrom: URL(filePath: output)).readToEnd() ?? Data()
    return (status, String(decoding: text, as: UTF8.self))
  }

  /// Runs a program; `Process` would leak, which the address sanitizer reports.
  private static func run(_ arguments: [String], output: String) throws -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var copies = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let code = unsafe posix_spawn(&child, arguments[0], &actions, nil, &copies, environ)
    guard code == 0 else { throw CocoaError(.executableLoad) }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw CocoaError(.executableLoad) }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : -1
  }
}
