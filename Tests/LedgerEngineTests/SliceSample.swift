import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// A ledger whose messages are many enough to be divided, and copies of it that are damaged.
struct SliceSample {
  let test: TestLedger
  /// The letter of the live slot.
  let slot: String
  /// The names of all databases that a replay compares.
  var databases: [String] {
    ["events", "users", "userNumbers", "meta", "tree"]
      + ["messages", "reactors", "members", "commands", "byUser"].map { "\($0).\(slot)" }
  }
  private let pairs: [String: RawLedger.Pairs]

  /// Makes the ledger and closes it.
  init(seed: UInt64, commandCount: Int = 400, indexed: Bool = false) throws {
    test = try TestLedger()
    if indexed { try test.ledger.indexByUser(true) }
    var generator = SeededGenerator(seed: seed)
    _ = try test.ledger.append(Self.commands(commandCount, &generator))
    for user in ["u3", "u39"] as [UserID] { _ = try test.ledger.append(.erase(user)) }
    _ = try test.ledger.append(.setPolicy(Policy(maximumDistinctPerMessage: 7)))
    test.ledger.close()
    slot = try RawLedger.liveSlot(at: test.path)
    var pairs: [String: RawLedger.Pairs] = [:]
    for name in ["events", "users", "userNumbers", "meta", "tree"] {
      pairs[name] = try RawLedger.pairs(name, at: test.path)
    }
    for name in ["messages", "reactors", "members", "commands", "byUser"] {
      pairs["\(name).\(slot)"] = try RawLedger.pairs("\(name).\(slot)", at: test.path)
    }
    self.pairs = pairs
  }

  static func commands(_ count: Int, _ generator: inout SeededGenerator) -> [Command] {
    let messages = (0..<30).map { index in
      MessageKey.group(
        ConversationID(stringLiteral: "g\(index % 5)"), MessageID(stringLiteral: "m\(index / 5)"))
    }
    let users = (1...40).map { UserID(stringLiteral: "u\($0)") }
    let reactions = ["👍", "❤️", ":a:", ":party:"]
    var commands = (0..<70).map { index in
      Command.add(reactions[index % 2], to: messages[index % 2], by: users[index / 2])
    }
    func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
    for _ in 0..<count {
      let (message, reaction) = (messages[below(30)], reactions[below(4)])
      var command =
        switch below(20) {
        case 0: Command.clear(message, cause: .moderation)
        case 1: Command.clear(message, reaction: reaction, cause: .expired)
        case 2...7: Command.remove(reaction, from: message, by: users[below(38)])
        default: Command.add(reaction, to: message, by: users[below(38)])
        }
      if below(4) == 0 { command.id = CommandID(high: generator.next(), low: generator.next()) }
      if below(9) == 0 { command.actor = users[below(40)] }
      commands.append(command)
    }
    return commands
  }

  /// The pairs of a database, as they were when the ledger was made.
  func pairs(of database: String) -> RawLedger.Pairs { pairs[database] ?? [] }

  /// Runs `body` with the path of a copy.
  func withCopy<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    try FileManager.default.copyItem(atPath: test.path, toPath: path)
    defer { withExtendedLifetime(folder) {} }
    return try body(path)
  }

  /// How replays are run that must say the same: slices, jobs, records of a snapshot.
  static let divisions: [(slices: Int, jobs: Int, chunk: Int)] = [
    (1, 1, 7), (2, 1, 10_000), (3, 1, 50), (7, 1, 10_000), (2, 2, 10_000), (7, 2, 20),
  ]

  /// Replays an open ledger in all ways, requires that they say the same, and gives that.
  @discardableResult
  static func replay(
    _ ledger: Ledger, _ settings: ReplaySettings = ReplaySettings(), _ place: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ReplayReport {
    var settings = settings
    settings.findingLimit = 1_000
    settings.sliceCount = 1
    let expected = try ledger.replay(settings)
    for division in divisions {
      settings.sliceCount = division.slices
      settings.jobCount = division.jobs
      settings.chunkCount = division.chunk
      let report = try ledger.replay(settings)
      #expect(report.findings == expected.findings, place, sourceLocation: sourceLocation)
      #expect(
        Self.facts(report) == Self.facts(expected), "\(division) \(place ?? "")",
        sourceLocation: sourceLocation)
      #expect(report.passCount == (division.slices + division.jobs - 1) / division.jobs)
    }
    settings.findingLimit = 3
    let short = try ledger.replay(settings)
    #expect(short.findings == Array(expected.findings.prefix(3)), place)
    #expect(short.findingCount == expected.findingCount, place)
    return expected
  }

  /// What of a report does not depend on how the work was divided.
  static func facts(_ report: ReplayReport) -> [String] {
    [
      "\(report.level) \(report.head) \(report.eventCount) \(report.messageCount)",
      "\(report.userCount) \(report.findingCount) \(report.root.map { "\($0)" } ?? "-")",
    ]
  }
}
