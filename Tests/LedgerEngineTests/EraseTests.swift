import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Erasing a user, in as many transactions as it takes, with the index by user and without.
@Suite struct EraseTests {
  /// More messages than an erasure changes in one transaction, with the index.
  static let messageCount = 3_500
  static let id = CommandID(high: 7, low: 78)
  static let erase = Command.erase("gone", actor: "mod", id: id)

  /// Few rows for each transaction.
  static func narrow(_ options: inout LedgerOptions) { options.erasureRowCount = 300 }

  static func message(_ index: Int) -> MessageKey {
    .group("g1", MessageID(stringLiteral: "m\(index)"))
  }

  /// A user with a reaction on every message, two on every tenth, beside another's.
  static func sample(indexed: Bool) throws -> TestLedger {
    let test = try TestLedger(adjust: narrow)
    if indexed { try test.ledger.indexByUser(true) }
    var commands: [Command] = []
    for index in 0..<messageCount {
      commands.append(.add("👍", to: message(index), by: "gone"))
      commands.append(.add("👍", to: message(index), by: "stays"))
      if index % 10 == 0 { commands.append(.add(":a:", to: message(index), by: "gone")) }
    }
    // One that has outgrown its row.
    for index in 0..<20 {
      commands.append(.add(":b:", to: .m1, by: UserID(stringLiteral: "user\(index)")))
    }
    commands.append(.add(":b:", to: .m1, by: "gone"))
    #expect(try test.ledger.append(commands).allSatisfy { $0.name == "recorded" })
    return test
  }

  static var eventCount: Int { messageCount + messageCount / 10 + 1 }

  /// Runs the erasure in another process, which dies at its second transaction or later.
  static func eraseUntilKilled(_ path: String, transactionCount: Int) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, transactionCount = transactionCount as Int] in
      var options = LedgerOptions()
      EraseTests.narrow(&options)
      options.clock = KillClock.after(transactionCount)
      _ = try await Ledger.open(at: path, options: options).append(EraseTests.erase)
    }
  }

  /// What must hold when the user is erased: each reaction was removed once, nobody knows the id.
  static func check(_ test: TestLedger, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let entries = try CopyTests.records(of: test.ledger).map(\.entry)
    let removals = entries.filter { $0.record.place.operation == .erase && $0.record.isEvent }
    #expect(removals.count == eventCount, sourceLocation: sourceLocation)
    let ends = removals.compactMap { entry -> UInt64? in
      guard case .change(let change) = entry.record.content,
        case .removed(let ends) = change.kind
      else { return nil }
      return ends
    }
    #expect(Set(ends).count == eventCount, sourceLocation: sourceLocation)
    #expect(removals.allSatisfy { $0.user == nil && $0.record.cause == .userErased })
    let notices = entries.filter { $0.record.content == .userErased }
    #expect(notices.count == 1, sourceLocation: sourceLocation)
    #expect(!entries.contains { $0.user == "gone" || $0.actor == "gone" })
    #expect(try test.ledger.reactions(by: "gone").reactions.isEmpty)
    #expect(try erasureWarnings(test).isEmpty, sourceLocation: sourceLocation)
    let shown = try test.ledger.summaries(of: (0..<messageCount).map(message), viewer: "gone")
    #expect(shown.allSatisfy { $0.reactions[0].firstUsers.first == "stays" })
    #expect(!shown.contains { $0.reactions.contains { $0.reactedByMe } })
    try test.requireSound(sourceLocation: sourceLocation)
  }

  static func erasureWarnings(_ test: TestLedger) throws -> [String] {
    try test.ledger.statistics().warnings.filter { $0.contains("1 user is being erased") }
  }

  @Test(
    "An erasure goes on while others add, and each reaction is removed once",
    arguments: [false, true])
  func others(indexed: Bool) throws {
    let test = try Self.sample(indexed: indexed)
    let ledger = test.ledger
    let head = try ledger.statistics().head
    // All wait before the erasure begins, so they come between its steps whatever threads do.
    let adds = (0..<40).map { index in
      Command.add("👍", to: Self.message(index), by: UserID(stringLiteral: "other\(index)"))
    }
    let outcomes = try ledger.appendTogether([Self.erase] + adds)
    let receipts = try outcomes.dropFirst().map { try #require($0.receipt) }
    let receipt = try #require(outcomes[0].receipt)
    let end = receipt.sequences.upperBound
    #expect(receipt.sequences.count == 1, "the receipt is that of the notice")
    #expect(
      receipts.contains { $0.sequences.lowerBound > head + 2 && $0.sequences.upperBound < end },
      "some came between the steps")
    #expect(try ledger.append(Self.erase) == .repeated(receipt))
    try Self.check(test)
  }

  @Test(
    "Killed in the middle: adds are refused, and asking again from another process finishes it",
    arguments: [false, true])
  func killed(indexed: Bool) async throws {
    let test = try Self.sample(indexed: indexed)
    test.ledger.close()
    for transactionCount in [1, 2] {
      await Self.eraseUntilKilled(test.path, transactionCount: transactionCount)
    }
    try test.reopen()
    let left = try test.ledger.reactions(by: "gone", limit: 100).reactions
    #expect(!left.isEmpty)
    let removed = try test.ledger.statistics().eventCount - 2 * Self.messageCount
    #expect(removed > Self.messageCount / 10 + 21, "some were removed before")
    #expect(try test.append(.add("👍", to: .m1, by: "gone")) == .refused(.userBeingErased))
    #expect(try test.append(.add("", to: .m1, by: "gone")) == .refused(.userBeingErased))
    let one = try #require(left.first)
    #expect(
      try test.append(.remove("👍", from: Self.message(9_999_999), by: "gone"))
        == .unchanged(.notReacted))
    #expect(try test.isMine("gone", one.reaction.text, on: one.message))
    #expect(try Self.erasureWarnings(test).count == 1)
    try test.requireSound()
    _ = try test.ledger.rebuild()
    try test.requireSound()
    let path = test.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let ledger = try Ledger.open(at: path)
      let outcome = try await ledger.append(EraseTests.erase)
      precondition(outcome.name == "recorded")
      ledger.close()
    }
    try Self.check(test)
    #expect(try test.append(Self.erase).name == "repeated")
    #expect(try test.append(.erase("gone")) == .unchanged(.nothingToErase))
    #expect(try test.append(.add("👍", to: .m1, by: "gone")).name == "recorded")
    try test.requireSound()
  }

  @Test("Removing works while a user is being erased") func removalWhileClosing() async throws {
    let test = try Self.sample(indexed: false)
    test.ledger.close()
    await Self.eraseUntilKilled(test.path, transactionCount: 1)
    try test.reopen()
    let one = try #require(try test.ledger.reactions(by: "gone", .before(nil)).reactions.last)
    let removal = Command.remove(one.reaction.text, from: one.message, by: "gone")
    #expect(try test.append(removal).name == "recorded")
    #expect(try test.append(.clear(one.message, cause: .expired)).name == "recorded")
    #expect(try test.append(Self.erase).name == "recorded")
    #expect(try Self.erasureWarnings(test).isEmpty)
    try test.requireSound()
  }

  @Test("A compaction finishes what was interrupted", arguments: [false, true])
  func compaction(indexed: Bool) async throws {
    let test = try Self.sample(indexed: indexed)
    test.ledger.close()
    await Self.eraseUntilKilled(test.path, transactionCount: 2)
    try test.reopen { _ = try Ledger.compact(at: test.path) }
    let entries = try CopyTests.records(of: test.ledger).map(\.entry)
    let removals = entries.filter { $0.record.place.operation == .erase && $0.record.isEvent }
    #expect(removals.count == Self.eventCount && removals.allSatisfy { $0.user == nil })
    #expect(try Self.erasureWarnings(test).isEmpty)
    #expect(try test.append(.erase("gone")) == .unchanged(.nothingToErase))
    try test.requireSound()
  }

  @Test("With a user being erased and one who was, a restored ledger is the same, byte for byte")
  func restored() async throws {
    let test = try Self.sample(indexed: false)
    _ = try test.append(.erase("user7"))
    test.ledger.close()
    await Self.eraseUntilKilled(test.path, transactionCount: 2)
    try test.reopen()
    let exported = try CopyTests.records(of: test.ledger)
    #expect(exported.contains { $0.introductions.contains { $0.opening?.isClosing == true } })
    let path = test.folder.file("restored")
    try CopyTests.restore(exported, at: path)
    test.ledger.close()
    try RawLedger.expectSame(path, test.path)
    let restored = try Ledger.open(at: path)
    #expect(try CopyTests.records(of: restored) == exported)
    #expect(try restored.replay().findings == [])
    #expect(try restored.statistics().warnings.count == 1)
    #expect(
      try await restored.append(.add("👍", to: .m1, by: "gone")) == .refused(.userBeingErased))
    #expect(try await restored.append(Self.erase).name == "recorded")
    #expect(try restored.replay().findings == [])
    restored.close()
    try test.reopen()
  }

  @Test(
    "All or nothing: an erasure is undone with the rest, or done with it", arguments: [false, true])
  func allOrNothing(indexed: Bool) throws {
    let test = try Self.sample(indexed: indexed)
    let before = try test.ledger.statistics()
    let refused = try test.ledger.appendAllOrNothing([
      .clear(Self.message(3), cause: .expired), .erase("gone"), .add("", to: .m1, by: "u1"),
    ])
    #expect(refused.map(\.name) == ["rolledBack", "rolledBack", "refused"])
    #expect(try test.ledger.statistics().head == before.head)
    #expect(try test.append(.add(":new:", to: .m1, by: "gone")).name == "recorded")
    let done = try test.ledger.appendAllOrNothing([
      .erase("gone"), .add(":new:", to: .m1, by: "gone"), .erase("gone"),
    ])
    #expect(done.map(\.name) == ["recorded", "recorded", "recorded"])
    #expect(try test.ledger.reactions(by: "gone").reactions.isEmpty)
    #expect(try test.ledger.statistics().userCount == before.userCount + 1)
    try test.requireSound()
  }
}
