import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Random commands of every kind under random policies against a naive model in memory.
///
/// The live ledger is equal after every command; every fiftieth the replayed and the rebuilt one and
/// the state as of every tenth command; at the half and the end a reader who only folds the feed. 200 seeds optimised,
/// 10 unoptimised; every third keeps the index by user, every other scans few rows at a time.
@Suite struct ModelTests {
  #if DEBUG
    static let seeds: [UInt64] = Array(1...10)
  #else
    static let seeds: [UInt64] = Array(1...200)
  #endif
  static let commandCount = 500

  @Test(arguments: seeds) func everyReaderAgreesWithTheModel(seed: UInt64) async throws {
    var source = CommandSource(seed: seed)
    let policy = source.policy()
    let test = try TestLedger(policy: policy) { options in
      if seed % 2 == 0 { options.erasureRowCount = 1 }
    }
    if seed % 3 == 0 { try test.ledger.indexByUser(true) }
    var model = NaiveModel(policy: policy)
    var past: [NaiveModel] = [model]
    for index in 1...Self.commandCount {
      let command = source.next()
      let place: Comment = "seed \(seed), command \(index): \(command)"
      let outcome = try await test.ledger.append(command)
      let expected = model.run(command)
      #expect(NaiveModel.Expected(outcome) == expected, place)
      try Self.compare(test, model, source, place)
      if index % 10 == 0 { past.append(model) }
      if index % 50 == 0 {
        let isLast = index == Self.commandCount
        try Self.comparePast(test, isLast ? past[...] : past.suffix(6), model, source, place)
        if index % 250 == 0 { try await Self.compareFeed(test, model, source, place) }
        try Self.rebuildAndCompare(test, place)
      }
    }
  }

  private static func compare(
    _ test: TestLedger, _ model: NaiveModel, _ source: CommandSource, _ place: Comment
  ) throws {
    let viewer = source.users[0]
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      for summary in try snapshot.summaries(of: source.messages, viewer: viewer) {
        let shown = model.shown(summary.message)
        #expect(summary.reactions.map(\.reaction) == shown.map(\.reaction), place)
        #expect(summary.reactions.map(\.count) == shown.map(\.users.count), place)
        #expect(
          summary.reactions.map(\.firstUsers) == shown.map { Array($0.users.prefix(3)) }, place)
        #expect(
          summary.reactions.map(\.reactedByMe) == shown.map { $0.users.contains(viewer) }, place)
        // Case 6: one by one the same.
        #expect(try snapshot.summary(of: summary.message, viewer: viewer) == summary, place)
      }
      let mine = try snapshot.reactions(by: viewer, .before(nil), limit: 100).reactions
      let expected = model.live.filter { $0.person.id == viewer }
      #expect(mine.map(\.sequence) == expected.map(\.sequence), place)
      #expect(mine.map(\.reaction) == expected.map(\.reaction), place)
      #expect(mine.map(\.message) == expected.map(\.message), place)
    }
  }

  private static func comparePast(
    _ test: TestLedger, _ past: ArraySlice<NaiveModel>, _ now: NaiveModel, _ source: CommandSource,
    _ place: Comment
  ) throws {
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      for then in past {
        for message in source.messages {
          let found = try snapshot.summary(of: message, asOf: .sequence(then.head))
          let shown = then.shown(message)
          #expect(found.reactions.map(\.reaction) == shown.map(\.reaction), place)
          #expect(found.reactions.map(\.count) == shown.map(\.people.count), place)
          let names = shown.map { block in
            block.people.prefix(3).filter { !now.erased.contains($0) }.map(\.id)
          }
          #expect(found.reactions.map(\.firstUsers) == names, place)
        }
      }
    }
  }

  /// Folds the feed from the beginning, as a client would who knows nothing but it.
  private static func compareFeed(
    _ test: TestLedger, _ model: NaiveModel, _ source: CommandSource, _ place: Comment
  ) async throws {
    guard model.lastEvent > 0 else { return }
    var client: [MessageKey: [(reaction: Reaction, adds: [UInt64])]] = [:]
    var last: [MessageKey: UInt64] = [:]
    for try await change in test.ledger.changes() {
      var blocks = client[change.message] ?? []
      for operation in change.operations {
        #expect(operation.previous == last[change.message] ?? 0, place)
        last[change.message] = operation.sequence
        let index = blocks.firstIndex { $0.reaction == operation.reaction }
        switch (operation.kind, index) {
        case (.added, let index?): blocks[index].adds.append(operation.sequence)
        case (.added, nil): blocks.append((operation.reaction, [operation.sequence]))
        case (.removed, let index?):
          blocks[index].adds.removeFirst()
          if blocks[index].adds.isEmpty { blocks.remove(at: index) }
        case (.removed, nil): Issue.record("a removal of nothing: \(place)")
        }
      }
      client[change.message] = blocks
      if change.operations.last?.sequence == model.lastEvent { break }
    }
    for message in source.messages {
      let blocks = client[message] ?? []
      #expect(blocks.map(\.reaction) == model.shown(message).map(\.reaction), place)
      #expect(blocks.map(\.adds.count) == model.shown(message).map(\.people.count), place)
    }
  }

  private static func rebuildAndCompare(_ test: TestLedger, _ place: Comment) throws {
    var live: [String: [[[UInt8]]]] = [:]
    try test.reopen { live = try RawLedger.projections(at: test.path) }
    try test.requireSound()
    _ = try test.ledger.rebuild()
    try test.requireSound()
    var rebuilt: [String: [[[UInt8]]]] = [:]
    try test.reopen { rebuilt = try RawLedger.projections(at: test.path) }
    #expect(rebuilt == live, place)
    for (name, pairs) in try test.requireEqualReducers(place).projections() {
      #expect(rebuilt[name] == pairs, "\(name), \(place)")
    }
  }
}
