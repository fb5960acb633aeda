import Foundation
import LMDB
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// A ledger that was opened for reading only.
@Suite struct ReadOnlyTests {
  private var options: LedgerOptions {
    var options = LedgerOptions()
    options.access = .readOnly
    return options
  }

  @Test func whatChangesItThrows() throws {
    let test = try TestLedger()
    try test.run("+u1 A, +u2 A")
    test.ledger.close()
    let data = try Data(contentsOf: URL(filePath: test.path + "/data.mdb"))
    let ledger = try Ledger.open(at: test.path, options: options)
    #expect(ledger.access == .readOnly && ledger.isLocked)
    #expect(isReadOnly { _ = try ledger.append(.add("👍", to: .m1, by: "u3")) })
    #expect(isReadOnly { _ = try ledger.append(.erase("u1")) })
    #expect(isReadOnly { _ = try ledger.rebuild() })
    #expect(isReadOnly { _ = try ledger.indexByUser(true) })
    #expect(try ledger.replay().isOK)
    #expect(try ledger.statistics().head == 3)
    #expect(try ledger.flushedRecords(after: 0, limit: 10).count == 3)
    ledger.close()
    #expect(try Data(contentsOf: URL(filePath: test.path + "/data.mdb")) == data)
    do {
      _ = try ledger.append(.add("👍", to: .m1, by: "u3"))
      Issue.record("a closed ledger took a command")
    } catch .closed {
    } catch {
      Issue.record("\(error)")
    }
    try test.reopen()
    try test.requireSound()
  }

  @Test func nothingIsMade() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    #expect(isReadOnly { _ = try Ledger.create(at: path, options: options) })
    #expect(isReadOnly { _ = try Ledger.open(at: path, creating: .standard, options: options) })
    #expect(throws: LedgerError.self) { try Ledger.open(at: path, options: options) }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!Ledger.isWritable(at: path))
  }

  @Test func anotherDatabaseIsNoLedger() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try RawLedger.create("things", at: path)
    #expect(Ledger.isWritable(at: path))
    do {
      _ = try Ledger.open(at: path, options: options)
      Issue.record("another database was opened")
    } catch .notALedger {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("Others may write meanwhile, and what they wrote is seen") func beside() throws {
    let test = try TestLedger()
    try test.run("+u1 A")
    test.ledger.close()
    let ledger = try Ledger.open(at: test.path, options: options)
    // Another process would do so: this one may have the folder open once.
    #expect(throws: LedgerError.self) { try Ledger.open(at: test.path) }
    ledger.close()
    try test.reopen()
    try test.run("+u2 A")
    test.ledger.close()
    let again = try Ledger.open(at: test.path, options: options)
    #expect(try again.statistics().head == 3)
  }

  private func isReadOnly(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      if case .readOnly? = error as? LedgerError { return true }
      return false
    }
  }
}
