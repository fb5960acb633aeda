import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

@Suite struct KillTests {
  /// Appends until killed by itself at a random moment; notes each acknowledged sequence in a file.
  static func appendUntilKilled(_ path: String, _ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let ledger = try Ledger.open(at: path, creating: .standard)
    let noted = unsafe open(path + ".acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let delay = useconds_t(generator.next() % 30_000)
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    while true {
      let user = UserID(stringLiteral: "u\(generator.next() % 30)")
      let command = Command(
        generator.next() % 3 == 0 ? .remove : .add, "👍", on: .m1, by: user, id: CommandID())
      guard case .recorded(let receipt) = try ledger.append(command) else { continue }
      let line = Array("\(receipt.sequences.upperBound)\n".utf8)
      _ = unsafe write(noted, line, line.count)
    }
  }

  #if DEBUG
    static let roundCount: UInt64 = 15
  #else
    static let roundCount: UInt64 = 60
  #endif

  @Test("Case 49: killed between any two writes, the ledger opens and equals the reducer")
  func case49() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    for seed in 1...Self.roundCount {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, seed = seed as UInt64] in
        try KillTests.appendUntilKilled(path, seed)
      }
      let ledger = try Ledger.open(at: path, creating: .standard)
      let report = try ledger.replay()
      #expect(report.findings == [], "seed \(seed)")
      let text = (try? String(contentsOfFile: path + ".acknowledged", encoding: .utf8)) ?? ""
      let last = text.split(separator: "\n").last.flatMap { UInt64($0) } ?? 0
      #expect(report.head >= last, "seed \(seed): every acknowledged command is there")
      ledger.close()
    }
  }
}
