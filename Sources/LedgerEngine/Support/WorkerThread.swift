internal import Glibc

/// A thread of the system with a body of its own; it must be joined once.
@safe final class WorkerThread: @unchecked Sendable {
  private var thread = pthread_t()

  /// Starts the thread.
  init(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Box(body))
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    precondition(code == 0, "the system gave no thread: \(code)")
  }

  /// Waits until the body has returned; must not be called by the thread itself.
  func join() { pthread_join(thread, nil) }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
