import LMDB
import LedgerInterchange
import Testing

/// What `replay` and `rebuild` say of a ledger that is not what its log says.
struct FindingTests {
  private static let message = "--conversation group:g1 --message m1"

  private func makeLedger() throws -> WorkFolder {
    let folder = try WorkFolder()
    for user in 1...3 { try folder.succeed("add L \(Self.message) --user u\(user) 👍") }
    return folder
  }

  @Test("A projection that is wrong: found, and mended by rebuild") func projection() throws {
    let folder = try makeLedger()
    let key = try LedgerFile.firstKey(in: "messages.A", of: folder("L"))
    try LedgerFile.change(folder("L"), "messages.A") { (transaction, handle) throws(LMDBError) in
      _ = try transaction.delete(key.span, in: handle)
    }
    let run = try folder.run("replay L --json")
    #expect(run.status == 1 && run.errors.isEmpty)
    let report = try JSONParser.parse(Array(run.output.utf8))
    #expect(report["ok"] == .bool(false))
    #expect(report["events"]?.int64 == 3 && report["messages"]?.int64 == 1)
    let findings = try #require(report["findings"]?.array)
    #expect(report["findingCount"]?.int64 == Int64(findings.count) && !findings.isEmpty)
    for finding in findings {
      guard case .object(let object) = finding else { throw Mismatch() }
      #expect(object.members.map(\.key) == ["rule", "place", "expected", "found", "sequence"])
      #expect(finding["rule"]?.string == "J1")
    }
    let text = try folder.run("replay L")
    #expect(text.status == 1 && text.lines[0].hasPrefix("rule J1 broken at messages"))
    #expect(try #require(text.lines.last).hasPrefix("1 finding, level tree: 3 events on 1"))
    #expect(try folder.run("replay L --level legality").status == 0)
    try folder.succeed("rebuild L")
    #expect(try folder.provenHead(of: "L") == 4)
    #expect(try folder.succeed("show L \(Self.message)").output.contains("👍 3: u1, u2, u3"))
  }

  @Test("A log that is wrong: found at every level, and rebuild refuses") func log() throws {
    let folder = try makeLedger()
    let key = LedgerFile.key(ofEvent: 3)
    let record = try LedgerFile.value(of: key, in: "events", of: folder("L"))
    var changed = record
    changed[changed.count - 1] ^= 1
    try LedgerFile.put(changed, for: key, in: "events", of: folder("L"))
    for level in ["log", "legality", "projections", "tree"] {
      let run = try folder.run("replay L --level \(level) --json")
      #expect(run.status == 1)
      let report = try JSONParser.parse(Array(run.output.utf8))
      #expect(report["level"]?.string == level)
      let finding = try #require(report["findings"]?.array?.first)
      #expect(finding["rule"]?.string == "L4" && finding["sequence"]?.int64 == 3)
    }
    let text = try folder.run("rebuild L")
    #expect(text.status == 1 && text.lines.count == 1)
    #expect(text.output.hasPrefix("rule L4 broken at events 3: expected "))
    #expect(text.errors.hasPrefix("reaction-ledger: L: the log itself is damaged (1 finding"))
    let json = try folder.run("rebuild L --json")
    #expect(json.status == 1)
    let report = try JSONParser.parse(Array(json.output.utf8))
    #expect(report["rebuilt"] == .bool(false))
    #expect(report["findings"]?.array?.first?["rule"]?.string == "L4")
    try LedgerFile.put(record, for: key, in: "events", of: folder("L"))
    #expect(try folder.provenHead(of: "L") == 4)
  }

  private struct Mismatch: Error {}
}
