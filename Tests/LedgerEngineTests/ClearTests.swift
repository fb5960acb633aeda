import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Clearing a message, up to a size that takes many commands.
@Suite struct ClearTests {
  #if DEBUG
    static let userCount = 10_000
  #else
    static let userCount = 50_000
  #endif
  /// Each user has two.
  static var reactionCount: Int { 2 * userCount }
  static let id = CommandID(high: 7, low: 77)
  static let clear = Command.clear(.m1, actor: "user5", cause: .moderation, id: id)

  /// A message with so many reactions, and one reaction on another.
  static func fill(_ ledger: Ledger) throws {
    for reaction in ["👍", ":a:"] {
      _ = try ledger.append(
        (0..<userCount).map {
          .add(reaction, to: .m1, by: UserID(stringLiteral: "user\($0)"))
        })
    }
    _ = try ledger.append(.add("👍", to: .group("g1", "m2"), by: "user1"))
  }

  /// Checks that each of the reactions was removed once, in commands that fit, the last with the id.
  static func check(_ test: TestLedger, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var (ends, last, ids): (Set<UInt64>, UInt64, [UInt64]) = ([], 0, [])
    while true {
      let after = last
      let entries = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.records(after: after, limit: 5_000)
      }
      guard let end = entries.last?.sequence else { break }
      last = end
      for entry in entries where entry.record.place.operation == .clearMessage {
        guard case .change(let change) = entry.record.content,
          case .removed(let add) = change.kind
        else {
          Issue.record("a clear only removes")
          return
        }
        #expect(entry.record.place.count <= Record.Place.countCeiling)
        if !ends.insert(add).inserted { Issue.record("\(add) was removed twice") }
        if entry.record.commandID != nil { ids.append(entry.sequence) }
        if entry.record.cause != .moderation || entry.actor != "user5" {
          Issue.record("\(entry.sequence) has another cause or actor")
        }
      }
    }
    #expect(ends.count == reactionCount, sourceLocation: sourceLocation)
    #expect(ids.count == 1, "the id stands on one command", sourceLocation: sourceLocation)
    #expect(try test.shown() == "-", sourceLocation: sourceLocation)
    #expect(try test.shown(.group("g1", "m2")) == "👍=1[user1]")
    let again = try test.ledger.append(clear)
    #expect(again.name == "repeated" && again.receipt?.sequences.lowerBound == ids.first)
    try test.requireSound(sourceLocation: sourceLocation)
  }

  @Test("Many reactions are cleared in a series of commands, in bounded memory") func many()
    async throws
  {
    let test = try TestLedger()
    test.ledger.close()
    let path = test.path
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [path = path as String] in
      let ledger = try Ledger.open(at: path)
      try ClearTests.fill(ledger)
      ProcessMemory.resetPeak()
      let (before, head) = (ProcessMemory.byteCount, try ledger.statistics().head)
      let outcome = try await ledger.append(ClearTests.clear)
      let growth = (ProcessMemory.peakByteCount - before) / 1_048_576
      print(
        "clearing \(ClearTests.reactionCount) reactions: the peak of memory grew by \(growth) MiB")
      precondition(growth < 128, "the map's own pages and one command's records")
      guard case .recorded(let receipt) = outcome else { preconditionFailure("\(outcome)") }
      let rest = ClearTests.reactionCount % Record.Place.countCeiling
      precondition(receipt.sequences.upperBound == head + UInt64(ClearTests.reactionCount))
      precondition(receipt.sequences.count == rest, "the receipt is that of the last command")
      ledger.close()
    }
    print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    try test.reopen()
    try Self.check(test)
  }

  @Test("Killed in the middle of the series and asked again, it is done, each reaction once")
  func killed() async throws {
    let test = try TestLedger()
    try Self.fill(test.ledger)
    test.ledger.close()
    let path = test.path
    var left = Self.reactionCount
    for transactionCount in [0, 1, 1] {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, transactionCount = transactionCount as Int] in
        var options = LedgerOptions()
        options.clock = KillClock.after(transactionCount)
        _ = try await Ledger.open(at: path, options: options).append(ClearTests.clear)
      }
      try test.reopen()
      let counts = try test.ledger.summary(of: .m1).reactions.map(\.count)
      left -= transactionCount * Record.Place.countCeiling
      #expect(counts.reduce(0, +) == left)
      test.ledger.close()
    }
    try test.reopen()
    #expect(try test.append(Self.clear).name == "recorded")
    try Self.check(test)
  }

  @Test("While a long series goes on, others have their turn, and both may ask for it")
  func others() async throws {
    let test = try TestLedger()
    try Self.fill(test.ledger)
    let ledger = test.ledger
    let head = try ledger.statistics().head
    async let first = ledger.append(Self.clear)
    async let second = ledger.append(Self.clear)
    var sequences: [UInt64] = []
    for index in 0..<50 {
      let user = UserID(stringLiteral: "other\(index)")
      let outcome = try await ledger.append(.add("👍", to: .group("g1", "m3"), by: user))
      sequences.append(try #require(outcome.receipt).sequences.lowerBound)
    }
    let outcomes = try await [first, second]
    #expect(Set(outcomes.map(\.name)) == ["recorded", "repeated"])
    #expect(Set(outcomes.map { $0.receipt?.sequences }).count == 1)
    let end = try #require(outcomes[0].receipt).sequences.upperBound
    #expect(sequences.contains { $0 > head + 1 && $0 < end }, "some came between its commands")
    try Self.check(test)
  }

  @Test("One reaction, with cause, actor and id, by someone who has it too") func oneReaction()
    async throws
  {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u1 B, +u3 A")
    let id = CommandID(high: 1, low: 1)
    let time = Timestamp(microseconds: 9)
    let command = Command.clear(
      .m1, reaction: ":A:", actor: "u1", cause: .expired, at: time, id: id)
    let receipt = try #require(try test.append(command).receipt)
    #expect(receipt.sequences == 6...8)
    #expect(try test.shown() == "B=1[u1]")
    let records = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.records(after: 5)
    }
    #expect(records.map(\.user) == ["u1", "u2", "u3"])
    #expect(records.map(\.actor) == ["u1", "u1", "u1"])
    #expect(records.allSatisfy { $0.record.cause == .expired && $0.record.clientTime == time })
    #expect(records.map(\.record.commandID) == [id, nil, nil])
    #expect(try test.append(command) == .repeated(receipt))
    for other in [
      Command.clear(.m1, actor: "u1", cause: .expired, id: id),
      .clear(.m1, reaction: ":B:", actor: "u1", cause: .expired, id: id),
      .clear(.m1, reaction: ":A:", actor: "u2", cause: .expired, id: id),
      .clear(.m1, reaction: ":A:", actor: "u1", cause: .moderation, id: id),
      .clear(.group("g1", "m2"), reaction: ":A:", actor: "u1", cause: .expired, id: id),
    ] { #expect(try test.append(other) == .refused(.commandIDReused)) }
    var feed = test.ledger.changes(
      after: try #require(
        try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.position(at: 5)
        })
    ).makeAsyncIterator()
    let change = try #require(try await feed.next())
    #expect(change.operations.map(\.user) == ["u1", "u2", "u3"] && change.commandID == id)
    let path = test.folder.file("copy")
    try CopyTests.restore(try CopyTests.records(of: test.ledger), at: path)
    try test.requireSound()
    _ = try test.ledger.rebuild()
    try test.requireSound()
  }

  @Test("What there is nothing of is not cleared, and chat rooms are refused") func nothing() throws
  {
    let test = try TestLedger()
    try test.run("+u1 A")
    for reaction in [":B:", "no reaction", ""] {
      let command = Command.clear(.m1, reaction: reaction, cause: .moderation)
      #expect(try test.ledger.append(command) == .unchanged(.nothingToClear))
    }
    let elsewhere = Command.clear(.group("g9", "m"), cause: .moderation)
    #expect(try test.ledger.append(elsewhere) == .unchanged(.nothingToClear))
    let room = Command.clear(try MessageKey(.room("r1"), "m1"), cause: .moderation)
    #expect(try test.ledger.append(room) == .refused(.conversationNotSupported))
    #expect(try test.ledger.statistics().head == 2)
  }
}
