import Glibc
import LMDB
import LedgerTestSupport
import ReactionModel
import Testing

@testable import LedgerEngine

/// Who writes: the calling thread or the writer thread, and in which order.
@Suite struct TurnTests {
  /// A ledger whose clock tells on which threads it was asked, and can be held.
  private final class Watched {
    let test: TestLedger
    let threads = TestLock<[UInt]>([])
    let gate = Gate()

    init(_ adjust: (inout LedgerOptions) -> Void = { _ in }) throws {
      let (threads, gate) = (threads, gate)
      test = try TestLedger {
        let clock = $0.clock
        $0.clock = {
          threads.withLock { $0.append(Self.current) }
          gate.pass()
          return clock()
        }
        adjust(&$0)
      }
      threads.withLock { $0 = [] }
    }

    static var current: UInt { UInt(pthread_self()) }

    /// The threads that wrote since this was asked last.
    func writers() -> [UInt] {
      threads.withLock { threads in
        defer { threads = [] }
        return threads
      }
    }

    /// Begins an append on a thread of its own, and returns once it holds the turn.
    func beginHeldAppend(_ user: UserID) -> TestThread {
      let ledger = test.ledger
      gate.close()
      let thread = TestThread {
        do {
          #expect(try ledger.append(.add("👍", to: .m1, by: user)).name == "recorded")
        } catch {
          Issue.record("\(error)")
        }
      }
      gate.waitForVisitor()
      return thread
    }
  }

  /// Lets the clock pass, or holds whoever asks it.
  private final class Gate: @unchecked Sendable {
    private let state = Monitor((isOpen: true, visitorCount: 0))

    func close() { state.withLock { $0 = (false, 0) } }

    func open() {
      state.withLock { $0.isOpen = true }
      state.notifyAll()
    }

    func pass() {
      state.withLock { $0.visitorCount += 1 }
      state.notifyAll()
      state.wait(until: { $0.isOpen }) { _ in }
    }

    func waitForVisitor() { state.wait(until: { $0.visitorCount > 0 }) { _ in } }
  }

  private func add(_ user: UserID) -> Command { .add("👍", to: .m1, by: user) }

  @Test("A caller that blocks writes itself if nobody else does") func alone() throws {
    let watched = try Watched()
    _ = try watched.test.ledger.append(add("u1"))
    _ = try watched.test.ledger.append([add("u2"), add("u3")])
    _ = try watched.test.ledger.appendAllOrNothing([add("u4"), add("u5")])
    #expect(watched.writers() == Array(repeating: Watched.current, count: 3))
    try watched.test.requireSound()
  }

  @Test("A caller that suspends is written for") func suspended() async throws {
    let watched = try Watched()
    let caller = TestLock<UInt>(0)
    // A thread of its own, so that no caller can be the thread that resumes.
    let ledger = watched.test.ledger
    _ = try await Task {
      caller.withLock { $0 = Watched.current }
      return try await ledger.append(.add("👍", to: .m1, by: "u1"))
    }.value
    let writers = watched.writers()
    #expect(writers.count == 1 && writers != [caller.withLock { $0 }])
  }

  @Test("Inside a read closure a caller is written for") func insideRead() throws {
    let watched = try Watched()
    let ledger = watched.test.ledger
    try ledger.read { (_) throws(LedgerError) in
      _ = try ledger.append(.add("👍", to: .m1, by: "u1"))
    }
    let writers = watched.writers()
    #expect(writers.count == 1 && writers != [Watched.current])
    try watched.test.requireSound()
  }

  @Test("Who comes while a caller writes goes together after it") func behind() async throws {
    let watched = try Watched()
    let ledger = watched.test.ledger
    let before = ledger.environment.information.lastTransaction
    let first = watched.beginHeldAppend("u0")
    let waiting = (1...30).map { index in
      Task { try await ledger.append(.add("👍", to: .m1, by: UserID(stringLiteral: "u\(index)"))) }
    }
    while ledger.writer.waitingCount < 30 { try await Task.sleep(for: .milliseconds(1)) }
    watched.gate.open()
    for task in waiting { #expect(try await task.value.name == "recorded") }
    first.join()
    #expect(ledger.environment.information.lastTransaction - before == 2)
    #expect(try watched.test.allReactors(Reaction("👍")).count == 31)
    try watched.test.requireSound()
  }

  @Test("Who waits is not overtaken by a caller that has just written") func order() async throws {
    let watched = try Watched()
    let ledger = watched.test.ledger
    // Often, since it depends on how soon the writer thread is awake.
    for round in 1...200 {
      let message = MessageKey.group("g1", MessageID(stringLiteral: "m\(round)"))
      watched.gate.close()
      let caller = TestThread {
        do {
          _ = try ledger.append(.add("👍", to: message, by: "u1"))
          _ = try ledger.append(.add("👍", to: message, by: "u3"))
        } catch {
          Issue.record("\(error)")
        }
      }
      watched.gate.waitForVisitor()
      let waiting = Task { try await ledger.append(.add("👍", to: message, by: "u2")) }
      while ledger.writer.waitingCount < 1 { try await Task.sleep(for: .milliseconds(1)) }
      watched.gate.open()
      _ = try await waiting.value
      caller.join()
      #expect(try watched.test.allReactors(Reaction("👍"), on: message) == ["u1", "u2", "u3"])
    }
  }

  @Test("Closing waits for the caller that writes; who comes then is refused")
  func closing() throws {
    let watched = try Watched { $0.durability = .lastCommitMayVanish }
    let ledger = watched.test.ledger
    let first = watched.beginHeldAppend("u0")
    let closer = TestThread { ledger.close() }
    while !ledger.writer.isClosing { usleep(1_000) }
    #expect {
      try ledger.append(.add("👍", to: .m1, by: "u1"))
    } throws: {
      if case LedgerError.closed = $0 { true } else { false }
    }
    watched.gate.open()
    first.join()
    closer.join()
    #expect(ledger.writer.lastFlushedTransaction > 0)
    try watched.test.reopen()
    #expect(try watched.test.allReactors(Reaction("👍")) == ["u0"])
    try watched.test.requireSound()
  }

  @Test("A commit left unflushed is flushed after a caller that wrote for long")
  func flush() throws {
    let watched = try Watched {
      $0.durability = .lastCommitMayVanish
      $0.flushDelay = .milliseconds(1)
    }
    let ledger = watched.test.ledger
    // The first commit is flushed to its end; the second is not, and the third writes meanwhile.
    _ = try ledger.append([add("u1")])
    _ = try ledger.append([add("u2")])
    let held = watched.beginHeldAppend("u3")
    usleep(20_000)
    watched.gate.open()
    held.join()
    for _ in 0..<10_000 where ledger.writer.lastFlushedTransaction < lastCommit(ledger) {
      usleep(1_000)
    }
    #expect(ledger.writer.lastFlushedTransaction == lastCommit(ledger))
    try watched.test.requireSound()
  }

  private func lastCommit(_ ledger: Ledger) -> UInt64 {
    ledger.environment.information.lastTransaction
  }

  @Test("A caller begins an erasure, and the writer thread goes on with it") func series() throws {
    let watched = try Watched { $0.erasureRowCount = 2 }
    let ledger = watched.test.ledger
    let messages = (1...9).map { MessageKey.group("g1", MessageID(stringLiteral: "m\($0)")) }
    _ = try ledger.append(messages.map { .add("👍", to: $0, by: "u1") })
    _ = watched.writers()
    #expect(try ledger.append(.erase("u1")).name == "recorded")
    let writers = watched.writers()
    #expect(writers.count > 2)
    #expect(writers.first == Watched.current && Set(writers.dropFirst()).count == 1)
    #expect(!writers.dropFirst().contains(Watched.current))
    try watched.test.requireSound()
  }
}
