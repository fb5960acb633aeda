internal import Foundation
public import ReactionModel
internal import Synchronization

/// A clock that kills its process when it is asked, so that a series of transactions ends in one.
///
/// The writer asks once in each transaction, before anything is written in it.
public enum KillClock {
  private final class Count: Sendable {
    let value = Atomic<Int>(0)
  }

  /// A clock that stands still and answers `transactionCount` times.
  public static func after(_ transactionCount: Int) -> @Sendable () -> Timestamp {
    let count = Count()
    return {
      if count.value.add(1, ordering: .relaxed).newValue > transactionCount {
        kill(getpid(), SIGKILL)
        sleep(60)
      }
      return Timestamp(microseconds: 1_700_000_000_000_000)
    }
  }
}

/// What the system says of this process's memory.
public enum ProcessMemory {
  /// The most that was resident at once, in bytes.
  public static var peakByteCount: Int { value("VmHWM:") }
  /// What is resident, in bytes.
  public static var byteCount: Int { value("VmRSS:") }

  /// Lets the peak be what is resident now.
  public static func resetPeak() {
    let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
    try? file?.write(contentsOf: Data("5".utf8))
  }

  /// What is resident and not a file's, in bytes.
  public static var anonymousByteCount: Int { value("RssAnon:") }

  /// Whether a sanitizer is at work, which keeps freed memory for itself.
  public static var isInstrumented: Bool {
    unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }

  private static func value(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(whereSeparator: \.isWhitespace)[1]).flatMap { Int($0) }.map { $0 * 1024 }
      ?? 0
  }
}
