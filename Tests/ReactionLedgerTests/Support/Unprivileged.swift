import Foundation

/// Runs the tool as a user to whom the modes of files mean something.
enum Unprivileged {
  private static let isSuperUser = getuid() == 0
  private static let program = "/usr/bin/setpriv"
  private static let options = ["--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Whether that can be done here: the tool's libraries too must be readable.
  static let isPossible: Bool = {
    guard isSuperUser else { return true }
    do {
      let folder = try WorkFolder()
      try copyTool(to: folder)
      try setMode(0o755, of: folder.path)
      return try run(["--help"], in: folder).status == 0
    } catch {
      return false
    }
  }()

  /// Copies the tool to `tool` in a folder.
  ///
  /// A child does it: while this process had the copy open for writing, a thread that starts another
  /// child would hand that on, and the copy could not be run ("text file busy").
  static func copyTool(to folder: WorkFolder) throws {
    let run = try Tool.run("/bin/cp", [Tool.path, folder("tool")], in: folder.path)
    guard run.status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Runs the copy `tool` in a folder.
  static func run(_ arguments: [String], in folder: WorkFolder) throws -> ToolRun {
    let tool = folder("tool")
    guard isSuperUser else { return try Tool.run(tool, arguments, in: folder.path) }
    return try Tool.run(program, options + [tool] + arguments, in: folder.path)
  }

  /// Sets the permissions of a file or folder.
  static func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
