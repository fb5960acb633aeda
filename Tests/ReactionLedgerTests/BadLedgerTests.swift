import Foundation
import Testing

/// What is no ledger, cannot be opened or is damaged: exit status 3, a line that says what to do, and
/// nothing lost.
struct BadLedgerTests {
  private static let message = "--conversation group:g1 --message m1"
  /// A run of every command that opens the ledger `L`.
  static let commands = [
    "add L \(message) --user u9 👍", "remove L \(message) --user u1 👍", "show L \(message)",
    "reactors L \(message) --reaction 👍", "history L \(message)", "events L", "replay L",
    "rebuild L", "stat L", "import L --format slack export", "generate L --events 3",
  ]

  private func expect3(
    _ folder: WorkFolder, _ line: String, says text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try folder.run(line)
    #expect(run.status == 3 && run.output.isEmpty, "\(line)", sourceLocation: sourceLocation)
    #expect(run.errors.hasPrefix("reaction-ledger: "), sourceLocation: sourceLocation)
    #expect(run.errors.contains(text), "\(line): \(run.errors)", sourceLocation: sourceLocation)
    #expect(run.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
  }

  /// A folder with a ledger `L` of two events and an export.
  private func makeLedger() throws -> WorkFolder {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.message) --user u1 👍")
    try folder.succeed("add L \(Self.message) --user u2 ❤")
    try folder.write(
      #"[{"ts":"1.2","reactions":[{"name":"+1","users":["u1"],"count":1}]}]"#,
      to: "export/c1/2026-01-01.json")
    return folder
  }

  @Test("There is no ledger") func absent() throws {
    let folder = try WorkFolder()
    for line in Self.commands where !line.hasPrefix("add") && !line.hasPrefix("import") {
      try expect3(folder, line, says: "there is no ledger at L: make one with")
    }
    #expect(try folder.contents().isEmpty)
    for line in ["create no/L", "add no/L \(Self.message) --user u1 👍"] {
      try expect3(folder, line, says: "the folder that is to hold it is not there")
    }
    #expect(try folder.contents().isEmpty)
  }

  @Test("The path is no ledger", arguments: commands + ["create L"]) func foreign(line: String)
    throws
  {
    let folder = try WorkFolder()
    try folder.write("text", to: "L")
    try expect3(folder, line, says: "L is no ledger: it is not a folder")
    #expect(try String(contentsOfFile: folder("L"), encoding: .utf8) == "text")

    let other = try WorkFolder()
    try other.write("text", to: "L/notes.txt")
    try expect3(other, line, says: "L is no ledger: it is a folder with other files")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other("L")) == ["notes.txt"])

    let third = try WorkFolder()
    try third.write(String(repeating: "no data of LMDB ", count: 1000), to: "L/data.mdb")
    try expect3(third, line, says: "L is no ledger: ")
  }

  @Test("A newer format", arguments: commands) func newerFormat(line: String) throws {
    let folder = try makeLedger()
    let key = Array("format".utf8)
    let format = try LedgerFile.value(of: key, in: "meta", of: folder("L"))
    try LedgerFile.put([0, 99], for: key, in: "meta", of: folder("L"))
    try expect3(folder, line, says: "has format version 99: use a newer reaction-ledger")
    try LedgerFile.put(format, for: key, in: "meta", of: folder("L"))
    #expect(try folder.provenHead(of: "L") == 3)
  }

  @Test("A data file that was cut off", arguments: commands) func truncated(line: String) throws {
    let folder = try makeLedger()
    let whole = try Data(contentsOf: URL(filePath: folder("L/data.mdb")))
    for byteCount in [whole.count - 4096, whole.count / 2] {
      try whole.prefix(byteCount).write(to: URL(filePath: folder("L/data.mdb")))
      try expect3(folder, line, says: "the ledger at L is damaged: ")
    }
    try whole.write(to: URL(filePath: folder("L/data.mdb")))
    #expect(try folder.provenHead(of: "L") == 3)
  }

  @Test("A row that does not decode: reading says so, rebuilding mends it") func row() throws {
    let folder = try makeLedger()
    let key = try LedgerFile.firstKey(in: "messages.A", of: folder("L"))
    try LedgerFile.put([1, 2, 3], for: key, in: "messages.A", of: folder("L"))
    try expect3(folder, "show L \(Self.message)", says: "\"reaction-ledger rebuild\" mends it")
    try expect3(folder, "history L \(Self.message)", says: "rule J1 broken at messages group:g1/m1")
    try folder.succeed("rebuild L")
    #expect(try folder.succeed("show L \(Self.message)").output.contains("👍 1: u1"))
    #expect(try folder.provenHead(of: "L") == 3)
  }

  @Test("A record that does not decode") func record() throws {
    let folder = try makeLedger()
    try LedgerFile.put([9], for: LedgerFile.key(ofEvent: 3), in: "events", of: folder("L"))
    let run = try folder.run("history L \(Self.message) --json")
    #expect(run.status == 3)
    #expect(run.errors.contains("rule L2 broken at events 3"), "\(run.errors)")
    #expect(run.errors.contains("\"reaction-ledger replay\" says what else is"))
  }

  @Test("A damaged record in a long log: what was read before it is printed") func events() throws {
    let folder = try makeLedger()
    try folder.succeed("generate L --events 2500")
    try LedgerFile.put([9], for: LedgerFile.key(ofEvent: 2400), in: "events", of: folder("L"))
    let run = try folder.run("events L --json")
    #expect(run.status == 3 && run.lines.count == 2000)
    #expect(run.lines.last?.hasPrefix("{\"sequence\":2000,") == true)
    #expect(run.errors.contains("rule L2 broken at events 2400"), "\(run.errors)")
  }
}
