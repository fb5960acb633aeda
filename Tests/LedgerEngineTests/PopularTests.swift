import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// Reactions with more users than a row holds.
@Suite struct PopularTests {
  @Test("50,000 reactors: counts, first three, pages, removal of the first three, a short row")
  func fiftyThousand() throws {
    let test = try TestLedger()
    let users = (1...50_000).map { UserID(stringLiteral: "user\($0)") }
    let adds = users.map { Command.add("👍", to: .m1, by: $0) }
    #expect(try test.ledger.append(adds).allSatisfy { $0.name == "recorded" })
    #expect(try test.shown() == "👍=50000[user1,user2,user3]")
    #expect(try test.allReactors(Reaction("👍")) == users)
    #expect(try test.isMine("user49999", "👍"))
    #expect(try !test.isMine("user0", "👍"))

    for user in users.prefix(3) {
      #expect(try test.ledger.append(.remove("👍", from: .m1, by: user)).name == "recorded")
    }
    #expect(try test.shown() == "👍=49997[user4,user5,user6]")
    #expect(try test.allReactors(Reaction("👍")) == Array(users.dropFirst(3)))
    #expect(try !test.isMine("user2", "👍"))
    _ = try test.ledger.append(.add("👍", to: .m1, by: "user1"))
    #expect(try test.shown() == "👍=49998[user4,user5,user6]")
    #expect(try test.allReactors(Reaction("👍")).last == "user1")
    try test.requireSound()

    var rows: RawLedger.Pairs = []
    try test.reopen { rows = try RawLedger.pairs("messages.A", at: test.path) }
    #expect(rows.count == 1 && rows[0].value.count < 200)
  }

  @Test("Around the bound of 16, up and down: every count from 1 to 20 and back, in three orders")
  func aroundTheBound() throws {
    for order in ["first", "last", "middle"] {
      let test = try TestLedger()
      var users = (1...20).map { UserID(stringLiteral: "u\($0)") }
      for count in 1...20 {
        _ = try test.ledger.append(.add(":A:", to: .m1, by: users[count - 1]))
        try Self.expect(test, Array(users.prefix(count)))
      }
      while !users.isEmpty {
        let index = order == "first" ? 0 : order == "last" ? users.count - 1 : users.count / 2
        let user = users.remove(at: index)
        _ = try test.ledger.append(.remove(":A:", from: .m1, by: user))
        try Self.expect(test, users)
      }
      try test.requireSound()
      var left: RawLedger.Pairs = []
      try test.reopen {
        left =
          try RawLedger.pairs("reactors.A", at: test.path)
          + RawLedger.pairs("members.A", at: test.path)
      }
      #expect(left.isEmpty, "nothing is left of a reaction that nobody has")
    }
  }

  private static func expect(_ test: TestLedger, _ users: [UserID]) throws {
    let first = users.prefix(3).map(\.text).joined(separator: ",")
    #expect(try test.shown() == (users.isEmpty ? "-" : "A=\(users.count)[\(first)]"))
    #expect(try test.allReactors(.named("A"), limit: 7) == users)
  }

  @Test("P10: pages while others come and go skip and repeat nobody who stays", arguments: 1...50)
  func pagesWhileOthersComeAndGo(seed: UInt64) throws {
    let test = try TestLedger()
    var generator = SeededGenerator(seed: seed)
    let count = Int(generator.next() % 40) + 5
    let staying = (0..<count).map { UserID(stringLiteral: "s\($0)") }
    let passing = (0..<count).map { UserID(stringLiteral: "p\($0)") }
    for index in 0..<count {
      try test.run("+s\(index) A")
      if generator.next() % 2 == 0 { try test.run("+\(passing[index]) A") }
    }
    var (seen, cursor): ([UserID], PageCursor?) = ([], nil)
    repeat {
      let page = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.reactors(of: .named("A"), on: .m1, after: cursor, limit: 3)
      }
      seen += page.users
      cursor = try page.cursor.map { try PageCursor(parsing: $0.description) }
      for _ in 0..<3 {
        let user = passing[Int(generator.next() % UInt64(count))]
        try test.run("\(generator.next() % 2 == 0 ? "+" : "-")\(user) A")
      }
    } while cursor != nil && seen.count < 1_000
    #expect(seen.filter { staying.contains($0) } == staying, "seed \(seed)")
  }

  @Test("Case 28: an unknown or malformed cursor is a typed error") func case28() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u1 B, +u2 B")
    let cursor = try #require(
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.reactors(of: .named("A"), on: .m1, limit: 1).cursor
      })
    let text = cursor.description
    #expect(text.count == 22)
    #expect(try PageCursor(parsing: text) == cursor)
    for other in ["", "x", text + "A", String(text.dropLast()), "!" + text.dropFirst()] {
      #expect(throws: LedgerError.self, "\(other)") { try PageCursor(parsing: other) }
    }
    for (reaction, message) in [("B", MessageKey.m1), ("A", .group("g1", "m2"))] {
      #expect(throws: LedgerError.self) {
        try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.reactors(of: .named(reaction), on: message, after: cursor)
        }
      }
    }
    // Each changed character is another cursor, or none.
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
      #expect(throws: LedgerError.self, "\(changed)") {
        let parsed = try PageCursor(parsing: changed)
        _ = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.reactors(of: .named("A"), on: .m1, after: parsed)
        }
      }
    }
    for limit in [0, -1, 101] {
      #expect(throws: LedgerError.self) {
        try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
          try snapshot.reactors(of: .named("A"), on: .m1, limit: limit)
        }
      }
    }
  }
}
