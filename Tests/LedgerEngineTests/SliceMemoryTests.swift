import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// A replay keeps to the memory that it is allowed.
@Suite struct SliceMemoryTests {
  #if DEBUG
    static let commandCount = 6_000
  #else
    static let commandCount = 120_000
  #endif

  /// A ledger with a new message for every third command, and with command ids.
  private static func ledger() throws -> TestLedger {
    let test = try TestLedger { $0.durability = .lastCommitMayVanish }
    for start in stride(from: 0, to: commandCount, by: 1_000) {
      let commands = (start..<start + 1_000).map { index in
        let message = MessageKey.group(
          "some conversation", MessageID(stringLiteral: "message \(index / 3)"))
        let user = UserID(stringLiteral: "u\(index % 50)")
        return Command.add(
          index % 2 == 0 ? "👍" : "❤️", to: message, by: user,
          id: index % 5 == 0 ? CommandID(high: 3, low: UInt64(index)) : nil)
      }
      _ = try test.ledger.append(commands)
    }
    return test
  }

  @Test("What the tables hold stays within the limit, which takes several passes")
  func limits() throws {
    let test = try Self.ledger()
    let whole = try test.ledger.replay()
    #expect(whole.passCount == 1 && whole.isOK && whole.tableByteCount > Self.commandCount * 20)
    for (part, jobCount) in [(2, 1), (4, 1), (4, 2), (9, 1)] {
      let limit = whole.tableByteCount / part + 40_000
      let report = try test.ledger.replay(memoryLimit: limit, jobCount: jobCount)
      #expect(report.isOK && report.root == whole.root)
      #expect(report.jobCount == jobCount)
      #expect(SliceSample.facts(report) == SliceSample.facts(whole))
      #expect(report.tableByteCount <= limit, "\(limit)")
      #expect(report.passCount > 1 && report.passCount < 8 * part, "\(report.passCount)")
      // The estimate is not needed for it: what is too large is begun again in parts.
      var settings = ReplaySettings()
      settings.memoryLimit = limit
      settings.jobCount = jobCount
      settings.sliceCount = jobCount
      let divided = try test.ledger.replay(settings)
      #expect(divided.isOK && divided.tableByteCount <= limit && divided.passCount > 1)
      #expect(SliceSample.facts(divided) == SliceSample.facts(whole))
    }
  }

  @Test("What cannot be divided is refused, and fewer jobs run if that helps") func tooLittle()
    throws
  {
    let test = try Self.ledger()
    for limit in [Int.min, -1, 0, 1, 4_000, 10_000] {
      #expect {
        try test.ledger.replay(memoryLimit: limit)
      } throws: { error in
        guard case .memoryLimitTooSmall(limit, let needed)? = error as? LedgerError else {
          return false
        }
        return needed > limit
      }
    }
    let report = try test.ledger.replay(memoryLimit: 150_000, jobCount: 64)
    #expect(report.isOK && report.jobCount < 64 && report.tableByteCount <= 150_000)
    #expect(try test.ledger.replay(jobCount: -3).jobCount == 1)
  }

  @Test("A message that alone needs more than the limit") func oneLargeMessage() throws {
    let test = try TestLedger { $0.durability = .lastCommitMayVanish }
    let users = (0..<3_000).map { UserID(stringLiteral: "u\($0)") }
    _ = try test.ledger.append(users.map { .add("👍", to: .m1, by: $0) })
    #expect(throws: LedgerError.self) { try test.ledger.replay(memoryLimit: 3_000 * 40 + 40_000) }
    #expect(try test.ledger.replay(memoryLimit: 3_000 * 140).isOK)
  }
}
