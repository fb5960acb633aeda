import LedgerInterchange
import Testing

@testable import BenchmarkSuite

/// What the command line of the benchmarks means.
struct OptionsTests {
  /// Arguments, and what is wrong with them.
  static let refused: [(arguments: [String], text: String)] = [
    (["--nonsense"], "there is no option --nonsense"),
    (["--events"], "--events needs counts, as 100000,1000000"),
    (["--events", "0"], "--events needs counts, as 100000,1000000, not 0"),
    (["--events", "10,"], "--events needs counts, as 100000,1000000, not 10,"),
    (["--events", "100000001"], "--events needs counts, as 100000,1000000, not 100000001"),
    (["--ids", "other"], "--ids needs timeOrdered or random, not other"),
    (["--seed", "-1"], "--seed needs a number, not -1"),
    (["--rounds", "0"], "--rounds needs a number from 1 to 99, not 0"),
    (["--sync", "never"], "--sync needs durable, lastCommitMayVanish or none, not never"),
    (["appendix"], "there is no benchmark appendix: see \"reaction-bench list\""),
    (["floor"], "floor needs --program"),
    (["floor", "--program", "p", "append"], "floor has no part append"),
    (["peers", "--events", "1,2"], "peers takes one number of events"),
    (["generate"], "generate needs a file and one number of events"),
    (["stage", "replay"], "stage needs a stage and a ledger"),
  ]

  @Test(arguments: refused.indices) func refuses(_ index: Int) {
    let (arguments, text) = Self.refused[index]
    #expect(throws: BenchError.usage(text)) { try Options(arguments) }
  }

  @Test func defaults() throws {
    let options = try Options([])
    #expect(options.command == .run)
    #expect(options.operands == [])
    #expect(options.sizes == [100_000])
    #expect(options.divisor == 1)
    #expect(options.sync == .durable)
    #expect(options == (try Options(["run"])))
  }

  @Test func everyOption() throws {
    let options = try Options([
      "run", "append", "--events", "1000,20000000", "--ids", "random", "--seed", "7", "--folder",
      "/f", "--rounds", "3", "--sync", "none", "--json", "--svg", "/s", "page",
    ])
    #expect(options.operands == ["append", "page"])
    #expect(options.sizes == [1_000, 20_000_000])
    #expect(options.messageIDs == .random)
    #expect(options.seed == 7)
    #expect(options.folder == "/f")
    #expect(options.rounds == 3)
    #expect(options.sync == .none)
    #expect(options.isJSON)
    #expect(options.svgFolder == "/s")
  }

  @Test func commands() throws {
    #expect(try Options(["floor", "--program", "/p"]).program == "/p")
    #expect(try Options(["generate", "file"]).operands == ["file"])
    #expect(try Options(["append", "--help"]).command == .help)
    #expect(try Options(["stage", "rebuild", "/l"]).operands == ["rebuild", "/l"])
  }

  /// Every option and benchmark is told of.
  @Test func usageAndList() async throws {
    for word in ["--events", "--ids", "--seed", "--folder", "--rounds", "--sync", "--tiny"] {
      #expect(Options.usage.contains("  \(word)"))
    }
    var lines: [String] = []
    try await BenchmarkTool.run(try Options(["list"]), .none) { lines.append($0) }
    #expect(
      lines.map { String($0.prefix { $0 != " " }) } == Benchmark.allCases.map(\.rawValue))
  }
}
