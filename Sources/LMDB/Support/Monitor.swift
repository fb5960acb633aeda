internal import Glibc

/// A value behind a lock with one condition to wait for.
///
/// It stands over `pthread_mutex_t`, which the thread sanitizer understands;
/// `Synchronization.Mutex` gives false reports there on Linux.
@safe package final class Monitor<State>: @unchecked Sendable {
  // Sound: `state` is touched only while `mutex` is held, and both C objects stay at one address
  // from `init` to `deinit`.
  @safe private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @safe private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  package init(_ state: sending State) {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    self.state = state
    unsafe Self.require(pthread_mutex_init(mutex, nil))
    var attributes = pthread_condattr_t()
    unsafe Self.require(pthread_condattr_init(&attributes))
    unsafe Self.require(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
    unsafe Self.require(pthread_cond_init(condition, &attributes))
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  private static func require(_ code: Int32) {
    precondition(code == 0, "a pthread call failed with \(code)")
  }

  /// Runs `body` with the state while no other thread has it.
  package func withLock<R: ~Copyable, E: Error>(
    _ body: (inout State) throws(E) -> R
  ) throws(E) -> R {
    unsafe Self.require(pthread_mutex_lock(mutex))
    defer { unsafe Self.require(pthread_mutex_unlock(mutex)) }
    return try body(&state)
  }

  /// Waits until `isReady`, then runs `body` in the same hold of the lock.
  package func wait<R: ~Copyable, E: Error>(
    until isReady: (borrowing State) -> Bool, _ body: (inout State) throws(E) -> R
  ) throws(E) -> R {
    unsafe Self.require(pthread_mutex_lock(mutex))
    defer { unsafe Self.require(pthread_mutex_unlock(mutex)) }
    while !isReady(state) { unsafe Self.require(pthread_cond_wait(condition, mutex)) }
    return try body(&state)
  }

  /// Waits until `isReady` or until a time has passed, then runs `body` in the same hold of the lock.
  ///
  /// - Parameters:
  ///   - isReady: What is waited for.
  ///   - timeout: How long to wait at most.
  ///   - body: Runs in any case; is told whether it is ready.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func wait<R: ~Copyable, E: Error>(
    until isReady: (borrowing State) -> Bool, for timeout: Duration,
    _ body: (_ isReady: Bool, inout State) throws(E) -> R
  ) throws(E) -> R {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    let (seconds, attoseconds) = timeout.components
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    unsafe Self.require(pthread_mutex_lock(mutex))
    defer { unsafe Self.require(pthread_mutex_unlock(mutex)) }
    while !isReady(state) {
      let code = unsafe pthread_cond_timedwait(condition, mutex, &end)
      if code == ETIMEDOUT { break }
      Self.require(code)
    }
    return try body(isReady(state), &state)
  }

  /// Wakes every thread that waits.
  package func notifyAll() { unsafe Self.require(pthread_cond_broadcast(condition)) }
}
