internal import Foundation

/// A folder that is there as long as the value is, in memory where the system has such a place.
public final class TemporaryFolder: Sendable {
  /// The folder.
  public let path: String

  /// Makes a folder.
  public init() throws {
    let base = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    path = "\(base)/ledger-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  public func file(_ name: String) -> String { path + "/" + name }
}
