import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// Faults that a reading of the whole engine found, each with what holds it now.
@Suite struct ReviewTests {
  @Test("A restoration does not take the place of what appeared there meanwhile")
  func restorationReplacesNothing() throws {
    let test = try DamageTests.sample()
    let records = try CopyTests.records(of: test.ledger)
    let place = test.folder.file("place")
    var restoration = try LedgerRestoration(at: place)
    for record in records { try restoration.append(record) }
    let other = try Ledger.create(at: place)
    _ = try other.append(.add("👍", to: .m1, by: "u1"))
    do {
      try restoration.finish()
      Issue.record("a ledger was replaced")
    } catch LedgerError.alreadyExists {}
    _ = try other.append(.add("👍", to: .m1, by: "u2"))
    other.close()
    let again = try Ledger.open(at: place)
    #expect(again.id == other.id)
    #expect(try again.summary(of: .m1).reactions.first?.count == 2)
    #expect(throws: LedgerError.self) { try test.ledger.backup(to: place) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: test.folder.path).sorted()
        == ["L", "place"])
  }

  @Test("A folder with an empty data file and files of others is nobody's place")
  func foreignFiles() throws {
    let test = try DamageTests.sample()
    let place = test.folder.file("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    for name in ["data.mdb", "thesis.txt"] {
      try Data().write(to: URL(filePath: place + "/" + name))
    }
    #expect(throws: LedgerError.self) { try test.ledger.backup(to: place) }
    #expect(throws: LedgerError.self) { try Ledger.create(at: place) }
    #expect(FileManager.default.fileExists(atPath: place + "/thesis.txt"))
  }

  @Test("Damaged keys of the log end in findings and errors, not in traps")
  func damagedKeys() throws {
    for high in [0x80, 0x01] as [UInt8] {
      let test = try DamageTests.sample()
      try test.reopen {
        let last = try #require(try RawLedger.pairs("events", at: test.path).last)
        try RawLedger.delete(last.key, in: "events", at: test.path)
        var key = last.key
        key[0] = high
        try RawLedger.put(last.value, for: key, in: "events", at: test.path)
      }
      #expect(try test.ledger.replay().findings.contains { $0.rule == .gapless })
      #expect(throws: LedgerError.self) { try test.run("+new A") }
      #expect(throws: LedgerError.self) { try test.ledger.statistics() }
      #expect(throws: LedgerError.self) { try test.ledger.rebuild() }
    }
  }

  @Test("A feed that goes on inside a command begins with the rest of it")
  func feedInsideACommand() async throws {
    let test = try TestLedger(policy: try Policy(selection: .single))
    try test.run("+u1 A, +u1 B")
    _ = try await test.ledger.append(.add("👍", to: .group("g2", "m2"), by: "u2"))
    let position = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.position(at: 3)
    }
    var feed = test.ledger.changes(after: try #require(position)).makeAsyncIterator()
    let first = try #require(try await feed.next())
    #expect(first.operations.map(\.sequence) == [4])
    let second = try #require(try await feed.next())
    #expect(second.operations.map(\.sequence) == [5] && second.message == .group("g2", "m2"))
    try test.requireSound()
  }

  @Test("A restoration refuses a user without an id who was never erased")
  func userWithoutAnID() throws {
    let test = try DamageTests.sample()
    var records = try CopyTests.records(of: test.ledger)
    records[3] = LoggedRecord(
      entry: records[3].entry, seal: records[3].seal,
      introductions: records[3].introductions.map { .init(number: $0.number, opening: nil) })
    do {
      try CopyTests.restore(records, at: test.folder.file("restored"))
      Issue.record("restored a ledger that a replay has findings for")
    } catch LedgerError.illegalRecord(let finding) {
      #expect(finding.rule == .tombstone)
    }
  }

  @Test("An empty page says what lies on its other side") func emptyPages() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A, +u3 A")
    let first = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.reactions(on: .m1, .after(nil), limit: 2)
    }
    try test.run("-u3 A")
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      let empty = try snapshot.reactions(on: .m1, .after(first.after), limit: 2)
      #expect(empty.reactions.isEmpty && empty.after == nil)
      let back = try snapshot.reactions(on: .m1, .before(empty.before), limit: 2)
      #expect(back.reactions == first.reactions)
    }
  }

  @Test("Damage in a row does not become damage in the log") func damagedEntry() throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    try test.reopen {
      let row = try RawLedger.pairs("messages.A", at: test.path)[0]
      var value = row.value
      for index in value.count - 6..<value.count { value[index] = 0 }
      try RawLedger.put(value, for: row.key, in: "messages.A", at: test.path)
    }
    #expect(throws: LedgerError.self) { try test.run("-u1 A") }
    _ = try test.ledger.rebuild()
    #expect(try test.run("-u1 A").map(\.name) == ["recorded"])
    try test.requireSound()
  }

  @Test("A policy in meta that cannot be read is a finding, and is mended") func damagedPolicy()
    throws
  {
    let test = try DamageTests.sample()
    try test.reopen {
      try RawLedger.put([9], for: Array(MetaFormat.policyKey.utf8), in: "meta", at: test.path)
    }
    #expect(try test.ledger.replay().findings.map(\.rule) == [.policy])
    _ = try test.ledger.rebuild()
    try test.requireSound()
  }
}
