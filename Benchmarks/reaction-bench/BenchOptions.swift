import ReactionModel

/// What is to be measured.
struct BenchOptions {
  var eventCount = 100_000
  var batchCount = 1_000
  var seed: UInt64 = 42
  var durability = Durability.durable
  var folder = "/tmp"
  var isJSON = false

  static let usage = """
    usage: reaction-bench [--events N] [--batch N] [--seed N] [--folder PATH]
                          [--durability durable|lastCommitMayVanish] [--json]

    Appends a generated workload to a new ledger in a folder of its own below PATH (/tmp), reads
    summaries, replays and rebuilds it, and prints what each cost. Nothing of it is kept.
    """

  /// Reads the arguments; `nil` if they make no sense.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--json" {
        isJSON = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--events":
        guard let count = Int(value), count > 0 else { return nil }
        eventCount = count
      case "--batch":
        guard let count = Int(value), (1...10_000).contains(count) else { return nil }
        batchCount = count
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--durability":
        guard let level = Durability.allCases.first(where: { $0.name == value }) else { return nil }
        durability = level
      case "--folder": folder = value
      default: return nil
      }
    }
  }
}
