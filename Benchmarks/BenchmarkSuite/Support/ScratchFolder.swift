import Foundation
import LMDB

/// A folder of a benchmark's own, which is removed with all that is in it.
final class ScratchFolder {
  let path: String

  /// The folders that there are.
  private static let all = Monitor<Set<String>>([])

  /// Makes a folder with a new name below another one.
  init(below parent: String) throws {
    path = "\(parent)/reaction-bench-\(UUID().uuidString.prefix(13).lowercased())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    Self.all.withLock { _ = $0.insert(path) }
  }

  deinit { remove() }

  /// Lets the process, when it is told to end (SIGINT, SIGTERM), remove all folders before it does.
  ///
  /// To be called once, by a program and before it has other threads.
  static func removeAllOnSignals() {
    var signals = sigset_t()
    // Sound: the system fills the set, and copies it.
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.detachNewThread { [signals] in
      var (signals, number): (sigset_t, Int32) = (signals, 0)
      guard unsafe sigwait(&signals, &number) == 0 else { return }
      for path in all.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
      signal(number, SIG_DFL)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      kill(getpid(), number)
    }
  }

  /// Removes it now.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    Self.all.withLock { _ = $0.remove(path) }
  }

  /// The path of a file or folder in it.
  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The path of a folder in it at which nothing is; what was there is removed.
  func cleared(_ name: String) -> String {
    let path = path(name)
    try? FileManager.default.removeItem(atPath: path)
    return path
  }
}
