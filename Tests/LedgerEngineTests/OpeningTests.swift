import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

@Suite struct OpeningTests {
  @Test func whatIsNoLedger() throws {
    let folder = try TemporaryFolder()
    let absent = folder.file("absent")
    #expect(throws: LedgerError.self) { try Ledger.open(at: absent) }
    #expect(isNotFound { try Ledger.open(at: absent) })
    #expect(!FileManager.default.fileExists(atPath: absent))

    let file = folder.file("file")
    try Data("hello".utf8).write(to: URL(filePath: file))
    #expect(isNotALedger { try Ledger.open(at: file) })
    #expect(isNotALedger { try Ledger.create(at: file) })

    let foreign = folder.file("foreign")
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(filePath: foreign + "/notes.txt"))
    #expect(isNotALedger { try Ledger.open(at: foreign) })
    #expect(isNotALedger { try Ledger.create(at: foreign) })

    let garbage = folder.file("garbage")
    try FileManager.default.createDirectory(atPath: garbage, withIntermediateDirectories: false)
    try Data(repeating: 7, count: 100_000).write(to: URL(filePath: garbage + "/data.mdb"))
    #expect(isNotALedger { try Ledger.open(at: garbage) })
    try Data().write(to: URL(filePath: garbage + "/data.mdb"))
    #expect(isNotFound { try Ledger.open(at: garbage) })
    #expect(try Ledger.open(at: garbage, creating: .standard).replay().isOK)
  }

  @Test func existingAndOpen() throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    #expect(isAlreadyOpen { try Ledger.open(at: test.path) })
    #expect(isAlreadyOpen { try Ledger.open(at: test.path + "/../L/") })
    test.ledger.close()
    test.ledger.close()
    do {
      _ = try Ledger.create(at: test.path)
      Issue.record("a ledger was created over another")
    } catch .alreadyExists(let path) {
      #expect(path == test.path)
    } catch {
      Issue.record("\(error)")
    }
    try test.reopen()
    #expect(try test.shown() == "A=1[u1]")
  }

  @Test func closedLedger() throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    test.ledger.close()
    #expect(isClosed { try test.ledger.append(.add("👍", to: .m1, by: "u2")) })
    #expect(isClosed { try test.shown() })
    #expect(isClosed { try test.ledger.replay() })
    #expect(isClosed { try test.ledger.rebuild() })
  }

  @Test func newerFormat() throws {
    let test = try TestLedger()
    test.ledger.close()
    try RawLedger.put(
      [0, 9], for: Array(MetaFormat.formatKey.utf8), in: "meta", at: test.path)
    do {
      _ = try Ledger.open(at: test.path)
      Issue.record("a newer format was opened")
    } catch .newerFormat(let version) {
      #expect(version == 9)
    } catch {
      Issue.record("\(error)")
    }
    try RawLedger.put(
      MetaFormat.encodeFormat(), for: Array(MetaFormat.formatKey.utf8), in: "meta", at: test.path)
    try test.reopen()
    try test.requireSound()
  }

  @Test("A data file that was cut off is an error, not a crash", arguments: [1, 2, 3, 5, 8])
  func truncated(keptPages: Int) async throws {
    let test = try DamageTests.sample()
    test.ledger.close()
    let file = test.path + "/data.mdb"
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.truncate(atOffset: UInt64(keptPages) * 4096)
    try handle.close()
    #expect(throws: LedgerError.self) { try Ledger.open(at: test.path) }
  }

  @Test func anotherDatabase() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try RawLedger.create("things", at: path)
    #expect(isNotALedger { try Ledger.open(at: path) })
  }

  @Test func openCreatesOnlyWithAPolicy() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    let policy = try Policy(selection: .single, maximumDistinctPerMessage: 7)
    do {
      let ledger = try Ledger.open(at: path, creating: policy)
      #expect(
        try ledger.read { (s: borrowing Snapshot) throws(LedgerError) in try s.policy } == policy)
    }
    let ledger = try Ledger.open(at: path, creating: .standard)
    #expect(
      try ledger.read { (s: borrowing Snapshot) throws(LedgerError) in try s.policy } == policy)
    #expect(try ledger.replay().isOK)
  }

  @Test func clockThatGoesBack() throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    test.clock.set(1_000)
    let receipt = try #require(try test.run("+u2 A")[0].receipt)
    #expect(receipt.recordedAt.microseconds >= 1_700_000_000_000_000)
    #expect(try test.ledger.statistics().warnings.count == 1)
    try test.requireSound()
  }

  private func isNotFound(_ body: () throws -> Ledger) -> Bool {
    if case .notFound? = error(body) { true } else { false }
  }

  private func isNotALedger(_ body: () throws -> Ledger) -> Bool {
    if case .notALedger? = error(body) { true } else { false }
  }

  private func isAlreadyOpen(_ body: () throws -> Ledger) -> Bool {
    if case .alreadyOpen? = error(body) { true } else { false }
  }

  private func isClosed<R>(_ body: () throws -> R) -> Bool {
    if case .closed? = error(body) { true } else { false }
  }

  private func error<R>(_ body: () throws -> R) -> LedgerError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? LedgerError
    }
  }
}
