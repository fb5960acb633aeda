import Foundation
import Testing

/// What an unprivileged user may not do.
///
/// The super-user may everything, so there the tool is run as another user, from a copy that this
/// one may read.
@Suite(.enabled(if: Unprivileged.isPossible, "needs setpriv to run the tool as another user"))
struct PermissionTests {
  private static let message = "--conversation group:g1 --message m1"

  private func makeLedger() throws -> WorkFolder {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.message) --user u1 👍")
    try Unprivileged.copyTool(to: folder)
    try Unprivileged.setMode(0o755, of: folder.path)
    try Unprivileged.setMode(0o755, of: folder("tool"))
    return folder
  }

  /// Commands that only read.
  static let reading = [
    "show L \(message)", "reactors L \(message) --reaction 👍", "history L \(message)",
    "history L --user u1", "events L --json", "replay L", "replay L --json", "stat L --full --json",
    "export L", "policy L",
  ]
  /// What is said where no lock can be taken.
  private static let warning = """
    reaction-ledger: L cannot be written, so it is read without a lock: what is shown is right only \
    if nobody writes it meanwhile

    """

  /// Runs a command as a user who may read the ledger and write nothing, and requires that not a
  /// byte of its folder changed, nor a time.
  private func runReading(
    _ line: String, in folder: WorkFolder, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ToolRun {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder("L")) {
      try Unprivileged.setMode(0o444, of: folder("L/" + name))
    }
    try Unprivileged.setMode(0o555, of: folder("L"))
    let before = try FolderState(folder("L"))
    let run = try Unprivileged.run(Transcript.words(of: line), in: folder)
    #expect(try FolderState(folder("L")) == before, "\(line)", sourceLocation: sourceLocation)
    try Unprivileged.setMode(0o755, of: folder("L"))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder("L")) {
      try Unprivileged.setMode(0o644, of: folder("L/" + name))
    }
    return run
  }

  @Test("A folder for reading only is read, and not a byte written", arguments: reading)
  func readOnly(line: String) throws {
    let folder = try makeLedger()
    let expected = try folder.succeed(line)
    let run = try runReading(line, in: folder)
    #expect(run.status == 0 && run.output == expected.output)
    #expect(run.errors == Self.warning)
    // As copied from elsewhere: only the data.
    for name in ["lock.mdb", "ledger.lock"] {
      try FileManager.default.removeItem(atPath: folder("L/" + name))
    }
    let copied = try runReading(line, in: folder)
    #expect(copied.status == 0 && copied.output == expected.output)
    #expect(copied.errors == Self.warning)
    #expect(try folder.provenHead(of: "L") == 2)
  }

  @Test(
    "A folder for reading only is not changed",
    arguments: ["add L \(message) --user u9 👍", "rebuild L", "erase L --user u1", "compact L"])
  func unchanged(line: String) throws {
    let folder = try makeLedger()
    let run = try runReading(line, in: folder)
    #expect(run.status == 3 && run.output.isEmpty)
    #expect(run.errors.contains("the ledger at L cannot be opened ("), "\(run.errors)")
    #expect(run.errors.contains("changing it to write all in its folder"))
    #expect(try folder.provenHead(of: "L") == 2)
  }

  @Test("A backup is made from a folder for reading only") func backup() throws {
    let folder = try makeLedger()
    try FileManager.default.createDirectory(
      atPath: folder("open"), withIntermediateDirectories: false)
    try Unprivileged.setMode(0o777, of: folder("open"))
    let run = try runReading("backup L open/copy", in: folder)
    #expect(run.status == 0 && run.errors == Self.warning)
    #expect(try folder.provenHead(of: "open/copy") == 2)
  }

  @Test("A data file for reading only in a folder that can be written: with the lock")
  func dataOnly() throws {
    let folder = try makeLedger()
    try Unprivileged.setMode(0o777, of: folder("L"))
    try Unprivileged.setMode(0o666, of: folder("L/lock.mdb"))
    let data = try Data(contentsOf: URL(filePath: folder("L/data.mdb")))
    let run = try Unprivileged.run(["replay", "L"], in: folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(try Data(contentsOf: URL(filePath: folder("L/data.mdb"))) == data)
    #expect(try folder.provenHead(of: "L") == 2)
  }

  @Test("A sick ledger in a folder for reading only: errors and findings, no traps")
  func sick() throws {
    let folder = try makeLedger()
    let file = URL(filePath: folder("L/data.mdb"))
    let whole = try Data(contentsOf: file)
    for byteCount in [0, 1, 4096, 8192, whole.count - 4096] {
      try whole.prefix(byteCount).write(to: file)
      for line in Self.reading {
        let run = try runReading(line, in: folder)
        #expect(run.status == 3 && run.output.isEmpty, "\(byteCount) \(line) \(run)")
      }
    }
    try Data(repeating: 7, count: 50_000).write(to: file)
    #expect(try runReading("replay L", in: folder).errors.contains("L is no ledger: "))
    try whole.write(to: file)

    let key = try LedgerFile.firstKey(in: "messages.A", of: folder("L"))
    try LedgerFile.put([1, 2, 3], for: key, in: "messages.A", of: folder("L"))
    let replayed = try runReading("replay L", in: folder)
    #expect(replayed.status == 1 && replayed.output.hasPrefix("rule J1 broken"))
    #expect(try runReading("show L \(Self.message)", in: folder).status == 3)
    try LedgerFile.put([0, 99], for: Array("format".utf8), in: "meta", of: folder("L"))
    #expect(
      try runReading("replay L", in: folder).errors.contains("has format version 99"))
  }

  @Test("A folder that may not be looked into is not taken for an empty one")
  func unreadable() throws {
    let folder = try makeLedger()
    try FileManager.default.createDirectory(
      atPath: folder("closed/L"), withIntermediateDirectories: true)
    try Unprivileged.setMode(0, of: folder("closed"))
    try Unprivileged.setMode(0, of: folder("L"))
    for path in ["L", "closed/L"] {
      for line in ["show \(path) \(Self.message)", "add \(path) \(Self.message) --user u 👍"] {
        let run = try Unprivileged.run(Transcript.words(of: line), in: folder)
        #expect(run.status == 3 && run.output.isEmpty)
        #expect(run.errors.contains("the ledger at \(path) cannot be opened ("), "\(run.errors)")
      }
    }
    try Unprivileged.setMode(0o755, of: folder("closed"))
    try Unprivileged.setMode(0o755, of: folder("L"))
    #expect(try folder.provenHead(of: "L") == 2)
  }
}

/// What a folder and its files are: names, bytes, times.
private struct FolderState: Equatable {
  private var files: [String: Data] = [:]
  private var times: [String: Date] = [:]

  init(_ path: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) + ["."] {
      let file = path + "/" + name
      times[name] =
        try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
      if name != "." { files[name] = try Data(contentsOf: URL(filePath: file)) }
    }
  }
}
