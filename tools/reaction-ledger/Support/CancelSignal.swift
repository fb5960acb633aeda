import Glibc
import Synchronization

/// The signals by which a caller ends the tool: noted, so that work ends where it can end cleanly.
///
/// A command that was cancelled so ends with 128 and the signal's number, as a shell counts.
enum CancelSignal {
  /// What they are.
  static let all = [SIGHUP, SIGINT, SIGTERM]
  private static let noted = Atomic<Int32>(0)

  /// The signal that came; `nil` while none did.
  static var received: Int32? {
    let number = noted.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Notes them from now on, instead of ending at once; those that the caller has told the process
  /// to ignore (`nohup`) stay ignored.
  static func note() {
    // The handler must find the atomic made: making it takes a lock.
    guard received == nil else { return }
    for number in all where !isIgnored(number) {
      _ = signal(number) { CancelSignal.noted.store($0, ordering: .relaxed) }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    // Sound: nothing is changed, and what is there is written into `action`.
    unsafe sigaction(number, nil, &action)
    // Sound: both are a function's address, or a small number in place of one.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
