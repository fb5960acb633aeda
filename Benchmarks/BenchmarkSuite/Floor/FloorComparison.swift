import Foundation
import LedgerEngine
import LedgerInterchange

/// A group of operations that is compared with the floor.
enum FloorPart: String, CaseIterable {
  case write
  case read
  case scan
  case audit
  case durable
  case log
  case commands
}

/// Runs the floor program and ours on the same workload, by turns.
struct FloorComparison {
  let bench: Bench
  let program: FloorProgram
  let rounds: Int
  /// What is compared; the ledger that the others read is written in any case.
  let parts: [FloorPart]
  /// Divides how often things are done: 1, or more for a quick look.
  let divisor: Int
  private(set) var figures = PairedFigures()
  private let picks: ReadPicks
  private let input: String
  private let randomIDs: Bool

  init(_ bench: Bench, program: FloorProgram, rounds: Int, parts: [FloorPart], divisor: Int) throws
  {
    self.bench = bench
    self.program = program
    self.rounds = rounds
    self.parts = parts
    self.divisor = divisor
    randomIDs = bench.workload.names.messageIDs == .random
    input = bench.folder.path("workload.bin")
    bench.progress.show("writing the workload")
    try WorkloadFile.write(bench.workload, to: input)
    picks = ReadPicks(
      bench.workload, pickCount: max(1, 65_536 / divisor), pageCount: max(8, 2_048 / divisor))
  }

  /// All parts, `rounds` times.
  mutating func run() throws {
    if !parts.contains(.write) { try writes() }
    for _ in 0..<rounds {
      for part in parts { try run(part) }
    }
    bench.progress.clear()
  }

  private mutating func run(_ part: FloorPart) throws {
    switch part {
    case .write: try writes()
    case .read:
      try reads(cacheCount: 65_536, "")
      try reads(cacheCount: 64, ", no name cached")
    case .scan: try scans()
    case .audit: try audits()
    case .durable: try durableWrites()
    case .log: try logs()
    case .commands: try commandIDs()
    }
  }

  private var ours: String { bench.folder.path("ours") }
  private var theirs: String { bench.folder.path("floor") }

  private func floor(_ command: String, _ options: [String] = []) throws -> [String: Double] {
    bench.progress.show("floor \(command) \(options.joined(separator: " "))")
    let needsInput = ["write", "append", "read"].contains(command)
    let ids = needsInput && randomIDs ? ["--ids=random"] : []
    return try program.run([command] + (needsInput ? [input] : []) + [theirs] + options + ids)
  }

  private mutating func addWrite(
    _ name: String, _ run: AppendRun, _ options: [String], path: String, goal: Double = 1.3,
    isWithSizes: Bool = true
  ) throws {
    let floor = try floor("write", options)
    let own = try run.run(bench, at: path)
    figures.add(name, "ns", goal: goal, ours: own.nanosecondsEach, theirs: floor["ns"])
    guard isWithSizes else { return }
    figures.add(
      name, "bytes written", goal: 1.1, ours: own.each(own.writtenByteCount),
      theirs: floor["written"])
    figures.add(
      name, "bytes of file", goal: 1.1, ours: own.each(own.fileByteCount ?? 0),
      theirs: floor["file"]
    )
  }

  /// Leaves both databases for what follows.
  private mutating func writes() throws {
    guard bench.counters.skipFlushes != nil else {
      _ = try floor("write")
      _ = try AppendRun().run(bench, at: bench.folder.cleared("ours"))
      return
    }
    try addWrite(
      "write, batch 1000, not synced, ids as bytes", AppendRun(sync: .none, form: .bytes), [],
      path: bench.folder.cleared("ours"), isWithSizes: false)
    try addWrite(
      "write, batch 1000, not synced", AppendRun(sync: .none), [],
      path: bench.folder.cleared("ours"))
  }

  private mutating func durableWrites() throws {
    for (batch, limit) in [(1, 5_000), (100, 100_000), (1_000, 500_000), (10_000, 0)] {
      let count = limit == 0 ? bench.eventCount : min(bench.eventCount, max(1, limit / divisor))
      try addWrite(
        "write, durable, batch \(batch)",
        AppendRun(batchCount: batch, sync: .durable, limit: count),
        ["--sync=full", "--batch=\(batch)", "--limit=\(count)"],
        path: bench.folder.cleared("durable"))
    }
    for (batch, limit) in [(1, 5_000), (100, 100_000)] {
      let count = min(bench.eventCount, max(1, limit / divisor))
      try addWrite(
        "write, lastCommitMayVanish, batch \(batch)",
        AppendRun(batchCount: batch, sync: .lastCommitMayVanish, limit: count),
        ["--sync=meta", "--batch=\(batch)", "--limit=\(count)"],
        path: bench.folder.cleared("durable"))
    }
  }

  private mutating func commandIDs() throws {
    guard bench.counters.skipFlushes != nil else { return }
    try addWrite(
      "write, not synced, command ids in order of time",
      AppendRun(sync: .none, commandIDs: .timeOrdered), ["--commands=7"],
      path: bench.folder.cleared("durable"), isWithSizes: false)
    try addIDs(to: "write, not synced: ours with command ids, ours without")
  }

  /// Ours with command ids beside ours without.
  private mutating func addIDs(to name: String) throws {
    let path = bench.folder.cleared("durable")
    let without = try AppendRun(sync: .none).run(bench, at: path)
    let with = try AppendRun(sync: .none, commandIDs: .timeOrdered)
      .run(bench, at: bench.folder.cleared("durable"))
    figures.add(
      name, "ns", goal: 1.15, ours: with.nanosecondsEach, theirs: without.nanosecondsEach)
  }

  private mutating func reads(cacheCount: Int, _ suffix: String) throws {
    let floor = try floor("read", cacheCount == 65_536 ? [] : ["--cache=\(cacheCount)"])
    var options = LedgerOptions()
    options.userCacheCount = cacheCount
    let ledger = try Ledger.open(at: ours, options: options)
    defer { ledger.close() }
    let fields: [(ReadRun, String, String)] = [
      (.summary, "summary", "summary"), (.summaryMine, "summary_me", "summary with reactedByMe"),
      (.page, "page50", "page of 50"), (.pageMine, "page50_me", "page of 50 with reactedByMe"),
      (.reactors, "reactors100", "first 100 reactors"),
    ]
    for (run, field, name) in fields {
      for isReusing in [false, true] {
        let fullName = name + (isReusing ? ", reused" : "") + suffix
        bench.progress.show(fullName)
        let own = try run.run(
          ledger, picks, count: max(1, run.fullCount / divisor), bench.counters,
          isReusing: isReusing)
        guard own.operationCount > 0 else { continue }
        figures.add(
          fullName, "ns", goal: isReusing ? 1.3 : 2, ours: own.nanosecondsEach,
          theirs: floor[field])
      }
    }
  }

  private mutating func scans() throws {
    let floor = try floor("scan")
    for (depth, goal) in [(LogRun.Depth.decode, 1.3), (.seal, 1.3)] {
      let own = try LogRun.scan(ledgerAt: ours, depth, bench.counters)
      figures.add(
        "scan, \(depth)", "ns", goal: goal, ours: own.nanosecondsEach, theirs: floor[depth.rawValue]
      )
    }
  }

  private mutating func audits() throws {
    for stage in Stage.allCases {
      let floor = try floor(stage == .replay ? "audit" : "rebuild")
      bench.progress.show("\(stage)")
      let own = try stage.run(ledgerAt: ours, bench.counters)
      figures.add(
        stage == .replay ? "audit" : "rebuild", "ns", goal: 1.5, ours: own.nanosecondsEach,
        theirs: floor["total"])
    }
  }

  private mutating func logs() throws {
    let count = min(bench.eventCount, 500_000 / divisor)
    for (sync, limit, options) in [
      (Sync.none, nil, []), (.durable, Optional(count), ["--sync=full", "--limit=\(count)"]),
    ] {
      let floor = try floor("append", options)
      let path = bench.folder.cleared("log")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let own = try LogRun.append(bench, sync: sync, limit: limit, at: path)
      figures.add(
        "log alone, \(sync == .none ? "not synced" : "durable")", "ns", goal: 1.3,
        ours: own.nanosecondsEach, theirs: floor["ns"])
    }
  }
}
