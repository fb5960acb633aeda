import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Threads at work together with everything that a ledger does; meant for the thread sanitizer.
@Suite(.serialized) struct SoakTests {
  /// How long; LEDGER_SOAK_SECONDS says otherwise.
  static let seconds: Double = {
    let asked = ProcessInfo.processInfo.environment["LEDGER_SOAK_SECONDS"].flatMap(Double.init)
    return asked ?? 2
  }()

  /// Random commands of every kind, with ids that no other thread uses.
  static func write(
    _ ledger: Ledger, seed: UInt64, until end: Date, _ counts: TestLock<[String: Int]>
  ) {
    var source = CommandSource(seed: seed)
    var generator = SeededGenerator(seed: seed)
    var found: [String: Int] = [:]
    while Date() < end {
      let commands = (0..<(1 + generator.next() % 6)).map { _ in
        var command = source.next()
        command.id = command.id.map { CommandID(high: 7 << 12 | seed << 16, low: $0.low) }
        return command
      }
      do {
        let outcomes =
          generator.next() % 5 == 0
          ? try ledger.appendAllOrNothing(commands) : try ledger.append(commands)
        for (command, outcome) in zip(commands, outcomes) {
          found["\(command.operation) \(outcome.name)", default: 0] += 1
        }
      } catch {
        Issue.record("\(error)")
        return
      }
    }
    counts.withLock { $0.merge(found) { $0 + $1 } }
  }

  /// Reads everything there is to read; what is read in one snapshot must agree with itself.
  static func read(_ ledger: Ledger, seed: UInt64, until end: Date) {
    let source = CommandSource(seed: seed)
    var generator = SeededGenerator(seed: seed)
    var last: UInt64 = 0
    while Date() < end {
      let user = source.users[Int(generator.next() % UInt64(source.users.count))]
      let message = source.messages[Int(generator.next() % UInt64(source.messages.count))]
      let then = generator.next()
      do {
        try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          let head = try snapshot.head
          #expect(head >= last)
          last = head
          let summary = try snapshot.summary(of: message, viewer: user)
          #expect(try snapshot.summary(of: message, viewer: user, asOf: .sequence(head)) == summary)
          var sum = 0
          for reaction in summary.reactions {
            sum += reaction.count
            let page = try snapshot.reactors(of: reaction.reaction, on: message, limit: 100)
            #expect(page.count == reaction.count && page.users.count == reaction.count)
            #expect(page.users.prefix(3) == reaction.firstUsers[...])
            #expect(page.users.contains(user) == reaction.reactedByMe)
          }
          let all = try snapshot.reactions(on: message, limit: 100)
          #expect(all.reactions.count == min(sum, 100))
          let mine = try snapshot.reactions(by: user, limit: 100).reactions
          #expect(
            Set(mine.filter { $0.message == message }.map(\.reaction))
              == Set(summary.reactions.filter(\.reactedByMe).map(\.reaction)))
          _ = try snapshot.summary(of: message, asOf: .sequence(then % (head + 1)))
          _ = try snapshot.records(after: then % (head + 1), limit: 50)
        }
        _ = try ledger.reactions(by: user, .before(nil), limit: 5)
        _ = try ledger.statistics(countingLiveReactions: true)
      } catch {
        Issue.record("\(error)")
        return
      }
    }
  }

  /// Follows the feed until it is cancelled; the events must come in order, each after the one
  /// before it on its message.
  static func follow(_ ledger: Ledger) async throws -> Int {
    var previous: [MessageKey: UInt64] = [:]
    var (count, last): (Int, UInt64) = (0, 0)
    for try await change in ledger.changes() {
      for operation in change.operations {
        #expect(operation.sequence > last && operation.previous == previous[change.message] ?? 0)
        last = operation.sequence
        previous[change.message] = last
        count += 1
      }
    }
    return count
  }

  @Test("8 threads write, 4 read, and 2 follow the feed", arguments: [false, true])
  func threads(indexed: Bool) async throws {
    let test = try TestLedger { options in
      options.erasureRowCount = 1
      if indexed { options.durability = .lastCommitMayVanish }
    }
    if indexed { try test.ledger.indexByUser(true) }
    let ledger = test.ledger
    let end = Date().addingTimeInterval(Self.seconds / 2)
    let counts = TestLock<[String: Int]>([:])
    let followers = (0..<2).map { _ in Task { try await Self.follow(ledger) } }
    let threads =
      (1...8).map { seed in
        TestThread { Self.write(ledger, seed: UInt64(seed), until: end, counts) }
      }
      + (1...4).map { seed in
        TestThread { Self.read(ledger, seed: UInt64(seed), until: end) }
      }
    while Date() < end {
      let report = try ledger.replay()
      #expect(report.findings == [])
      _ = try ledger.rebuild()
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for thread in threads { thread.join() }
        continuation.resume()
      }
    }
    let eventCount = try ledger.statistics().eventCount
    for follower in followers { follower.cancel() }
    for follower in followers { #expect(try await follower.value <= eventCount) }
    let told = counts.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } }
    print("soak, \(indexed ? "with" : "without") the index: \(told.joined(separator: ", "))")
    // In a short time, or under a sanitizer, the rare ones may not have had their turn.
    let kinds = ["add", "remove", "clearMessage", "clearReaction", "erase", "setPolicy"]
    for kind in Self.seconds < 20 ? kinds.prefix(1) : kinds[...] {
      #expect(told.contains { $0.hasPrefix("\(kind) recorded") }, "\(kind) was at work")
    }
    try test.requireSound()
  }
}
