import Foundation
import LedgerEngine
import ReactionModel
import Testing

/// Several processes on one ledger.
struct ProcessTests {
  @Test("A ledger that another process has open can be read and written") func shared() throws {
    let folder = try WorkFolder()
    let message = try MessageKey(.group("g1"), "m1")
    let ledger = try Ledger.create(at: folder("L"))
    defer { ledger.close() }
    _ = try ledger.append(.add("👍", to: message, by: "here"))
    try Transcript.expect(
      """
      $ add L --conversation group:g1 --message m1 --user there 👍
      recorded as sequence 3 at TIME (durable)
      group:g1/m1, last event 3:
        👍 2: here, there (the viewer among them)
      """, in: folder)
    let summary = try ledger.read { (snapshot) throws(LedgerError) in
      try snapshot.summary(of: message)
    }
    #expect(summary.reactions.map(\.firstUsers) == [["here", "there"]])
    #expect(try ledger.append(.remove("👍", from: message, by: "there")).receipt != nil)
    #expect(try ledger.replay().isOK)
  }

  @Test("Tools that make and write one ledger at once lose nothing") func atOnce() throws {
    let folder = try WorkFolder()
    for round in 0..<8 {
      let children = try (0..<4).map { index in
        let line =
          "add L --conversation group:g1 --message m1 --user u\(round)-\(index) 👍"
        return try Child(Tool.path, Transcript.words(of: line), in: folder.path)
      }
      for child in children {
        let run = try child.wait()
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      }
    }
    #expect(try folder.provenHead(of: "L") == 33)
    let page = try folder.succeed(
      "reactors L --conversation group:g1 --message m1 --reaction 👍 --json")
    #expect(page.output.contains("\"count\":32,"))
  }

  @Test("Figures are those of the engine") func figures() throws {
    let folder = try WorkFolder()
    try folder.succeed("create L --selection single")
    try folder.succeed("generate L --events 500")
    let line = try folder.succeed("stat L --full --json").output
    let statistics = try folder.withLedger("L") { try $0.statistics(countingLiveReactions: true) }
    let live = try #require(statistics.liveReactionCount)
    for member in [
      "\"head\":\(statistics.head)", "\"events\":\(statistics.eventCount)",
      "\"messages\":\(statistics.messageCount)", "\"liveReactions\":\(live)",
      "\"users\":\(statistics.userCount)", "\"fileBytes\":\(statistics.fileByteCount)",
      "\"mapBytes\":\(statistics.mapByteCount)", "\"format\":\(statistics.formatVersion)",
      "\"lmdb\":\"\(statistics.libraryVersion)\"", "\"selection\":\"single\"",
    ] { #expect(line.contains(member + ",") || line.contains("{" + member + ",")) }
    let first = try folder.succeed("events L --json").lines[0]
    #expect(first.contains("\"format\":\(statistics.formatVersion),"))
  }
}
