internal import Foundation

/// A thread of the system with a body of its own.
public final class TestThread: @unchecked Sendable {
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts the thread.
  public init(_ body: @escaping @Sendable () -> Void) {
    let isDone = isDone
    Thread.detachNewThread {
      body()
      isDone.signal()
    }
  }

  /// Waits until the body has returned.
  public func join() { isDone.wait() }
}

/// A value behind a lock that the thread sanitizer understands.
public final class TestLock<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Makes a locked value.
  public init(_ value: Value) { self.value = value }

  /// Runs `body` with the value while no other thread has it.
  public func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
