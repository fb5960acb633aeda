import LedgerEngine
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// One changed byte is found by replay, which names rule and place; what can be derived is mended by
/// rebuild, what is recorded is not built upon.
@Suite struct DamageTests {
  /// Where a byte is changed, and what replay must say.
  struct Damage: Sendable, CustomTestStringConvertible {
    let database: String
    let rule: Rule
    /// Which pair, and which byte of its value; negative from the end.
    var pair = 0
    var byte = -1
    var isMended = true

    var testDescription: String { "\(database), pair \(pair), byte \(byte)" }
  }

  static let damages: [Damage] = [
    Damage(database: "messages.A", rule: .messageRow),
    Damage(database: "messages.A", rule: .messageRow, byte: 0),
    Damage(database: "messages.A", rule: .messageRow, byte: 10),
    Damage(database: "messages.A", rule: .messageRow, pair: 1, byte: 12),
    Damage(database: "reactors.A", rule: .reactors, pair: 3),
    Damage(database: "members.A", rule: .members, pair: 5),
    Damage(database: "commands.A", rule: .commands),
    Damage(database: "userNumbers", rule: .userNumbers, pair: 2),
    Damage(database: "users", rule: .commitmentOpens, pair: 4, isMended: false),
    Damage(database: "users", rule: .commitmentOpens, pair: 4, byte: 5, isMended: false),
    Damage(database: "users", rule: .userRow, pair: 4, byte: 0, isMended: false),
    Damage(database: "events", rule: .seal, pair: 9, isMended: false),
    Damage(database: "events", rule: .seal, pair: 9, byte: 8, isMended: false),
    Damage(database: "events", rule: .recordDecodes, pair: 9, byte: 0, isMended: false),
    Damage(database: "events", rule: .seal, pair: 0, byte: 30, isMended: false),
  ]

  /// A ledger with a row, a spilled reaction, command ids and 30 users.
  static func sample() throws -> TestLedger {
    let test = try TestLedger()
    for index in 1...30 {
      let user = UserID(stringLiteral: "user\(index)")
      let id = CommandID(high: 9, low: UInt64(index))
      _ = try test.ledger.append(.add(":A:", to: .m1, by: user, id: id))
    }
    try test.run("+user1 B, +user2 B, -user2 A")
    _ = try test.ledger.append(.add("👍", to: .group("g2", "m2"), by: "user3"))
    try test.requireSound()
    return test
  }

  @Test(arguments: damages) func oneByte(damage: Damage) throws {
    let test = try Self.sample()
    try test.reopen {
      let pair = try RawLedger.pairs(damage.database, at: test.path)[damage.pair]
      var value = pair.value
      value[damage.byte < 0 ? value.count + damage.byte : damage.byte] ^= 0x40
      try RawLedger.put(value, for: pair.key, in: damage.database, at: test.path)
    }
    let report = try test.ledger.replay()
    #expect(!report.isOK)
    try test.requireEqualReducers()
    let finding = try #require(report.findings.first { $0.rule == damage.rule })
    #expect(finding.place.hasPrefix(damage.database.replacing(".A", with: "")))
    #expect(!finding.expected.isEmpty && finding.expected != finding.found)
    if damage.isMended {
      _ = try test.ledger.rebuild()
      try test.requireSound()
    } else {
      let before = report.findings
      #expect(throws: LedgerError.self) { try test.ledger.rebuild() }
      #expect(try test.ledger.replay().findings == before)
    }
  }

  @Test(arguments: ["messages.A", "reactors.A", "members.A", "commands.A", "userNumbers"])
  func missingAndExtraPairs(database: String) throws {
    let test = try Self.sample()
    let pairs = try { () -> RawLedger.Pairs in
      var pairs: RawLedger.Pairs = []
      try test.reopen { pairs = try RawLedger.pairs(database, at: test.path) }
      return pairs
    }()
    try test.reopen { try RawLedger.delete(pairs[0].key, in: database, at: test.path) }
    #expect(try !test.ledger.replay().isOK, "a pair is missing")
    _ = try test.ledger.rebuild()
    try test.requireSound()

    var extra = pairs[1].key
    extra[extra.count - 1] ^= 0x15
    let slot = try { () -> String in
      var slot = ""
      try test.reopen { slot = try RawLedger.liveSlot(at: test.path) }
      return slot
    }()
    let live = database.replacing(".A", with: ".\(slot)")
    try test.reopen { try RawLedger.put(pairs[1].value, for: extra, in: live, at: test.path) }
    #expect(try !test.ledger.replay().isOK, "a pair is too many")
    _ = try test.ledger.rebuild()
    try test.requireSound()
  }

  @Test func missingRecord() throws {
    let test = try Self.sample()
    try test.reopen {
      let pairs = try RawLedger.pairs("events", at: test.path)
      try RawLedger.delete(pairs[6].key, in: "events", at: test.path)
    }
    let report = try test.ledger.replay()
    #expect(report.findings.contains { $0.rule == .gapless })
    try test.requireEqualReducers()
  }

  @Test("A log that was cut off is not built upon, if a user of the lost part tells of it")
  func cutOffLog() throws {
    let test = try Self.sample()
    try test.reopen {
      let pairs = try RawLedger.pairs("events", at: test.path)
      for pair in pairs.dropFirst(20) {
        try RawLedger.delete(pair.key, in: "events", at: test.path)
      }
    }
    #expect(try test.ledger.replay().findings.contains { $0.rule == .userRow })
    #expect(throws: LedgerError.self) { try test.ledger.rebuild() }
  }

  @Test func otherPolicyInMeta() throws {
    let test = try Self.sample()
    try test.reopen {
      var bytes: [UInt8] = []
      PolicyFormat.encode(try Policy(maximumDistinctPerMessage: 19), into: &bytes)
      try RawLedger.put(
        bytes, for: Array(MetaFormat.policyKey.utf8), in: "meta", at: test.path)
    }
    #expect(try test.ledger.replay().findings.map(\.rule) == [.policy])
    _ = try test.ledger.rebuild()
    try test.requireSound()
  }

  @Test("Other emoji tables, or none, in meta", arguments: ["16.0", "", "15.0 "])
  func otherTablesInMeta(version: String) throws {
    let test = try Self.sample()
    try test.reopen {
      let key = Array(MetaFormat.tablesKey.utf8)
      if version.isEmpty {
        try RawLedger.delete(key, in: "meta", at: test.path)
      } else {
        try RawLedger.put(Array(version.utf8), for: key, in: "meta", at: test.path)
      }
    }
    let findings = try test.ledger.replay().findings
    #expect(findings.map(\.rule) == [.meta])
    #expect(findings.map(\.found) == [version.isEmpty ? "nothing" : version])
  }

  @Test("Every byte of every row, one after the other: replay finds it and reads do not trap")
  func everyByteOfARow() throws {
    let test = try Self.sample()
    var pairs: RawLedger.Pairs = []
    try test.reopen { pairs = try RawLedger.pairs("messages.A", at: test.path) }
    for pair in pairs {
      for index in pair.value.indices {
        var value = pair.value
        value[index] ^= 0x81
        try test.reopen {
          try RawLedger.put(value, for: pair.key, in: "messages.A", at: test.path)
        }
        #expect(try !test.ledger.replay().isOK, "byte \(index)")
        // Whatever reads make of it, they end in a value or a typed error.
        _ = try? test.shown()
        _ = try? test.allReactors(.named("A"))
      }
      try test.reopen {
        try RawLedger.put(pair.value, for: pair.key, in: "messages.A", at: test.path)
      }
    }
    try test.requireSound()
  }
}
