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
      try FileManager.default.copyItem(atPath: Tool.path, toPath: folder("tool"))
      try setMode(0o755, of: folder.path)
      return try run(["--help"], in: folder).status == 0
    } catch {
      return false
    }
  }()

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
