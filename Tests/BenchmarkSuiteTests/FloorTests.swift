import Foundation
import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

@testable import BenchmarkSuite

/// The comparison with another program.
struct FloorTests {
  @Test func fields() {
    let text =
      "write ids=time ns=12 written=3.5 used=none\nbytes_per_event used=7 ns=9 =x digest=ff\n"
    #expect(FloorProgram.fields(in: text) == ["ns": 12, "written": 3.5, "used": 7])
    #expect(FloorProgram.words(in: text)["digest"] == "ff")
  }

  /// The bytes of the workload, by the form's own description.
  @Test func file() throws {
    let folder = try TemporaryFolder()
    let workload = Workload(eventCount: 500, seed: 3)
    try WorkloadFile.write(workload, to: folder.file("w"))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file("w"))))
    #expect(bytes.count == 40 + 24 * 500 + 16 * workload.messages.count)
    func number(_ offset: Int, _ count: Int) -> UInt64 {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    #expect(String(decoding: bytes[..<8], as: UTF8.self) == "RXLOAD01")
    #expect(number(8, 8) == 500)
    #expect(number(16, 8) == UInt64(workload.messages.count))
    #expect(number(24, 8) == 3)
    #expect(number(32, 4) == 10_000 && number(36, 4) == 200_000)
    for (index, event) in workload.events.enumerated() {
      let start = 40 + 24 * index
      #expect(number(start, 8) == UInt64(event.time.microseconds))
      #expect(number(start + 8, 4) == UInt64(event.message))
      #expect(number(start + 12, 4) == UInt64(event.user))
      #expect(number(start + 16, 2) == UInt64(event.reaction))
      #expect(number(start + 18, 6) == (event.kind == .add ? 0 : 1))
    }
    for (index, message) in workload.messages.enumerated() {
      let start = 40 + 24 * 500 + 16 * index
      #expect(number(start, 8) == message.number)
      #expect(number(start + 8, 8) == UInt64(message.conversation))
    }
  }

  /// A program that answers everything with the same figures.
  private static func program(in folder: TemporaryFolder, _ text: String) throws -> String {
    let path = folder.file("program")
    let made = FileManager.default.createFile(
      atPath: path, contents: Data("#!/bin/sh\n\(text)\n".utf8),
      attributes: [.posixPermissions: 0o755])
    try #require(made)
    return path
  }

  @Test func comparison() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.program(
      in: folder,
      """
      echo "$1 ns=100 written=1000000 file=1000000 summary=1 summary_me=1 page50=1 page50_me=1"
      echo "reactors100=1 decode=1 seal=1 total=1"
      """)
    var lines: [String] = []
    let options = try Options([
      "floor", "--program", path, "--tiny", "--rounds", "2", "--folder", folder.path,
    ])
    try await BenchmarkTool.run(options, .none) { lines.append($0) }
    #expect(lines[0].hasPrefix("1000 events, medians of 2 rounds, a flush takes "))
    #expect(lines[1].hasPrefix("operation "))
    let written = lines.filter { $0.contains("bytes written") }
    #expect(written.count == 6 && written.allSatisfy { !$0.hasSuffix("!") })
    #expect(lines.contains { $0.hasPrefix("audit ") && $0.hasSuffix("!") })
  }

  @Test func failures() throws {
    let folder = try TemporaryFolder()
    let path = try Self.program(in: folder, "echo no; exit 3")
    #expect(throws: BenchError.program("\(path) write ended with 3: no\n")) {
      try FloorProgram(path: path).run(["write"])
    }
    #expect(throws: BenchError.self) {
      try FloorProgram(path: folder.file("absent")).run([])
    }
  }

  @Test func figures() {
    var figures = PairedFigures()
    figures.add("a", "ns", goal: 1.3, ours: 10, theirs: 10)
    figures.add("a", "bytes", goal: 1.1, ours: 12, theirs: 10)
    figures.add("a", "ns", goal: 1.3, ours: 16, theirs: 10)
    figures.add("b", "ns", ours: 1, theirs: nil)
    #expect(figures.all.map(\.ratio) == [1.3, 1.2])
    #expect(figures.all.map(\.isReached) == [true, false])
    #expect(
      figures.table(theirs: "floor").lines.last == "a          bytes  12.0   10.0   1.20  1.10  !")
  }
}
