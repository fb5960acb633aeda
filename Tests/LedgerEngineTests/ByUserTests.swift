import Foundation
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

@testable import LedgerEngine

/// Reads by user, and the index that makes them quick.
@Suite struct ByUserTests {
  /// A user's live reactions, told by whoever wrote them.
  struct Plain: Equatable {
    let message: MessageKey
    let reaction: Reaction
    let sequence: UInt64

    init(_ reaction: LiveReaction) {
      message = reaction.message
      self.reaction = reaction.reaction
      sequence = reaction.sequence
    }

    init(_ live: NaiveModel.Live) {
      message = live.message
      reaction = live.reaction
      sequence = live.sequence
    }
  }

  /// All reactions of a user, page by page.
  static func pages(
    forward: Bool, limit: Int, _ read: (PageDirection, Int) throws -> ReactionPage
  ) throws -> [Plain] {
    var (found, cursor): ([Plain], PageCursor?) = ([], nil)
    repeat {
      let page = try read(forward ? .after(cursor) : .before(cursor), limit)
      let part = page.reactions.map { Plain($0) }
      #expect(part.count <= limit && part.map(\.sequence) == part.map(\.sequence).sorted())
      found = forward ? found + part : part + found
      cursor = try (forward ? page.after : page.before).map {
        try PageCursor(parsing: $0.description)
      }
    } while cursor != nil
    return found
  }

  static func scanned(
    _ test: TestLedger, _ user: UserID, _ direction: PageDirection, _ limit: Int, rowLimit: Int
  ) throws -> ReactionPage {
    let begun = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.userScan(user, direction, limit)
    }
    guard var scan = begun else { return .empty }
    while !scan.isDone {
      let start = scan
      scan = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        var next = start
        try next.advance(in: snapshot, rowLimit: rowLimit)
        return next
      }
    }
    let done = scan
    return try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.page(of: done, user)
    }
  }

  /// Compares all ways to read with a plain model.
  static func compare(_ test: TestLedger, _ model: NaiveModel, _ users: [UserID]) throws {
    for user in users {
      let expected = model.live.filter { $0.person.id == user }.map { Plain($0) }
      for (forward, limit) in [(true, 1), (false, 1), (true, 3), (false, 7), (true, 100)] {
        let place: Comment = "\(user), \(forward), \(limit)"
        let chunked = try pages(forward: forward, limit: limit) {
          try test.ledger.reactions(by: user, $0, limit: $1)
        }
        #expect(chunked == expected, place)
        let inOne = try pages(forward: forward, limit: limit) { (direction, limit) in
          try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
            try snapshot.reactions(by: user, direction, limit: limit)
          }
        }
        #expect(inOne == expected, place)
        for rowLimit in [1, 2, 1_000] {
          let inSteps = try pages(forward: forward, limit: limit) {
            try scanned(test, user, $0, $1, rowLimit: rowLimit)
          }
          #expect(inSteps == expected, place)
        }
      }
    }
  }

  @Test("With the index, without it and in chunks, both ways: as a plain model", arguments: 1...6)
  func asThePlainModel(seed: UInt64) throws {
    let test = try TestLedger(policy: try CopyTests.policy(seed: seed))
    var source = CommandSource(seed: seed)
    var model = NaiveModel(policy: try CopyTests.policy(seed: seed))
    for round in 0..<4 {
      for _ in 0..<100 {
        let command = source.next()
        #expect(NaiveModel.Expected(try test.append(command)) == model.run(command))
      }
      try Self.compare(test, model, Array(source.users.prefix(4)))
      #expect(try test.ledger.indexByUser(round % 2 == 0))
      #expect(try test.ledger.statistics().isIndexedByUser == (round % 2 == 0))
      try Self.compare(test, model, Array(source.users.prefix(4)))
      try test.requireSound()
    }
    #expect(try !test.ledger.indexByUser(false), "it is off already")
  }

  @Test("Switched on and off and on over a log while others write") func switchedAtWork() throws {
    let test = try TestLedger()
    var source = CommandSource(seed: 31)
    _ = try test.ledger.append((0..<3_000).map { _ in source.next() })
    let (ledger, isDone) = (test.ledger, TestLock(false))
    let writers = (0..<2).map { index in
      TestThread {
        var source = CommandSource(seed: 32 + UInt64(index))
        while !isDone.withLock({ $0 }) {
          let commands = (0..<10).map { _ in
            var command = source.next()
            command.id = nil
            return command
          }
          do {
            _ = try ledger.append(commands)
          } catch {
            Issue.record("\(error)")
          }
          usleep(1_000)
        }
      }
    }
    for isOn in [true, false, true] {
      let head = try ledger.statistics().head
      #expect(try ledger.indexByUser(isOn))
      #expect(try ledger.statistics().isIndexedByUser == isOn)
      try test.requireSound()
      while try ledger.statistics().head < head + 100 { usleep(1_000) }
      _ = try ledger.reactions(by: source.users[0])
    }
    isDone.withLock { $0 = true }
    for writer in writers { writer.join() }
    try test.requireSound()
    var pairs: RawLedger.Pairs = []
    try test.reopen {
      let slot = try RawLedger.liveSlot(at: test.path)
      pairs = try RawLedger.pairs("byUser.\(slot)", at: test.path)
    }
    let count = try test.ledger.statistics(countingLiveReactions: true).liveReactionCount
    #expect(pairs.count == count && pairs.allSatisfy { $0.value.isEmpty })
    try test.ledger.indexByUser(false)
    try test.reopen { pairs = try RawLedger.pairs("byUser.A", at: test.path) }
    try test.reopen { pairs += try RawLedger.pairs("byUser.B", at: test.path) }
    #expect(pairs.isEmpty)
    try test.requireSound()
  }

  enum Damage: String, CaseIterable, Sendable {
    case missing
    case extra
    case ofAnotherUser
    case value
    case shortKey
  }

  @Test(
    "J5: what is wrong in the index is found, and mended by a rebuild", arguments: Damage.allCases)
  func damage(_ damage: Damage) throws {
    let test = try DamageTests.sample()
    try test.ledger.indexByUser(true)
    try test.requireSound()
    try test.reopen {
      let database = "byUser.\(try RawLedger.liveSlot(at: test.path))"
      let pairs = try RawLedger.pairs(database, at: test.path)
      #expect(pairs.count == 32)
      var key = pairs[3].key
      switch damage {
      case .missing: try RawLedger.delete(key, in: database, at: test.path)
      case .extra:
        key[key.count - 1] ^= 0x40
        try RawLedger.put([], for: key, in: database, at: test.path)
      case .ofAnotherUser:
        try RawLedger.delete(key, in: database, at: test.path)
        key[3] = 29
        try RawLedger.put([], for: key, in: database, at: test.path)
      case .value: try RawLedger.put([1], for: key, in: database, at: test.path)
      case .shortKey: try RawLedger.put([], for: Array(key.dropLast()), in: database, at: test.path)
      }
    }
    let report = try test.ledger.replay()
    #expect(report.findings.contains { $0.rule == .byUser && $0.place.hasPrefix("byUser") })
    #expect(report.findings.allSatisfy { $0.rule == .byUser }, "\(report.findings)")
    _ = try test.ledger.rebuild()
    try test.requireSound()
    #expect(try test.ledger.statistics().isIndexedByUser)
  }

  @Test("J5: with the index off, what is in it is a finding") func leftOver() throws {
    let test = try DamageTests.sample()
    try test.reopen {
      let key: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 2]
      try RawLedger.put([], for: key, in: "byUser.A", at: test.path)
    }
    #expect(try test.ledger.replay().findings.map(\.rule) == [.byUser])
    _ = try test.ledger.rebuild()
    try test.requireSound()
  }

  @Test("A cursor of another user or list is an error, both ways", arguments: [false, true])
  func cursors(indexed: Bool) throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u1 B, +u2 A, +u2 B, +u3 A")
    if indexed { try test.ledger.indexByUser(true) }
    let mine = try #require(try test.ledger.reactions(by: "u1", limit: 1).after)
    let onMessage = try #require(
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.reactions(on: .m1, limit: 1).after
      })
    let ofReaction = try #require(
      try test.ledger.reactors(of: .named("A"), on: .m1, limit: 1).cursor)
    #expect(try test.ledger.reactions(by: "u1", .after(mine)).reactions.count == 1)
    for (user, cursor) in [("u2", mine), ("u9", mine), ("u1", onMessage), ("u1", ofReaction)]
      as [(UserID, PageCursor)]
    {
      for direction in [PageDirection.after(cursor), .before(cursor)] {
        #expect(throws: LedgerError.self, "\(user)") {
          _ = try test.ledger.reactions(by: user, direction)
        }
        #expect(throws: LedgerError.self, "\(user)") {
          try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
            _ = try snapshot.reactions(by: user, direction)
          }
        }
      }
    }
    #expect(throws: LedgerError.self) {
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        _ = try snapshot.reactions(on: .m1, .after(mine))
      }
    }
    #expect(throws: LedgerError.self) {
      _ = try test.ledger.reactors(of: .named("A"), on: .m1, after: mine)
    }
    for limit in [0, 101] {
      #expect(throws: LedgerError.self) { _ = try test.ledger.reactions(by: "u1", limit: limit) }
    }
  }

  @Test("A page whose reactions are removed while it is looked for leads on to the rest")
  func removedMeanwhile() throws {
    for forward in [true, false] {
      let test = try TestLedger()
      for index in 0..<10 {
        let message = MessageKey.group("g1", MessageID(stringLiteral: "m\(index)"))
        _ = try test.append(.add("👍", to: message, by: "u1"))
      }
      let direction = forward ? PageDirection.after(nil) : .before(nil)
      let scan = try #require(
        try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          var scan = try snapshot.userScan("u1", direction, 3)
          try scan?.advance(in: snapshot, rowLimit: .max)
          return scan
        })
      for index in forward ? 0..<4 : 6..<10 {
        let message = MessageKey.group("g1", MessageID(stringLiteral: "m\(index)"))
        _ = try test.append(.remove("👍", from: message, by: "u1"))
      }
      let page = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.page(of: scan, "u1")
      }
      #expect(page.reactions.isEmpty)
      let cursor = try #require(forward ? page.after : page.before, "there is more")
      let rest = try test.ledger.reactions(by: "u1", forward ? .after(cursor) : .before(cursor))
      #expect(rest.reactions.count == 6)
    }
  }
}
