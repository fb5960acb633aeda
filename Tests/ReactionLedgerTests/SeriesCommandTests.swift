import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// `clear`, `erase`, and the `compact` that finishes an erasure.
struct SeriesCommandTests {
  private static let m1 = "--conversation group:g1 --message m1"
  private static let id = "--command-id 01234567-89ab-7def-8123-456789abcdef"

  private func makeLedger() throws -> WorkFolder {
    let folder = try WorkFolder()
    for (user, reaction) in [("u1", "👍"), ("u2", "👍"), ("u1", "🎉")] {
      try folder.succeed("add L \(Self.m1) --user \(user) \(reaction)")
    }
    return folder
  }

  @Test func clear() throws {
    try Transcript.expect(
      """
      $ clear L \(Self.m1) --reaction 🎉 --actor u1 \(Self.id)
      recorded as sequence 5 at TIME (durable)
      group:g1/m1, last event 5:
        👍 2: u1, u2
      $ clear L \(Self.m1) --reaction 🎉 --actor u1 \(Self.id)
      recorded before, as sequence 5 at TIME (durable)
      group:g1/m1, last event 5:
        👍 2: u1, u2
      $ clear L \(Self.m1) \(Self.id)
      refused (commandIDReused): the command id was used for another command; take a new one
      group:g1/m1, last event 5:
        👍 2: u1, u2
      => 1
      $ clear L \(Self.m1) --reaction 🎉
      unchanged (nothingToClear): there is no such reaction
      group:g1/m1, last event 5:
        👍 2: u1, u2
      => 1
      $ clear L \(Self.m1) --cause expired --at 2020-01-02T03:04:05Z --json
      {"outcome":"recorded","sequences":[6,7],"recordedAt":"TIME","durability":"durable",\
      "summary":{"conversation":"group:g1","message":"m1","reactions":[],"sequence":7}}
      $ clear L \(Self.m1) --json
      {"outcome":"unchanged","reason":"nothingToClear","summary":{"conversation":"group:g1",\
      "message":"m1","reactions":[],"sequence":7}}
      => 1
      $ clear L --conversation room:r1 --message m1
      refused (conversationNotSupported): chat rooms carry no reactions; use a user: or group: one
      room:r1/m1: no reactions
      => 1
      $ events L --after 4
      5 TIME removed 🎉 by u1 on group:g1/m1 ending 4 asked for by u1 cause moderation command \
      01234567-89ab-7def-8123-456789abcdef
      6 TIME removed 👍 by u1 on group:g1/m1 ending 2 cause expired reacted at \
      2020-01-02T03:04:05.000000Z
      7 TIME removed 👍 by u2 on group:g1/m1 ending 3 cause expired reacted at \
      2020-01-02T03:04:05.000000Z
      """, in: makeLedger())
  }

  @Test func erase() throws {
    try Transcript.expect(
      """
      $ erase L --user u1 --actor mod \(Self.id)
      recorded as sequence 7 at TIME (durable)
      $ erase L --user u1 --actor mod \(Self.id)
      recorded before, as sequence 7 at TIME (durable)
      $ erase L --user u1 --json
      {"outcome":"unchanged","reason":"nothingToErase"}
      => 1
      $ erase L --user u2 \(Self.id) --json
      {"outcome":"refused","reason":"commandIDReused"}
      => 1
      $ show L \(Self.m1)
      group:g1/m1, last event 6:
        👍 1: u2
      $ history L --user u1
      u1: no events
      $ history L --user u2
      3 TIME added 👍 by u2 on group:g1/m1
      $ erase L --user u2 --cause moderation --json
      {"outcome":"recorded","sequences":[9,9],"recordedAt":"TIME","durability":"durable"}
      $ erase L
      ! reaction-ledger: --user is missing: add --user U (see reaction-ledger erase --help)
      => 2
      """, in: makeLedger())
  }

  @Test("Erased users have no name in the log, as text and as JSON") func erasedLog() throws {
    let folder = try makeLedger()
    try folder.succeed("erase L --user u1 --actor mod")
    try Transcript.expect(
      """
      $ history L \(Self.m1)
      2 TIME added 👍 by an erased user on group:g1/m1
      3 TIME added 👍 by u2 on group:g1/m1
      4 TIME added 🎉 by an erased user on group:g1/m1
      5 TIME removed 👍 by an erased user on group:g1/m1 ending 2 asked for by mod cause userErased
      6 TIME removed 🎉 by an erased user on group:g1/m1 ending 4 asked for by mod cause userErased
      $ events L --after 5 --json
      {"sequence":6,"kind":"removed","recordedAt":"TIME","conversation":"group:g1","message":"m1",\
      "user":null,"userNumber":1,"actor":"mod","reaction":"🎉","cause":"userErased","ends":4}
      {"sequence":7,"kind":"userErased","recordedAt":"TIME","user":null,"userNumber":1,\
      "actor":"mod","cause":"userErased"}
      """, in: folder)
    #expect(try folder.provenHead(of: "L") == 7)
  }

  /// A ledger in which the erasure of `gone` was interrupted, and 5 of 40 reactions are removed.
  private func makeInterrupted() async throws -> WorkFolder {
    let folder = try WorkFolder()
    let lines = (0..<40).map {
      #"{"op":"add","conversation":"group:g1","message":"m\#($0)","user":"gone","reaction":"👍"}"#
    }
    try folder.write(lines.joined(separator: "\n"), to: "commands")
    try folder.succeed("apply L commands")
    let path = folder("L")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var options = LedgerOptions()
      options.erasureRowCount = 5
      options.clock = KillClock.after(1)
      _ = try await Ledger.open(at: path, options: options).append(.erase("gone"))
    }
    return folder
  }

  @Test("An interrupted erasure is told, refuses adds, and goes on when it is asked for again")
  func interrupted() async throws {
    let folder = try await makeInterrupted()
    let warning = "1 user is being erased; erase again, or compact the ledger, to finish"
    #expect(try folder.succeed("stat L").output.contains("warning:        \(warning)"))
    #expect(try folder.succeed("stat L --json").output.contains(#""warnings":["\#(warning)"]"#))
    let refused = try folder.run("add L \(Self.m1) --user gone 👍")
    #expect(refused.status == 1 && refused.output.hasPrefix("refused (userBeingErased)"))
    #expect(try folder.succeed("replay L --json").output.contains(#""ok":true"#))
    // It is copied as it is.
    let copied = try Tool.shell(
      #""$T" export L > e && "$T" restore M e && "$T" export M | cmp - e && "$T" replay M"#,
      in: folder.path)
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try folder.succeed("stat M").output.contains(warning))
    for name in ["L", "M"] {
      #expect(try folder.succeed("erase \(name) --user gone").output.hasPrefix("recorded as"))
      #expect(try !folder.succeed("stat \(name)").output.contains("warning"))
      #expect(try folder.provenHead(of: name) == 82)
    }
  }

  @Test("A compaction finishes an interrupted erasure, and the id is in the file no more")
  func compact() async throws {
    let folder = try await makeInterrupted()
    let run = try folder.succeed("compact L")
    #expect(run.output.hasPrefix("compacted from "))
    #expect(try folder.provenHead(of: "L") == 82)
    #expect(try !folder.succeed("stat L").output.contains("warning"))
    let bytes = try Data(contentsOf: URL(filePath: folder("L/data.mdb")))
    #expect(bytes.firstRange(of: Data("gone".utf8)) == nil)
    #expect(try folder.succeed("events L --after 81 --json").output.contains("userErased"))
    let again = try folder.run("erase L --user gone")
    #expect(again.status == 1 && again.output.hasPrefix("unchanged (nothingToErase)"))
  }
}
