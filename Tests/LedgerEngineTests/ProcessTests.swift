import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Several processes with one ledger open.
@Suite(.serialized) struct ProcessTests {
  /// How long processes are at work together; LEDGER_PROCESS_SECONDS says otherwise.
  static let seconds: Double = {
    let asked = ProcessInfo.processInfo.environment["LEDGER_PROCESS_SECONDS"].flatMap(Double.init)
    #if DEBUG
      return asked ?? 4
    #else
      return asked ?? 10
    #endif
  }()

  /// Runs random commands until the time is over, and notes in a file each that was recorded: its
  /// id, its sequence and its user.
  static func write(_ path: String, seed: UInt64, seconds: Double) throws {
    let ledger = try Ledger.open(at: path)
    var generator = SeededGenerator(seed: seed)
    var noted: [String] = []
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      let commands = (0..<(1 + generator.next() % 5)).map { _ in
        let user = UserID(stringLiteral: "user\(generator.next() % 200)")
        let message = MessageKey.group("g1", MessageID(stringLiteral: "m\(generator.next() % 6)"))
        return Command(
          generator.next() % 3 == 0 ? .remove : .add, ["👍", "❤️", ":a:"][Int(generator.next() % 3)],
          on: message, by: user, id: CommandID())
      }
      let isAllOrNothing = generator.next() % 4 == 0
      let outcomes =
        isAllOrNothing
        ? try ledger.appendAllOrNothing(commands) : try ledger.append(commands)
      for (command, outcome) in zip(commands, outcomes) {
        guard case .recorded(let receipt) = outcome, let id = command.id else { continue }
        noted.append("\(id) \(receipt.sequences.lowerBound) \(command.user?.text ?? "")")
      }
    }
    ledger.close()
    try Data(noted.joined(separator: "\n").utf8).write(to: URL(filePath: "\(path).\(seed)"))
  }

  /// Reads until the time is over: what is read must agree with itself.
  static func read(_ path: String, seconds: Double) throws {
    let ledger = try Ledger.open(at: path)
    let end = Date().addingTimeInterval(seconds)
    var last: UInt64 = 0
    while Date() < end {
      try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        let head = try snapshot.head
        precondition(head >= last, "the head goes forward")
        last = head
        for index in 0..<6 {
          let message = MessageKey.group("g1", MessageID(stringLiteral: "m\(index)"))
          let summary = try snapshot.summary(of: message, viewer: "user1")
          precondition(summary.sequence <= head)
          for reaction in summary.reactions {
            let page = try snapshot.reactors(of: reaction.reaction, on: message, limit: 100)
            precondition(
              page.count == reaction.count && page.users.prefix(3) == reaction.firstUsers[...])
          }
        }
      }
    }
  }

  @Test("Two writing and two reading processes: no gap, each command once, names right")
  func writersAndReaders() async throws {
    let test = try TestLedger()
    test.ledger.close()
    let path = test.path
    let seconds = Self.seconds
    await withTaskGroup(of: Void.self) { group in
      for seed in [1, 2] as [UInt64] {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, seed = seed as UInt64, seconds = seconds as Double] in
            try ProcessTests.write(path, seed: seed, seconds: seconds)
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, seconds = seconds as Double] in
            try ProcessTests.read(path, seconds: seconds)
          }
        }
      }
      group.addTask {
        #expect(throws: Never.self) {
          try ProcessTests.write(path, seed: 3, seconds: seconds)
        }
      }
    }
    try test.reopen()
    try test.requireSound()
    var noted: [CommandID: (sequence: UInt64, user: String)] = [:]
    for seed in 1...3 {
      let text = try String(contentsOfFile: "\(path).\(seed)", encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        let id = try #require(CommandID(parsing: words[0]))
        #expect(noted.updateValue((UInt64(words[1]) ?? 0, words[2]), forKey: id) == nil)
      }
    }
    var foundCount = 0
    for logged in try CopyTests.records(of: test.ledger) {
      guard let id = logged.entry.record.commandID else { continue }
      foundCount += 1
      let note = try #require(noted[id])
      #expect(note.sequence == logged.entry.sequence)
      #expect(note.user == logged.entry.user?.text)
    }
    #expect(foundCount == noted.count)
    #expect(foundCount > 100)
  }

  @Test("One process follows the growth of another") func growthOfAnother() async throws {
    let test = try TestLedger { $0.mapSizeBytes = 256 * 1024 }
    try test.run("+u1 A")
    let path = test.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      var options = LedgerOptions()
      options.mapSizeBytes = 256 * 1024
      let ledger = try Ledger.open(at: path, options: options)
      for start in stride(from: 0, to: 5_000, by: 1_000) {
        _ = try await ledger.append(
          (start..<start + 1_000).map {
            .add(":A:", to: .m1, by: UserID(stringLiteral: "user\($0)"))
          })
      }
      ledger.close()
    }
    #expect(try test.shown() == "A=5001[u1,user0,user1]")
    #expect(try test.run("+u2 A").map(\.name) == ["recorded"])
    try test.requireSound()
  }

  @Test("A compaction is refused while another process has the ledger open, and nothing is lost")
  func compactionWhileOpenElsewhere() async throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    let path = test.path
    await #expect(processExitsWith: .success) {
      [path = path as String, holder = Int(getpid()) as Int] in
      do {
        _ = try Ledger.compact(at: path)
        preconditionFailure("compacted while another process has the ledger open")
      } catch LedgerError.inUse(_, let processIDs) {
        precondition(processIDs == [holder])
      }
    }
    #expect(try test.run("+u2 A").map(\.name) == ["recorded"])
    try test.requireSound()
  }

  @Test("A rebuild killed at random moments leaves the live slot right, while others write")
  func rebuildKilled() async throws {
    let test = try TestLedger()
    var source = CommandSource(seed: 4)
    _ = try await test.ledger.append((0..<3_000).map { _ in source.next() })
    let (path, ledger) = (test.path, test.ledger)
    let isDone = TestLock(false)
    let writer = TestThread {
      var source = CommandSource(seed: 5)
      while !isDone.withLock({ $0 }) {
        _ = try? ledger.append(source.next())
        usleep(500)
      }
    }
    for round in 0..<8 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, round = round as Int] in
        let ledger = try Ledger.open(at: path)
        Thread.detachNewThread {
          usleep(useconds_t(round * 15_000))
          kill(getpid(), SIGKILL)
        }
        while true { _ = try ledger.rebuild() }
      }
      try test.requireSound()
    }
    _ = try ledger.rebuild()
    isDone.withLock { $0 = true }
    writer.join()
    try test.requireSound()
  }

  @Test("Replay and rebuild while threads write and read") func replayAndRebuildAtWork() throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let isDone = TestLock(false)
    let threads = (0..<2).map { index in
      TestThread {
        var source = CommandSource(seed: UInt64(index) + 10)
        while !isDone.withLock({ $0 }) {
          let commands = (0..<20).map { _ in
            var command = source.next()
            command.id = command.id.map { _ in CommandID() }
            return command
          }
          do {
            _ = try ledger.append(commands)
            _ = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
              try snapshot.summaries(of: source.messages)
            }
            usleep(5_000)
          } catch {
            Issue.record("\(error)")
          }
        }
      }
    }
    var heads: [UInt64] = []
    for _ in 0..<6 {
      let report = try ledger.replay()
      #expect(report.findings == [])
      heads.append(report.head)
      #expect(try ledger.rebuild().head >= report.head)
    }
    isDone.withLock { $0 = true }
    for thread in threads { thread.join() }
    #expect(heads == heads.sorted() && heads[0] < heads[5])
    try test.requireSound()
  }

  @Test("A rebuild or replay that is cancelled changes nothing", arguments: [1, 2, 3, 4])
  func cancelled(calls: Int) throws {
    let test = try DamageTests.sample()
    for operation in ["rebuild", "replay"] {
      var count = 0
      let stop = { (_: ReplayProgress) throws(LedgerError) in
        count += 1
        if count == calls { throw LedgerError.cancelled }
      }
      do {
        if operation == "rebuild" {
          _ = try test.ledger.rebuild(progress: stop)
        } else {
          _ = try test.ledger.replay(progress: stop)
        }
        Issue.record("\(operation) went on")
      } catch LedgerError.cancelled {
        #expect(count == calls)
      }
      #expect(try test.ledger.statistics().warnings.isEmpty)
      try test.requireSound()
    }
  }

  @Test("Of two rebuilds at once the later one wins") func twoRebuilds() throws {
    let test = try TestLedger()
    var source = CommandSource(seed: 6)
    _ = try test.ledger.append((0..<2_000).map { _ in source.next() })
    let ledger = test.ledger
    let outcomes = TestLock<[String]>([])
    let threads = (0..<3).map { _ in
      TestThread {
        do {
          _ = try ledger.rebuild()
          outcomes.withLock { $0.append("done") }
        } catch LedgerError.rebuildReplaced {
          outcomes.withLock { $0.append("replaced") }
        } catch {
          outcomes.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { thread.join() }
    let all = outcomes.withLock { $0 }
    #expect(all.contains("done") && all.allSatisfy { $0 == "done" || $0 == "replaced" })
    #expect(try ledger.statistics().warnings.isEmpty)
    try test.requireSound()
  }
}
