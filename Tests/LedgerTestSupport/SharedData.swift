public import Foundation

/// Real exports that some tests read when they are there; the project does not ship them.
///
/// They are looked for in the folder that the environment variable `LEDGER_SHARED` names, else in
/// a folder `shared` beside the repository.
public enum SharedData {
  /// The folder, or `nil` where it is absent: the tests that need it are then skipped.
  public static let folder: URL? = {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let candidate =
      ProcessInfo.processInfo.environment["LEDGER_SHARED"].map { URL(filePath: $0) }
      ?? repository.deletingLastPathComponent().appending(path: "shared")
    let data = candidate.appending(path: "data").path(percentEncoded: false)
    return FileManager.default.fileExists(atPath: data) ? candidate : nil
  }()

  /// Whether the folder is there.
  public static var isPresent: Bool { folder != nil }

  /// The path of a file below `data`, or `nil` where the folder is absent.
  public static func path(_ name: String) -> String? {
    folder?.appending(path: "data").appending(path: name).path(percentEncoded: false)
  }
}
