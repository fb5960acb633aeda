import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `generate`: a synthetic workload.
enum GenerateCommand: ToolCommand {
  /// The commands of one bulk append.
  static let batchCount = 5_000
  /// The most events: the generator keeps some 80 bytes for each.
  static let eventLimit = 1_000_000_000

  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "generate", summary: "Makes a synthetic workload with the shape of real ones",
      details: """
        Appends it to a ledger or, if none is named, prints its commands as JSON lines. The same \
        seed makes the same commands, and a longer workload begins like a shorter one.
        """,
      operands: [Operand("L", "the folder of the ledger to append to", isOptional: true)],
      options: [
        .value("events", "N", "how many events", isRequired: true),
        .value("seed", "S", "what all chance is derived from (default 42)"),
        .value("message-ids", "KIND", "time: message ids in order of time (default); random"),
        .flag(
          "tsv",
          "print operation, microseconds, conversation, message, user, reaction, with tabs"),
        .json,
      ],
      statuses: [(.done, "made")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    guard let count = try arguments.integer("events", in: 0...eventLimit) else {
      throw .usage("--events is missing: add it")
    }
    let seed: UInt64 = try arguments.integer("seed", in: 0...UInt64.max) ?? 42
    let ids: WorkloadNames.MessageIDs =
      try arguments.choice("message-ids", ["time": .timeOrdered, "random": .random])
      ?? .timeOrdered
    let names = WorkloadNames(messageIDs: ids)
    let isTSV = arguments.has("tsv")
    guard !isTSV || !(arguments.has("json") || arguments.operands["L"]?.isEmpty == false) else {
      throw .usage("--tsv prints commands: give neither --json nor a ledger with it")
    }
    var generator = WorkloadGenerator(events: count, seed: seed)
    if arguments.operands["L"]?.isEmpty ?? true {
      try print(&generator, names, isTSV: isTSV, output)
      return .done
    }
    let tally = try append(&generator, names, to: try arguments.ledgerPath())
    if arguments.has("json") {
      try output.object { writer in
        writer.member("events", count)
        writer.member("seed", seed)
        writer.member("recorded", tally.recorded)
        writer.member("unchanged", tally.unchanged)
        writer.member("refused", tally.refused)
        writer.member("head", tally.head)
      }
    } else {
      try output.line(
        "\(counted(count, "event")) of seed \(seed): recorded \(tally.recorded), unchanged "
          + "\(tally.unchanged), refused \(tally.refused); the last record is \(tally.head)")
    }
    return .done
  }

  private static func print(
    _ generator: inout WorkloadGenerator, _ names: WorkloadNames, isTSV: Bool, _ output: Output
  ) throws(Failure) {
    while !output.isClosed, let event = generator.next() {
      let message = generator.messages[Int(event.message)]
      if isTSV {
        try output.bytes { names.appendLine(for: event, on: message, to: &$0) }
      } else {
        try output.object { $0.members(of: names.command(for: event, on: message)) }
      }
    }
  }

  private struct Tally {
    var recorded = 0
    var unchanged = 0
    var refused = 0
    var head: UInt64 = 0

    mutating func add(_ outcome: Outcome) {
      switch outcome {
      case .recorded, .repeated: recorded += 1
      case .unchanged: unchanged += 1
      case .refused, .rolledBack: refused += 1
      }
    }
  }

  private static func append(
    _ generator: inout WorkloadGenerator, _ names: WorkloadNames, to path: String
  ) throws(Failure) -> Tally {
    let progress = ProgressLine()
    defer { progress.clear() }
    return try withLedger(at: path) { (ledger) throws(Failure) in
      var tally = Tally()
      while generator.producedCount < generator.eventCount {
        var commands: [Command] = []
        while commands.count < batchCount, let event = generator.next() {
          let message = generator.messages[Int(event.message)]
          commands.append(names.command(for: event, on: message))
        }
        let outcomes = try ledger.attempt { (ledger) throws(LedgerError) in
          try ledger.append(commands)
        }
        for outcome in outcomes { tally.add(outcome) }
        progress.show("appending: \(generator.producedCount) of \(generator.eventCount) events")
      }
      tally.head = try ledger.look { (snapshot) throws(LedgerError) in try snapshot.head }
      return tally
    }
  }
}
