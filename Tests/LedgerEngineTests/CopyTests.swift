import Foundation
import LedgerEngine
import LedgerHash
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// Restore, backup and compaction.
@Suite struct CopyTests {
  /// All that an export holds.
  static func records(of ledger: Ledger) throws -> [LoggedRecord] {
    var records: [LoggedRecord] = []
    while true {
      let after = records.last?.entry.sequence ?? 0
      let part = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.loggedRecords(after: after, limit: 777)
      }
      records += part
      if part.count < 777 { return records }
    }
  }

  static func restore(_ records: [LoggedRecord], at path: String) throws {
    var restoration = try LedgerRestoration(at: path)
    for record in records { try restoration.append(record) }
    try restoration.finish()
  }

  static func policy(seed: UInt64) throws -> Policy {
    switch seed % 4 {
    case 0: try Policy(selection: .single)
    case 1: try Policy(validity: .anyText)
    case 2: try Policy(maximumDistinctPerMessage: 3, maximumPerUserAndMessage: 2)
    default: .standard
    }
  }

  @Test("Case 47: a restored ledger has the bytes of the one that was exported", arguments: 1...200)
  func restoreIsIdentical(seed: UInt64) throws {
    let test = try TestLedger(policy: try Self.policy(seed: seed))
    var source = CommandSource(seed: seed)
    let commands = (0..<250).map { _ in source.next() }
    _ = try test.ledger.append(commands)
    let exported = try Self.records(of: test.ledger)
    let path = test.folder.file("restored")
    try Self.restore(exported, at: path)
    let restored = try Ledger.open(at: path)
    #expect(restored.id == test.ledger.id)
    #expect(try Self.records(of: restored) == exported)
    #expect(try restored.replay().findings == [])
    restored.close()
    test.ledger.close()
    try RawLedger.expectSame(path, test.path)
  }

  @Test("What a restoration refuses, and that it leaves nothing") func illegalRecords() throws {
    let test = try DamageTests.sample()
    let sound = try Self.records(of: test.ledger)
    let path = test.folder.file("restored")
    typealias Change = (inout [LoggedRecord]) -> Void
    let table: [(Rule?, Change)] = [
      (.gapless, { $0.remove(at: 5) }),
      (.gapless, { $0.swapAt(5, 6) }),
      (.gapless, { $0.insert($0[3], at: 4) }),
      (
        .seal,
        {
          $0[7] = LoggedRecord(
            entry: $0[7].entry, seal: $0[7].seal ^ 1, introductions: $0[7].introductions)
        }
      ),
      (.seal, { $0[7] = Self.changed($0[7]) { $0.cause = .moderation } }),
      (
        .userOrder,
        {
          $0[7] = LoggedRecord(
            entry: $0[7].entry, seal: $0[7].seal, introductions: [])
        }
      ),
      (
        .commitmentOpens,
        {
          $0[7] = LoggedRecord(
            entry: $0[7].entry, seal: $0[7].seal,
            introductions: [.init(number: 7, opening: .init(salt: .init(high: 1, low: 2), id: "x"))]
          )
        }
      ),
      (.recordDecodes, { $0[7] = Self.changed($0[7]) { $0.actor = 0 } }),
      (.recordDecodes, { $0[7] = Self.changed($0[7]) { $0.place.index = 9_999_999 } }),
      (.recordDecodes, { $0[7] = Self.changed($0[7]) { $0.user = 0 } }),
      (nil, { $0 = [] }),
    ]
    for (rule, change) in table {
      var records = sound
      change(&records)
      do {
        try Self.restore(records, at: path)
        Issue.record("restored in spite of \(rule.map(\.rawValue) ?? "nothing to restore")")
      } catch LedgerError.illegalRecord(let finding) {
        #expect(finding.rule == rule)
      } catch LedgerError.incompleteLog(let head) {
        #expect(rule == nil && head == 0)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.path) == ["L"])
    }
    try Self.restore(sound, at: path)
    #expect(throws: LedgerError.self) { try Self.restore(sound, at: path) }
    #expect(try Ledger.open(at: path).replay().isOK)
  }

  @Test("A restoration refuses what a replay would have a finding for, though its seal is right")
  func illegalSealedRecords() throws {
    let test = try DamageTests.sample()
    let sound = try Self.records(of: test.ledger)
    // Record 32 and 33 add B of two users, 34 removes A of the second.
    let table: [(rule: Rule, index: Int, change: (inout Record) -> Void)] = [
      (.timeOrder, 33, { $0.recordedAt = Timestamp(microseconds: 5) }),
      (.commandBoundary, 33, { $0.place = .init(.remove, index: 0, count: 2) }),
      (.commandBoundary, 33, { $0.place = .init(.erase, index: 1, count: 2) }),
      (.commandBoundary, 32, { $0.place = .init(.add, index: 0, count: 2) }),
      (.chain, 33, { Self.change(&$0) { $0.previous -= 1 } }),
      (.noDuplicateAdd, 32, { $0.user = 1 }),
      (.removeEndsLiveAdd, 33, { Self.change(&$0) { $0.kind = .removed(ends: 2) } }),
      (.removeEndsLiveAdd, 33, { $0.user = 9 }),
      (.commandIDOnce, 32, { $0.commandID = CommandID(high: 9, low: 3) }),
      (.userOrder, 32, { $0.user = 31 }),
      (.userOrder, 32, { $0.actor = 77 }),
      (
        .creation, 32,
        {
          $0.content = .created(ledger: test.ledger.id, policy: .standard)
          ($0.user, $0.place) = (0, .init(.create))
        }
      ),
    ]
    for (rule, index, change) in table {
      var records = sound
      records[index] = Self.resealed(Self.changed(sound[index], change))
      do {
        try Self.restore(records, at: test.folder.file("restored"))
        Issue.record("restored in spite of \(rule.rawValue)")
      } catch LedgerError.illegalRecord(let finding) {
        #expect(finding.rule == rule && finding.sequence == UInt64(index) + 1, "\(finding)")
      }
    }
    var cut = sound
    cut[32] = Self.resealed(
      Self.changed(sound[32]) {
        $0.place = .init(.clearReaction, index: 0, count: 2)
        Self.change(&$0) { $0.kind = .removed(ends: 32) }
        $0.user = 1
      })
    do {
      try Self.restore(Array(cut.prefix(33)), at: test.folder.file("restored"))
      Issue.record("restored half a command")
    } catch LedgerError.incompleteLog(let head) {
      #expect(head == 33)
    }
  }

  private static func change(_ record: inout Record, _ body: (inout Record.Change) -> Void) {
    guard case .change(var change) = record.content else { return }
    body(&change)
    record.content = .change(change)
  }

  private static func resealed(_ logged: LoggedRecord) -> LoggedRecord {
    var bytes: [UInt8] = []
    RecordFormat.encode(logged.entry.record, into: &bytes)
    return LoggedRecord(
      entry: logged.entry, seal: SHA256().hash(prefix: 0, bytes.span).words.0,
      introductions: logged.introductions)
  }

  private static func changed(
    _ logged: LoggedRecord, _ change: (inout Record) -> Void
  ) -> LoggedRecord {
    var record = logged.entry.record
    change(&record)
    return LoggedRecord(
      entry: Entry(
        sequence: logged.entry.sequence, record: record, user: logged.entry.user,
        actor: logged.entry.actor),
      seal: logged.seal, introductions: logged.introductions)
  }

  @Test("A backup is a sound ledger of one moment, while others write") func backup() throws {
    let test = try TestLedger()
    let ledger = test.ledger
    let thread = TestThread {
      for index in 0..<400 {
        _ = try? ledger.append(.add("👍", to: .m1, by: UserID(stringLiteral: "u\(index)")))
      }
    }
    var heads: [UInt64] = []
    for index in 0..<5 {
      let path = test.folder.file("backup\(index)")
      try ledger.backup(to: path + "/")
      let copy = try Ledger.open(at: path)
      let report = try copy.replay()
      #expect(report.findings == [])
      #expect(copy.id == ledger.id)
      heads.append(report.head)
      copy.close()
      #expect(throws: LedgerError.self) { try ledger.backup(to: path) }
    }
    thread.join()
    #expect(heads == heads.sorted())
    try test.requireSound()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: test.folder.path).sorted()
        == ["L"] + (0..<5).map { "backup\($0)" })
  }

  @Test("Compaction shrinks the file, changes nothing else, and is refused while it is open")
  func compact() throws {
    let test = try DamageTests.sample()
    let names = (0..<500).map { UserID(stringLiteral: "x\($0)") }
    _ = try test.ledger.append(names.map { .add("👍", to: .m1, by: $0) })
    _ = try test.ledger.append(names.map { .remove("👍", from: .m1, by: $0) })
    let records = try Self.records(of: test.ledger)
    do {
      _ = try Ledger.compact(at: test.path)
      Issue.record("compacted while open")
    } catch .inUse(_, let processIDs) {
      #expect(processIDs == [Int(getpid())])
    } catch {
      Issue.record("\(error)")
    }
    try test.requireSound()
    var report: Ledger.CompactionReport?
    try test.reopen { report = try Ledger.compact(at: test.path) }
    let sizes = try #require(report)
    #expect(sizes.bytesAfter < sizes.bytesBefore)
    #expect(try Self.records(of: test.ledger) == records)
    try test.requireSound()
    try test.run("+after A")
    try test.requireSound()
    let absent = test.folder.file("none")
    #expect(throws: LedgerError.self) { try Ledger.compact(at: absent) }
    #expect(!FileManager.default.fileExists(atPath: absent))
  }

  @Test("A lock let go in a moment does not stop a compaction; one that is kept does")
  func lockOfAStartingChild() throws {
    let test = try DamageTests.sample()
    test.ledger.close()
    let held = unsafe open(test.path + "/ledger.lock", O_RDWR | O_CLOEXEC)
    try #require(held >= 0 && flock(held, LOCK_SH) == 0)
    let release = TestThread {
      usleep(200_000)
      flock(held, LOCK_UN)
    }
    _ = try Ledger.compact(at: test.path)
    release.join()
    try #require(flock(held, LOCK_SH) == 0)
    #expect(throws: LedgerError.self) { try Ledger.compact(at: test.path) }
    close(held)
    try test.reopen()
    try test.requireSound()
  }

  @Test("Killed at each step of a compaction, the ledger opens and is what it was")
  func compactKilled() async throws {
    for step in Ledger.CompactionStep.allCases {
      let test = try DamageTests.sample()
      let records = try Self.records(of: test.ledger)
      test.ledger.close()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = test.path as String, step = step.rawValue as Int] in
        _ = try Ledger.compact(at: path) { if $0.rawValue == step { kill(getpid(), SIGKILL) } }
      }
      try test.reopen()
      #expect(try Self.records(of: test.ledger) == records, "\(step)")
      try test.requireSound()
      try test.run("+after A")
      try test.reopen { _ = try Ledger.compact(at: test.path) }
      #expect(try test.ledger.statistics().head == UInt64(records.count) + 1)
      try test.requireSound()
    }
  }
}
