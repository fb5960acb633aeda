import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

@Suite struct GrowthTests {
  private static func small(_ options: inout LedgerOptions) { options.mapSizeBytes = 256 * 1024 }

  @Test("A small map grows under load, with readers at work in other threads")
  func growsUnderLoad() throws {
    let test = try TestLedger(adjust: Self.small)
    let ledger = test.ledger
    let isDone = TestLock(false)
    let readers = (0..<3).map { _ in
      TestThread {
        while !isDone.withLock({ $0 }) {
          do {
            try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
              let before = try snapshot.summary(of: .m1)
              let page = try snapshot.reactors(of: .named("A"), on: .m1, limit: 100)
              #expect(page.count == before.reactions.first?.count ?? 0)
            }
          } catch {
            Issue.record("\(error)")
          }
        }
      }
    }
    let before = try ledger.statistics().mapByteCount
    for start in stride(from: 0, to: 6_000, by: 500) {
      let commands = (start..<start + 500).map {
        Command.add(":A:", to: .m1, by: UserID(stringLiteral: "user-with-a-long-name-\($0)"))
      }
      #expect(try ledger.append(commands).allSatisfy { $0.name == "recorded" })
    }
    isDone.withLock { $0 = true }
    for reader in readers { reader.join() }
    #expect(try ledger.statistics().mapByteCount > before)
    try test.requireSound()
  }

  @Test("A restoration and a rebuild grow a small map too") func restorationGrows() throws {
    let test = try TestLedger(adjust: Self.small)
    let commands = (0..<3_000).map {
      Command.add(":A:", to: .m1, by: UserID(stringLiteral: "u\($0)"))
    }
    _ = try test.ledger.append(commands)
    _ = try test.ledger.rebuild()
    try test.requireSound()
    let path = test.folder.file("restored")
    var restoration = try LedgerRestoration(at: path, mapSizeBytes: 256 * 1024)
    for record in try CopyTests.records(of: test.ledger) { try restoration.append(record) }
    try restoration.finish()
    #expect(try Ledger.open(at: path).replay().isOK)
  }

  @Test("A read closure that appends into a full map traps with a message")
  func appendInsideRead() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let test = try TestLedger(adjust: GrowthTests.small)
      try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        for index in 0..<100_000 {
          _ = try test.ledger.append(
            .add(":A:", to: .m1, by: UserID(stringLiteral: "user-\(index)")))
        }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("inside a read closure"))
  }

  @Test("A read closure may append while there is room") func appendInsideReadWithRoom() throws {
    let test = try TestLedger()
    try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      _ = try test.ledger.append(.add(":A:", to: .m1, by: "u1"))
      #expect(try snapshot.summary(of: .m1).reactions.isEmpty, "the snapshot is of before")
    }
    #expect(try test.shown() == "A=1[u1]")
  }

  @Test("Used-up reader slots are a typed error, and pass") func readerSlots() throws {
    let test = try TestLedger { $0.maximumReaderCount = 4 }
    try test.run("+u1 A")
    let ledger = test.ledger
    func nest(_ depth: Int) throws(LedgerError) -> Int {
      try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        _ = try snapshot.summary(of: .m1)
        return depth >= 10 ? depth : try nest(depth + 1)
      }
    }
    #expect(throws: LedgerError.self) { try nest(1) }
    #expect(try nest(9) == 10)
    #expect(try test.shown() == "A=1[u1]")
  }
}
