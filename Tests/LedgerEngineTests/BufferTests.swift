import Foundation
import LedgerTestSupport
import ReactionModel
import Testing

@testable import LedgerEngine

/// Reads into memory that is used again, and what reads remember.
@Suite struct BufferTests {
  /// What a buffer holds, as values.
  static func values(_ buffer: SummaryBuffer, of messages: [MessageKey]) -> [MessageSummary] {
    zip(messages, buffer.messages).map { message, read in
      MessageSummary(
        message: message,
        reactions: read.reactions.map { place in
          let item = buffer.reactions[place]
          let users = FirstUsers(item.firstUsers.map { buffer.users.id(at: $0) })
          return ReactionSummary(
            reaction: buffer.reaction(of: item), count: item.count,
            reactedByMe: item.reactedByMe, firstUsers: users)
        }, eventCount: read.eventCount, sequence: read.sequence)
    }
  }

  @Test("P13: buffers tell what values tell, also to viewers of long ago", arguments: 1...20)
  func buffersAndValues(seed: UInt64) throws {
    let test = try TestLedger { $0.userCacheCount = [1, 8, 65_536][Int(seed % 3)] }
    var source = CommandSource(seed: seed)
    let messages = source.messages + [.group("g1", "none"), source.messages[0]]
    var viewers = try source.users.map { try test.ledger.viewer($0) }
    var (summaries, one, reactors) = (SummaryBuffer(), SummaryBuffer(), ReactorBuffer())
    for round in 0..<60 {
      _ = try test.ledger.append((0..<10).map { _ in source.next() })
      if round % 8 == 7 {
        viewers[round % viewers.count] = try test.ledger.viewer(viewers[round % viewers.count].id)
      }
      let viewer = viewers[Int(seed) * 7 % viewers.count]
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        let expected = try snapshot.summaries(of: messages, viewer: viewer.id)
        #expect(try snapshot.summaries(of: messages, viewer: viewer) == expected)
        try snapshot.read(summariesOf: messages, viewer: viewer, into: &summaries)
        #expect(Self.values(summaries, of: messages) == expected)
        for (message, summary) in zip(messages, expected) {
          #expect(try snapshot.summary(of: message, viewer: viewer.id) == summary)
          #expect(try snapshot.summary(of: message, viewer: viewer) == summary)
          try snapshot.read(summaryOf: message, viewer: viewer, into: &one)
          #expect(Self.values(one, of: [message]) == [summary])
          for reaction in summary.reactions {
            try Self.compare(snapshot, reaction.reaction, message, &reactors)
          }
        }
        try snapshot.read(summariesOf: [], into: &summaries)
        #expect(summaries.messages.isEmpty && summaries.reactions.isEmpty)
        #expect(summaries.users.count == 0)
      }
    }
  }

  /// All pages of a reaction, as values and into a buffer.
  static func compare(
    _ snapshot: borrowing Snapshot, _ reaction: Reaction, _ message: MessageKey,
    _ buffer: inout ReactorBuffer
  ) throws(LedgerError) {
    for limit in [1, 3, 100] {
      var cursor: PageCursor?
      repeat {
        let page = try snapshot.reactors(of: reaction, on: message, after: cursor, limit: limit)
        try snapshot.read(
          reactorsOf: reaction, on: message, after: cursor, limit: limit, into: &buffer)
        #expect(buffer.count == page.count && buffer.cursor == page.cursor)
        #expect((0..<buffer.users.count).map { buffer.users.id(at: $0) } == page.users)
        cursor = page.cursor
      } while cursor != nil
    }
  }

  @Test("A popular reaction, to a viewer who is not among its first three")
  func popular() throws {
    let test = try TestLedger()
    for index in 1...40 { try test.run("+u\(index) A") }
    let viewers = try ["u2", "u39", "u41"].map { try test.ledger.viewer(UserID($0)) }
    var (summaries, reactors) = (SummaryBuffer(), ReactorBuffer())
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      for viewer in viewers {
        try snapshot.read(summaryOf: .m1, viewer: viewer, into: &summaries)
        #expect(summaries.reactions.map(\.reactedByMe) == [viewer.id != "u41"])
      }
      try Self.compare(snapshot, .named("A"), .m1, &reactors)
    }
  }

  @Test("Ids of every length come back whole") func longNames() throws {
    let test = try TestLedger()
    let ids = [1, 15, 16, 57, 58, 59, 60, 254, 255].map {
      UserID(stringLiteral: String(repeating: "é", count: $0 / 2) + ($0 % 2 == 1 ? "x" : ""))
    }
    _ = try test.ledger.append(ids.map { .add(":A:", to: .m1, by: $0) })
    var buffer = ReactorBuffer()
    for _ in 0..<2 {
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.read(reactorsOf: .named("A"), on: .m1, into: &buffer)
      }
      #expect((0..<buffer.users.count).map { buffer.users.id(at: $0) } == ids)
      #expect((0..<buffer.users.count).map { buffer.users.number(at: $0) } == Array(1...9))
    }
  }

  @Test("A viewer who was unknown, or was erased and came again, is looked up anew")
  func viewers() throws {
    let test = try TestLedger()
    let early = try test.ledger.viewer("u1")
    try test.run("+u1 A")
    let first = try test.ledger.viewer("u1")
    func isMine(_ viewer: Viewer) throws -> [Bool] {
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.summary(of: .m1, viewer: viewer)
      }.reactions.map(\.reactedByMe)
    }
    #expect(try isMine(early) == [true] && isMine(first) == [true])
    try test.run("+u2 B")
    _ = try test.ledger.append(.erase("u1"))
    #expect(try isMine(first) == [false])
    try test.run("+u1 B")
    #expect(try isMine(early) == [true] && isMine(first) == [true])
    let other = try TestLedger()
    _ = try other.run("+u9 A, +u1 B")
    let (shown, stranger) = try other.ledger.read {
      (snapshot: borrowing Snapshot) throws(LedgerError) in
      (try snapshot.summary(of: .m1, viewer: first), try snapshot.viewer("u9"))
    }
    #expect(shown.reactions.map(\.reactedByMe) == [false, true], "of another ledger")
    #expect(try isMine(stranger) == [false])
  }
}

/// What reads remember of users.
@Suite struct ReadMemoryTests {
  @Test("A table holds no more than its capacity, and nothing wrong", arguments: [0, 1, 2, 3, 64])
  func table(capacity: Int) {
    var table = NumberTable<UInt32>(capacity: capacity)
    let (slotCount, actualCapacity) = (table.slotCount, table.capacity)
    #expect(slotCount == 0 && actualCapacity <= max(1, capacity))
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let number = UserNumber(1 + generator.next() % 300)
      let before = table[number]
      #expect(before == nil || before == number * 2)
      table.learn(number * 2, of: number)
      let (after, slotCount) = (table[number], table.slotCount)
      #expect(after == number * 2)
      #expect(slotCount <= actualCapacity)
    }
  }

  @Test("Another process erases a user: the name is gone at once, for values and for buffers")
  func erasureElsewhere() async throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u1 B")
    var buffer = ReactorBuffer()
    func names() throws -> [String] {
      let page = try test.ledger.reactors(of: .named("A"), on: .m1)
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.read(reactorsOf: .named("A"), on: .m1, into: &buffer)
      }
      #expect((0..<buffer.users.count).map { buffer.users.id(at: $0) } == page.users)
      return page.users.map(\.text)
    }
    #expect(try names() == ["u1", "u2"])
    let path = test.path
    var lastEpoch: UInt64 = 0
    for round in 0..<3 {
      await #expect(processExitsWith: .success) { [path = path as String] in
        let ledger = try Ledger.open(at: path)
        _ = try await ledger.append(.erase("u1"))
        ledger.close()
      }
      #expect(try names() == ["u2"])
      let history = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.history(of: .m1)
      }
      #expect(history.count { $0.user == "u1" } == 0, "round \(round)")
      let epochs = Set(test.ledger.memories.idleEpochs)
      #expect(epochs.count == 1 && epochs.allSatisfy { $0 > lastEpoch })
      lastEpoch = epochs.max() ?? 0
      try test.run("+u1 A")
      #expect(try names() == ["u2", "u1"])
      try test.run("-u1 A, +u1 A")
    }
    try test.requireSound()
  }

  @Test("Threads that read while users are erased see names that are right, in few memories")
  func threads() throws {
    let test = try TestLedger { $0.userCacheCount = 16 }
    let ledger = test.ledger
    let isDone = TestLock(false)
    let readers = (0..<6).map { _ in
      TestThread {
        var (summaries, reactors) = (SummaryBuffer(), ReactorBuffer())
        while !isDone.withLock({ $0 }) {
          do {
            try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
              let summary = try snapshot.summary(of: .m1)
              try snapshot.read(summaryOf: .m1, into: &summaries)
              #expect(BufferTests.values(summaries, of: [.m1]) == [summary])
              for reaction in summary.reactions {
                try BufferTests.compare(snapshot, reaction.reaction, .m1, &reactors)
              }
              _ = try ledger.summary(of: .m1)
            }
          } catch {
            Issue.record("\(error)")
          }
        }
      }
    }
    var generator = SeededGenerator(seed: 9)
    for round in 0..<150 {
      let user = "u\(generator.next() % 30)"
      try test.run("+\(user) A, +\(user) B")
      if round % 10 == 9 { _ = try ledger.append(.erase(UserID(user))) }
    }
    isDone.withLock { $0 = true }
    for reader in readers { reader.join() }
    #expect(ledger.memories.idleEpochs.count <= ReadMemories.idleLimit)
    try test.requireSound()
  }
}
