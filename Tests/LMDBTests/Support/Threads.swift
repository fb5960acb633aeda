import Foundation
import LMDB
import Synchronization
import Testing

/// Threads of the system, as LMDB knows them.
final class Threads: Sendable {
  private let group = DispatchGroup()

  /// Starts a thread.
  func start(_ body: @escaping @Sendable () -> Void) {
    group.enter()
    let group = self.group
    Thread.detachNewThread {
      body()
      group.leave()
    }
  }

  /// Waits for all threads; an issue is recorded if one is stuck.
  func join(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      group.wait(timeout: .now() + 600) == .success, "a thread is stuck",
      sourceLocation: sourceLocation)
  }
}

/// A point that one thread waits for and another one passes.
struct Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Lets one that waits go on.
  func send() { semaphore.signal() }

  /// Whether it was sent; takes it.
  var hasCome: Bool { semaphore.wait(timeout: .now()) == .success }

  /// Waits until it is sent, with an issue after ten minutes.
  func wait(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      semaphore.wait(timeout: .now() + 600) == .success, "no signal came",
      sourceLocation: sourceLocation)
  }
}

/// Counts what several threads do.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// How often `add` was called.
  var count: Int { value.load(ordering: .relaxed) }

  /// Counts one more.
  func add() { value.add(1, ordering: .relaxed) }
}

/// Records an issue if `body` throws.
func expectNoThrow(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  #expect(throws: Never.self, sourceLocation: sourceLocation) { try body() }
}
