import Foundation
import Testing

@testable import reaction_ledger

/// Where output goes, and what happens when it cannot.
struct OutputTests {
  private static let message = "--conversation group:g1 --message m1"

  private func makeLedger() throws -> WorkFolder {
    let folder = try WorkFolder()
    try folder.succeed("add L \(Self.message) --user u1 👍")
    return folder
  }

  @Test("A full disk behind standard output is an error, and what was recorded stays")
  func fullDisk() throws {
    let folder = try makeLedger()
    let run = try Tool.shell(
      #""$T" add L \#(Self.message) --user u2 👍 > /dev/full"#, in: folder.path)
    #expect(run.status == 3)
    #expect(
      run.errors == "reaction-ledger: standard output cannot be written, the disk is full: "
        + "what is shown is not complete; what was recorded stays\n")
    #expect(try folder.provenHead(of: "L") == 3)
  }

  @Test(
    "Closed streams never lead into the ledger's files",
    arguments: [
      "", ">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-",
    ])
  func closedStreams(redirection: String) throws {
    let folder = try makeLedger()
    let added = try Tool.shell(
      #""$T" add L \#(Self.message) --user u2 👍 \#(redirection)"#, in: folder.path)
    let isClosed = redirection.contains(" >&-") || redirection.hasPrefix(">&-")
    #expect(added.status == (isClosed ? 3 : 0))
    #expect(
      added.errors.contains("standard output cannot be written, it is closed")
        == (isClosed && !redirection.contains("2>&-")))
    // So much that it is written while the ledger is open.
    try folder.succeed("generate L --events 1000")
    let listed = try Tool.shell(#""$T" events L --json \#(redirection)"#, in: folder.path)
    #expect(listed.status == (isClosed ? 3 : 0))
    let refused = try Tool.shell(#""$T" nonsense \#(redirection)"#, in: folder.path)
    #expect(refused.status == 2)
    #expect(try Data(contentsOf: URL(filePath: folder("L/ledger.lock"))).isEmpty)
    #expect(try folder.provenHead(of: "L") == 1003)
  }

  @Test("A reader that goes away ends the tool in silence, with the command's own status")
  func closedPipe() throws {
    let folder = try makeLedger()
    let run = try Tool.shell(
      #"{ "$T" generate --events 200000; echo "status $?" >&2; } | head -n 1"#, in: folder.path)
    #expect(run.lines.count == 1 && run.errors == "status 0\n")
    try folder.succeed("generate L --events 20000")
    let events = try Tool.shell(
      #"{ "$T" events L --json; echo "status $?" >&2; } | head -n 1"#, in: folder.path)
    #expect(events.lines.count == 1 && events.errors == "status 0\n")
    let unchanged = try Tool.shell(
      #"{ sleep 0.2; "$T" add L \#(Self.message) --user u1 👍; echo "status $?" >&2; } | true"#,
      in: folder.path)
    #expect(unchanged.errors == "status 1\n")
  }

  @Test(
    "Progress is for terminals only",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
  func progress() throws {
    let folder = try makeLedger()
    let silent = try folder.succeed("generate L --events 12000")
    #expect(silent.errors.isEmpty)
    let shown = try Tool.run(
      "/usr/bin/script", ["-qec", "'\(Tool.path)' replay L", "/dev/null"], in: folder.path)
    #expect(shown.status == 0)
    #expect(shown.output.contains("\rreading the log: "), "\(shown.output)")
    #expect(shown.output.contains("\r\u{1b}[Keverything agrees"), "\(shown.output)")
    let piped = try Tool.run(
      "/usr/bin/script", ["-qec", "'\(Tool.path)' replay L 2>/dev/null", "/dev/null"],
      in: folder.path)
    #expect(piped.output.hasPrefix("everything agrees"), "\(piped.output)")
  }

  @Test("JSON is the same on the buffer's border as elsewhere") func buffer() throws {
    let folder = try WorkFolder()
    try folder.succeed("create L")
    try folder.succeed("generate L --events 3000")
    let all = try folder.succeed("events L --json")
    #expect(all.output.utf8.count > 4 * Output.bufferByteCount)
    #expect(all.lines.count == 3001)
    for after in [1, 1500, 2999] {
      let rest = try folder.succeed("events L --json --after \(after)")
      #expect(rest.lines == Array(all.lines[after...]))
    }
  }
}
