import Foundation

/// A folder of a benchmark's own, which is removed with all that is in it.
final class ScratchFolder {
  let path: String

  /// Makes a folder with a new name below another one.
  init(below parent: String) throws {
    path = "\(parent)/reaction-bench-\(UUID().uuidString.prefix(13).lowercased())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { remove() }

  /// Removes it now.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file or folder in it.
  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The path of a folder in it at which nothing is; what was there is removed.
  func cleared(_ name: String) -> String {
    let path = path(name)
    try? FileManager.default.removeItem(atPath: path)
    return path
  }
}
