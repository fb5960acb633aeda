import Foundation
import LMDB
import LedgerInterchange
import Testing

@testable import reaction_ledger

/// `replay` in a process of its own: faults become findings, signals end it cleanly.
struct IsolationTests {
  /// A folder with a ledger `L` whose trees have branches.
  private func makeLedger() throws -> WorkFolder {
    let folder = try WorkFolder()
    try folder.succeed("create L")
    try folder.succeed("generate L --events 1500")
    return folder
  }

  private static let pageSize = 4096

  /// Changes each page of a kind (`mp_flags` at 10) of the data file.
  private func changePages(
    of folder: WorkFolder, kind: UInt8, _ change: (inout Data, Int) -> Void
  ) throws {
    let file = URL(filePath: folder("L/data.mdb"))
    var data = try Data(contentsOf: file)
    for page in stride(from: 2 * Self.pageSize, to: data.count, by: Self.pageSize)
    where data[page + 10] == kind {
      change(&data, page)
    }
    try data.write(to: file)
  }

  private func expectFault(
    _ folder: WorkFolder, says text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let plain = try folder.run("replay L --level log")
    try #require(
      plain.status == 1 && plain.errors.isEmpty && plain.lines.count == 2, "\(plain)",
      sourceLocation: sourceLocation)
    #expect(
      plain.lines[0].hasPrefix(
        "rule S1 broken at L/data.mdb: expected pages that can be read, found \(text)"),
      "\(plain.output)", sourceLocation: sourceLocation)
    #expect(
      plain.lines.last == "1 finding, level log: the replay came to no end",
      sourceLocation: sourceLocation)

    let json = try folder.run("replay L --level log --json")
    try #require(
      json.status == 1 && json.errors.isEmpty && json.lines.count == 1, "\(json)",
      sourceLocation: sourceLocation)
    #expect(throws: Never.self, sourceLocation: sourceLocation) {
      try JSONParser.parse(Array(json.lines[0].utf8))
    }
    #expect(
      json.output.hasPrefix(
        #"{"ok":false,"events":null,"messages":null,"findings":[{"rule":"S1","#),
      sourceLocation: sourceLocation)
    #expect(
      json.output.contains(#""findingCount":1,"head":null,"users":null,"level":"log","root":null"#),
      sourceLocation: sourceLocation)
  }

  @Test("An assertion of LMDB is a finding, with its text") func assertion() throws {
    let folder = try makeLedger()
    // The page with the names of the databases, read by the opening, becomes a branch of one key.
    try changePages(of: folder, kind: 2) { data, page in
      guard data[page..<(page + Self.pageSize)].firstRange(of: Data("byUser.A".utf8)) != nil
      else { return }
      data[page + 10] = 1
      data[page + 12] = 18
    }
    try expectFault(folder, says: "SIGABRT at the beginning: mdb.c:")
  }

  @Test("Pages that would lead astray are findings, and nothing else is read") func pages() throws {
    let folder = try makeLedger()
    // Leaf pages with keys of 8 bytes, the log's, whose first value becomes 256 MiB long (`mn_lo`,
    // `mn_hi` and `mn_ksize` of the node).
    try changePages(of: folder, kind: 2) { data, page in
      let node = page + Int(data[page + 16]) + Int(data[page + 17]) << 8
      guard node + 8 < page + Self.pageSize, data[node + 6] == 8 else { return }
      for index in 0..<3 { data[node + index] = 0xff }
      data[node + 3] = 0x0f
    }
    let run = try folder.run("replay L")
    #expect(run.status == 1 && run.errors.isEmpty)
    #expect(run.output.contains("rule S1 broken at data.mdb page "), "\(run.output)")
    #expect(run.lines.last?.hasSuffix("level tree: nothing but pages was read") == true)
  }

  @Test("A long list of findings goes through whole") func findings() throws {
    let folder = try makeLedger()
    let long = [UInt8](repeating: 7, count: 300)
    for number in 100..<300 {
      try LedgerFile.put(
        long, for: LedgerFile.key(ofEvent: UInt64(number)), in: "events", of: folder("L"))
    }
    let run = try folder.run("replay L")
    #expect(run.status == 1 && run.errors.isEmpty && run.lines.count == 101)
  }

  @Test("A standard output that cannot be written is an error here too") func fullDisk() throws {
    let folder = try makeLedger()
    let run = try Tool.shell(#""$T" replay L > /dev/full"#, in: folder.path)
    #expect(run.status == 3 && run.errors.contains("the disk is full"))
  }

  /// Runs a command as the child of a parent that does not read for now, so that it waits at its
  /// first step; then does `actions` with `$child`, reads, and prints the child's exit status.
  private func script(_ command: String, _ actions: String) -> String {
    """
    mkfifo pipe
    exec 4<>pipe
    head -c 65536 /dev/zero >&4
    REACTION_LEDGER_CHILD=1 "$T" \(command) 3>pipe 4>&- &
    child=$!
    count=0
    until grep -q '^1 0x3 ' /proc/$child/syscall; do
      sleep 0.02
      count=$((count + 1))
      [ $count -lt 1000 ] || exit 9
    done
    \(actions)
    wait $child
    echo $?
    """
  }

  @Test(
    "A signal cancels at the next step, and no reader is left",
    arguments: ["replay L", "rebuild L"], [("TERM", 143), ("HUP", 129)])
  func cancelled(command: String, signal: (name: String, status: Int)) throws {
    let folder = try makeLedger()
    let environment = try Environment(path: folder("L"))
    defer { environment.close() }
    let run = try Tool.shell(
      script(command, "kill -\(signal.name) $child; head -c 65536 <&4 >/dev/null"),
      in: folder.path)
    #expect(run.lines.last == "\(signal.status)", "\(run.output) \(run.errors)")
    #expect(run.errors == "reaction-ledger: L: it was cancelled\n")
    #expect(try environment.readers().isEmpty)
    environment.close()
    try folder.succeed("rebuild L")
    try folder.succeed("replay L")
  }

  @Test("A child whose parent is gone ends by itself") func orphan() throws {
    let folder = try makeLedger()
    let run = try Tool.shell(script("replay L", "exec 4<&-"), in: folder.path)
    #expect(run.lines.last == "3", "\(run.output) \(run.errors)")
    #expect(run.errors == "reaction-ledger: L: it was cancelled\n")
  }

  @Test(
    "A signal that only the parent gets is handed on", arguments: [("TERM", 143), ("HUP", 129)])
  func forwarded(signal: (name: String, status: Int)) throws {
    let folder = try makeLedger()
    // The child waits for the ledger's lock, which is held alone.
    let run = try Tool.shell(
      """
      exec 5>>L/ledger.lock
      flock -x 5
      "$T" replay L 5>&- &
      parent=$!
      until child=$(cat /proc/$parent/task/$parent/children) && [ -n "$child" ]; do sleep 0.02; done
      sleep 0.2
      kill -\(signal.name) $parent
      wait $parent
      echo $?
      [ -d /proc/${child% } ] && echo "the child lives on"
      true
      """, in: folder.path)
    #expect(run.output == "\(signal.status)\n" && run.errors.isEmpty, "\(run)")
  }

  @Test("The word alone makes no child: its descriptor could be anything") func word() throws {
    let folder = try makeLedger()
    let run = try Tool.shell(
      #"REACTION_LEDGER_CHILD=1 "$T" replay L 3>file && wc -c < file"#, in: folder.path)
    #expect(run.status == 0 && run.lines.last == "0", "\(run)")
  }
}

/// Lines that say how far work is.
struct ProgressStepTests {
  private func line(_ done: Int, of total: Int, from first: Int = 0, after time: Duration) -> String
  {
    let begin = ProgressStep(work: "reading", doneCount: first, totalCount: total)
    return ProgressStep(work: "reading", doneCount: done, totalCount: total).line(
      since: begin, time)
  }

  @Test("Rate and time left, once they mean something") func lines() {
    #expect(line(0, of: 10, after: .zero) == "reading: 0 of 10 (0 %)")
    #expect(line(5, of: 10, after: .milliseconds(499)) == "reading: 5 of 10 (50 %)")
    #expect(
      line(1_200_000, of: 5_000_000, after: .milliseconds(1333))
        == "reading: 1,200,000 of 5,000,000 (24 %), 900,000/s, 5 s left")
    #expect(
      line(300, of: 1000, from: 200, after: .seconds(1))
        == "reading: 300 of 1,000 (30 %), 100/s, 7 s left")
    #expect(line(1000, of: 1000, after: .seconds(4)) == "reading: 1,000 of 1,000 (100 %), 250/s")
    // Others wrote meanwhile; nothing moves; nothing is known.
    #expect(line(12, of: 10, after: .seconds(1)) == "reading: 12 of 10 (100 %), 12/s")
    #expect(line(0, of: 10, after: .seconds(99)) == "reading: 0 of 10 (0 %)")
    #expect(line(3, of: 0, after: .seconds(1)) == "reading: 3 of 0, 3/s")
    #expect(
      line(999, of: 1000, from: 998, after: .seconds(60)).hasSuffix("(99 %), 0/s, 1 min left"))
  }

  @Test("Times in at most two units")
  func times() {
    let expected: [(Double, String)] = [
      (0, "0 s"), (0.1, "1 s"), (59, "59 s"), (59.5, "1 min"), (200, "3 min 20 s"),
      (3600, "1 h"), (7500, "2 h 5 min"), (86_400 * 3 + 4 * 3600, "3 d 4 h"),
      (1e12, "more than 1,000 d"), (.infinity, "more than 1,000 d"),
    ]
    for (seconds, words) in expected { #expect(ProgressStep.words(seconds: seconds) == words) }
  }

  @Test("Numbers in groups of three")
  func groups() {
    #expect(
      [0, 12, 999, 1000, -1_234_567].map(\.grouped) == ["0", "12", "999", "1,000", "-1,234,567"])
  }

  @Test("What a child tells is what its parent reads")
  func pipe() {
    let step = ProgressStep(work: "checking command ids", doneCount: 4, totalCount: 9)
    #expect(ProgressPipe.step(in: "4 9 checking command ids") == step)
    for line in ["", "4 9", "four 9 x", "4 9 "] { #expect(ProgressPipe.step(in: line) == nil) }
  }
}
