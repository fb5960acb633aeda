import LedgerTestSupport
import Testing

@testable import BenchmarkSuite

/// That peers answer as a ledger does; only where the program was built with some.
struct PeerTests {
  @Test func withoutPeers() async throws {
    guard Peers.all.isEmpty else { return }
    let folder = try TemporaryFolder()
    let options = try Options(["peers", "--folder", folder.path])
    await #expect(throws: BenchError.self) { try await BenchmarkTool.run(options, .none) { _ in } }
  }

  @Test func equalAnswers() async throws {
    guard !Peers.all.isEmpty else { return }
    let folder = try TemporaryFolder()
    var lines: [String] = []
    let options = try Options(["peers", "--tiny", "--rounds", "1", "--folder", folder.path])
    try await BenchmarkTool.run(options, .none) { lines.append($0) }
    let found = lines.compactMap { $0.split(separator: "equal answers: digest ").last }
      .filter { $0.count == 16 }
    #expect(found.count == Peers.all.count && Set(found).count == 1)
  }
}
