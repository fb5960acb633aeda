import LedgerInterchange

/// What the command line asks for.
struct Options: Equatable {
  /// What is to be done.
  enum Command: String, CaseIterable {
    case run
    case floor
    case peers
    case counts
    case generate
    case list
    case help
    /// What a process of its own does for `run`: one stage on a ledger.
    case stage
  }

  var command = Command.run
  /// Which benchmarks; all, if none is named.
  ///
  /// A path for `generate`; a stage and a path for `stage`.
  var operands: [String] = []
  var eventCounts = [100_000]
  var seed: UInt64 = 42
  var messageIDs = WorkloadNames.MessageIDs.timeOrdered
  var folder = "/tmp"
  var isJSON = false
  var isTiny = false
  var svgFolder: String?
  var program: String?
  var rounds = 5
  var sync = Sync.durable
  /// What counts are compared with.
  var checkedFile: String?
  /// Where counts are stored.
  var storedFile: String?

  /// The most events that a workload is made of here.
  static let eventLimit = 100_000_000

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``BenchError/usage(_:)``, which says what is wrong.
  init(_ arguments: [String]) throws(BenchError) {
    var rest = arguments[...]
    if let first = rest.first, let command = Command(rawValue: first) {
      self.command = command
      rest.removeFirst()
    }
    while let word = rest.popFirst() { try read(word, &rest) }
    try check()
  }

  private mutating func read(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(BenchError) {
    switch word {
    case "--json": isJSON = true
    case "--tiny": isTiny = true
    case "--help", "-h": command = .help
    case "--events":
      eventCounts = try Self.value(of: word, &rest, "counts, as 100000,1000000") { text in
        let counts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let sound = counts.compactMap { $0 }.filter { (1...Self.eventLimit).contains($0) }
        return sound.count == counts.count ? sound : nil
      }
    case "--seed": seed = try Self.value(of: word, &rest, "a number") { UInt64($0) }
    case "--ids":
      messageIDs = try Self.value(of: word, &rest, "timeOrdered or random") {
        WorkloadNames.MessageIDs(rawValue: $0)
      }
    case "--rounds":
      rounds = try Self.value(of: word, &rest, "a number from 1 to 99") { text in
        Int(text).flatMap { (1...99).contains($0) ? $0 : nil }
      }
    case "--sync":
      sync = try Self.value(of: word, &rest, "durable, lastCommitMayVanish or none") {
        Sync(rawValue: $0)
      }
    case "--folder": folder = try Self.value(of: word, &rest, "a folder") { $0 }
    case "--svg": svgFolder = try Self.value(of: word, &rest, "a folder") { $0 }
    case "--check": checkedFile = try Self.value(of: word, &rest, "a file") { $0 }
    case "--write": storedFile = try Self.value(of: word, &rest, "a file") { $0 }
    case "--program": program = try Self.value(of: word, &rest, "a program") { $0 }
    default:
      guard !word.hasPrefix("-") else { throw .usage("there is no option \(word)") }
      operands.append(word)
    }
  }

  private static func value<R>(
    of name: String, _ rest: inout ArraySlice<String>, _ expected: String,
    _ parse: (String) -> R?
  ) throws(BenchError) -> R {
    guard let text = rest.popFirst() else { throw .usage("\(name) needs \(expected)") }
    guard let value = parse(text) else {
      throw .usage("\(name) needs \(expected), not \(text)")
    }
    return value
  }

  private func check() throws(BenchError) {
    switch command {
    case .run:
      for name in operands where Benchmark(rawValue: name) == nil {
        throw .usage("there is no benchmark \(name): see \"reaction-bench list\"")
      }
    case .floor:
      guard program != nil else { throw .usage("floor needs --program") }
      for name in operands where FloorPart(rawValue: name) == nil {
        throw .usage("floor has no part \(name)")
      }
      guard eventCounts.count == 1 else { throw .usage("floor takes one number of events") }
    case .peers, .counts:
      let name = command.rawValue
      guard operands.isEmpty else { throw .usage("\(name) takes no \(operands[0])") }
      guard eventCounts.count == 1 else { throw .usage("\(name) takes one number of events") }
    case .generate:
      guard operands.count == 1, eventCounts.count == 1 else {
        throw .usage("generate needs a file and one number of events")
      }
    case .stage:
      guard operands.count == 2, Stage(rawValue: operands[0]) != nil else {
        throw .usage("stage needs a stage and a ledger")
      }
    case .list, .help: break
    }
  }

  static let usage = """
    usage: reaction-bench [run] [BENCHMARK…] [OPTIONS]
           reaction-bench peers [OPTIONS]
           reaction-bench floor --program PATH [PART…] [OPTIONS]
           reaction-bench counts [--check FILE] [--write FILE] [OPTIONS]
           reaction-bench generate FILE [OPTIONS]
           reaction-bench list

    run       measures a ledger on a generated workload, in a folder of its own of which nothing is
              kept; "list" names the benchmarks
    peers     compares it with other stores, by turns, after their answers were found equal. The
              program must have been built with --traits SQLitePeer,RocksDBPeer or one of them
    floor     compares it with a program that does the same on LMDB and nothing besides, by turns;
              parts: write, read, scan, audit, durable, log, commands
    counts    counts memory asked for, bytes and pages for each event, which are the same on every
              machine; compares them with a file (exit status 1 if one is worse), or writes it
    generate  writes the workload in the form that such a program reads

      --events N        how many events (100000); for run also several sizes: N,N,…
      --ids KIND        ids of messages: timeOrdered (default) or random
      --seed N          what chance is derived from (42)
      --folder PATH     where the folder is made (/tmp): what is durable depends on its disk
      --rounds N        how often floor and peers repeat all; they tell medians (5)
      --sync KIND       how the ledger that is read was written: durable (default),
                        lastCommitMayVanish, or none: with flushes left out
      --tiny            a thousand events, to see that it works
      --json            JSON lines instead of a table
      --svg FOLDER      also writes plots to a folder
    """
}
