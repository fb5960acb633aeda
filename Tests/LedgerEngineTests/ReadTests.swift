import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

@Suite struct ReadTests {
  @Test("As of every sequence and time, a message shows what it showed then", arguments: 1...30)
  func asOf(seed: UInt64) throws {
    let test = try TestLedger(policy: try CopyTests.policy(seed: seed))
    var source = CommandSource(seed: seed, erasing: false)
    var shown: [(moment: Moment, summaries: [MessageSummary])] = []
    var before: [MessageSummary] = []
    let viewer = source.users[1]
    for _ in 0..<80 {
      let outcome = try test.ledger.append(source.next())
      guard case .recorded(let receipt) = outcome else { continue }
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        let summaries = try snapshot.summaries(of: source.messages, viewer: viewer)
        shown.append((.sequence(receipt.sequences.upperBound), summaries))
        shown.append((.time(receipt.recordedAt), summaries))
        // Inside a command of several records, it is as before the command.
        if receipt.sequences.count > 1 {
          shown.append((.sequence(receipt.sequences.upperBound - 1), before))
        }
        before = summaries
      }
    }
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      for (moment, summaries) in shown {
        for summary in summaries {
          let then = try snapshot.summary(of: summary.message, viewer: viewer, asOf: moment)
          #expect(then == summary, "seed \(seed), \(moment)")
        }
      }
    }
  }

  @Test(
    "Individual reactions, both ways, with and without a filter", arguments: [1, 3, 7, 30, 100])
  func reactions(limit: Int) throws {
    let test = try TestLedger()
    for index in 0..<25 {
      try test.run("+u\(index) A")
      if index % 3 == 0 { try test.run("+u\(index) B") }
      if index % 5 == 4 { try test.run("-u\(index - 2) A") }
    }
    for filter in [nil, "A", "B", "C"] {
      let reaction = filter.map { Reaction.named($0) }
      var expected: [UInt64] = []
      for entry in try test.ledger.read({ (s: borrowing Snapshot) throws(LedgerError) in
        try s.history(of: .m1)
      }) {
        guard case .change(let change) = entry.record.content else { continue }
        if let reaction, change.reaction != reaction { continue }
        switch change.kind {
        case .added: expected.append(entry.sequence)
        case .removed(let ends): expected.removeAll { $0 == ends }
        }
      }
      for forward in [true, false] {
        var (found, cursor): ([UInt64], PageCursor?) = ([], nil)
        repeat {
          let page = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
            try snapshot.reactions(
              on: .m1, of: reaction, forward ? .after(cursor) : .before(cursor), limit: limit)
          }
          let sequences = page.reactions.map(\.sequence)
          #expect(sequences == sequences.sorted() && sequences.count <= limit)
          found = forward ? found + sequences : sequences + found
          cursor = forward ? page.after : page.before
        } while cursor != nil
        #expect(found == expected, "\(filter ?? "all"), \(forward)")
      }
    }
  }

  @Test("Reads with a snapshot of their own are those of a snapshot") func readsOfTheLedger() throws
  {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u2 B")
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      let summary = try snapshot.summary(of: .m1, viewer: "u2")
      #expect(try test.ledger.summary(of: .m1, viewer: "u2") == summary)
      #expect(try test.ledger.summaries(of: [.m1, .m1], viewer: "u2") == [summary, summary])
      let page = try snapshot.reactors(of: .named("A"), on: .m1, limit: 1)
      #expect(try test.ledger.reactors(of: .named("A"), on: .m1, limit: 1) == page)
    }
  }

  @Test("The messages of a conversation, page by page, with and without live reactions")
  func messages() throws {
    let test = try TestLedger()
    let ids = ["a", "b", "ba", "c", "z", "é"].map { MessageID(stringLiteral: $0) }
    for id in ids {
      _ = try test.ledger.append(.add("👍", to: .group("g1", id), by: "u1"))
      _ = try test.ledger.append(.add("👍", to: .group("g11", id), by: "u1"))
    }
    _ = try test.ledger.append(.remove("👍", from: .group("g1", "ba"), by: "u1"))
    for limit in [1, 2, 100] {
      for isLiveOnly in [false, true] {
        var found: [MessageID] = []
        while true {
          let part = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
            try snapshot.messages(
              in: .group("g1"), after: found.last, limit: limit, onlyWithReactions: isLiveOnly)
          }
          found += part.map(\.message)
          if part.count < limit { break }
        }
        #expect(found == ids.filter { !isLiveOnly || $0 != "ba" })
      }
    }
    let none = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.messages(in: .user("g1"))
    }
    #expect(none.isEmpty)
  }
}
