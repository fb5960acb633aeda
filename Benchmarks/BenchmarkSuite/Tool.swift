import Foundation
import LedgerInterchange

/// The command line of the benchmarks.
public enum BenchmarkTool {
  /// Lets folders of benchmarks be removed when the process is told to end.
  ///
  /// To be called once, by a program and before it has other threads.
  public static func removeFoldersOnSignals() { ScratchFolder.removeAllOnSignals() }

  /// Runs what the arguments ask for.
  ///
  /// - Parameters:
  ///   - arguments: Those after the program's name.
  ///   - counters: What the program can count.
  /// - Returns: The exit status: 1 if a count is worse than stored, 2 for arguments that
  ///   make no sense, 3 for a failure.
  public static func run(_ arguments: [String], counters: ProcessCounters) async -> Int32 {
    do {
      let options = try Options(arguments)
      try await run(options, counters) {
        print($0)
        // What is printed so far is there, whatever comes.
        try? FileHandle.standardOutput.synchronize()
      }
      return 0
    } catch BenchError.usage(let text) {
      FileHandle.standardError.write(Data("reaction-bench: \(text)\n\n\(Options.usage)\n".utf8))
      return 2
    } catch let error as BenchError where error.isOfCounts {
      FileHandle.standardError.write(Data("reaction-bench: \(error)\n".utf8))
      return 1
    } catch {
      FileHandle.standardError.write(Data("reaction-bench: \(error)\n".utf8))
      return 3
    }
  }

  /// Runs what the options ask for; `say` gets each line.
  static func run(
    _ options: Options, _ counters: ProcessCounters, _ say: (String) -> Void
  ) async throws {
    switch options.command {
    case .help: say(Options.usage)
    case .list:
      for benchmark in Benchmark.allCases {
        let space = String(repeating: " ", count: 12 - benchmark.rawValue.count)
        say("\(benchmark.rawValue)\(space)\(benchmark.summary)")
      }
    case .stage:
      guard let stage = Stage(rawValue: options.operands[0]) else { return }
      say(Stage.line(of: try stage.run(ledgerAt: options.operands[1], counters)))
    case .generate:
      try WorkloadFile.write(options.workload(options.eventCounts[0]), to: options.operands[0])
    case .run: try await measure(options, counters, say)
    case .floor: try compareWithFloor(options, counters, say)
    case .peers: try compareWithPeers(options, counters, say)
    case .counts: try count(options, counters, say)
    }
  }

  private static func measure(
    _ options: Options, _ counters: ProcessCounters, _ say: (String) -> Void
  ) async throws {
    let chosen = Benchmark.allCases.filter {
      options.operands.isEmpty || options.operands.contains($0.rawValue)
    }
    var measurements: [Measurement] = []
    for count in options.sizes {
      let bench = try Bench(options.workload(count), below: options.folder, counters: counters)
      var plan = RunPlan(bench, chosen, sync: options.sync, divisor: options.divisor) {
        options.isTiny
          ? try $0.run(ledgerAt: $1, counters) : try Stage.runInChild($0, ledgerAt: $1)
      }
      try await plan.run()
      measurements += plan.measurements
      if options.isJSON {
        var writer = JSONWriter()
        for measurement in plan.measurements { measurement.write(to: &writer) }
        say(String(decoding: writer.bytes.dropLast(), as: UTF8.self))
      } else {
        say("\(count) events, ids \(options.messageIDs.rawValue)")
        var table = Table(Measurement.heading)
        for measurement in plan.measurements { table.add(measurement.row) }
        for line in table.lines { say(line) }
      }
    }
    if let folder = options.svgFolder { try Plots.write(measurements, to: folder) }
  }

  private static func compareWithFloor(
    _ options: Options, _ counters: ProcessCounters, _ say: (String) -> Void
  ) throws {
    let bench = try Bench(
      options.workload(options.sizes[0]), below: options.folder, counters: counters)
    let program = FloorProgram(path: options.program ?? "")
    let parts = FloorPart.allCases.filter {
      options.operands.isEmpty || options.operands.contains($0.rawValue)
    }
    var comparison = try FloorComparison(
      bench, program: program, rounds: options.rounds, parts: parts, divisor: options.divisor)
    try comparison.run()
    if options.isJSON {
      var writer = JSONWriter()
      comparison.figures.write(to: &writer, theirs: "floor")
      return say(String(decoding: writer.bytes.dropLast(), as: UTF8.self))
    }
    say(
      "\(bench.eventCount) events, medians of \(options.rounds) rounds, a flush takes "
        + "\(short(try bench.flushNanoseconds() / 1_000)) µs")
    for line in comparison.figures.table(theirs: "floor").lines { say(line) }
  }

  private static func compareWithPeers(
    _ options: Options, _ counters: ProcessCounters, _ say: (String) -> Void
  ) throws {
    guard !Peers.all.isEmpty else {
      throw BenchError.usage(
        "this program was built without peers: build it with --traits SQLitePeer,RocksDBPeer")
    }
    let bench = try Bench(
      options.workload(options.sizes[0]), below: options.folder, counters: counters)
    for peer in Peers.all {
      var comparison = PeerComparison(
        bench, peer, rounds: options.rounds, divisor: options.divisor)
      try comparison.run()
      if options.isJSON {
        var writer = JSONWriter()
        comparison.figures.write(to: &writer, theirs: peer.title)
        say(String(decoding: writer.bytes.dropLast(), as: UTF8.self))
      } else {
        say(
          "\(bench.eventCount) events, medians of \(options.rounds) rounds; equal answers: digest "
            + comparison.digest.text)
        for line in comparison.figures.table(theirs: peer.title).lines { say(line) }
      }
    }
  }
}

extension Options {
  /// A tiny run has one small size.
  var sizes: [Int] { isTiny ? [1_000] : eventCounts }
  var divisor: Int { isTiny ? 400 : 1 }

  func workload(_ count: Int) -> Workload {
    Workload(eventCount: count, seed: seed, messageIDs: messageIDs)
  }
}
