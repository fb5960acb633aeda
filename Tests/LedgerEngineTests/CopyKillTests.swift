import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// What is left when a backup or a restoration is killed: nothing at its place, or all of it.
@Suite struct CopyKillTests {
  enum Copy: String, Sendable, CaseIterable, Codable {
    case backup
    case restoration

    /// Makes a copy of the ledger at `path`.
    func make(of path: String, at destination: String) throws {
      let ledger = try Ledger.open(at: path)
      defer { ledger.close() }
      switch self {
      case .backup: try ledger.backup(to: destination)
      case .restoration:
        try CopyTests.restore(try CopyTests.records(of: ledger), at: destination)
      }
    }

    /// How long it takes, with the opening of the ledger.
    func time(of path: String, at destination: String) throws -> Double {
      let start = Date()
      try make(of: path, at: destination)
      return Date().timeIntervalSince(start)
    }
  }

  @Test(
    "Killed at moments all over a backup or a restoration, the copy is absent or whole",
    arguments: Copy.allCases)
  func killed(copy: Copy) async throws {
    let test = try TestLedger()
    var source = CommandSource(seed: 21)
    let commands = (0..<3_000).map { _ in source.next() }
    _ = try await test.ledger.append(commands)
    let records = try CopyTests.records(of: test.ledger)
    test.ledger.close()
    let place = test.folder.file("copy")
    let seconds = try copy.time(of: test.path, at: place)
    var (absentCount, wholeCount) = (0, 0)
    for round in 0..<16 {
      try FileManager.default.removeItem(atPath: place)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = test.path as String, place = place as String, copy = copy as Copy,
          delay = Int(seconds * 1_200_000) * round / 16 as Int
        ] in
        Thread.detachNewThread {
          usleep(useconds_t(delay))
          kill(getpid(), SIGKILL)
        }
        try copy.make(of: path, at: place)
        sleep(60)
      }
      if FileManager.default.fileExists(atPath: place) {
        wholeCount += 1
      } else {
        absentCount += 1
        try copy.make(of: test.path, at: place)
      }
      let made = try Ledger.open(at: place)
      #expect(try made.replay().findings == [], "\(copy), round \(round)")
      #expect(try CopyTests.records(of: made) == records, "\(copy), round \(round)")
      made.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: test.folder.path).sorted()
      #expect(names == ["L", "copy"], "nothing is left beside it")
    }
    #expect(absentCount > 0, "some were killed before the end; \(wholeCount) after it")
    try test.reopen()
    try test.requireSound()
  }
}
