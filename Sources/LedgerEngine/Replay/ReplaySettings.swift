package import LedgerHash
internal import ReactionModel

/// What a replay is to do, and what tests may decide besides.
package struct ReplaySettings: Sendable {
  /// How much to check.
  package var level: ReplayLevel = .tree
  /// The most findings to describe.
  package var findingLimit = 100
  /// The most bytes of all tables at once.
  package var memoryLimit = Int.max
  /// The most slices at once.
  package var jobCount = 1
  /// What the log's roots should be.
  package var checkpoints: [TreeHead] = []
  /// How many slices to begin with; `nil` to find out.
  package var sliceCount: Int?
  /// The records, rows or users of one snapshot.
  package var chunkCount = 10_000

  package init() {}
}

/// What one slice found.
struct SliceResult: Sendable {
  let slice: ReplaySlice
  var findings = FindingList(limit: 0)
  /// The messages of the log as it was when the replay began.
  var messageCount = 0
  /// See ``FlatReducer/erasures``.
  var erasures: [FlatErasure] = []
  /// See ``FlatReducer/illegalBalance``.
  var illegalBalance = 0
  /// What only the primary tells.
  var head: UInt64 = 0
  var eventCount = 0
  var userCount = 0
  var root: Digest?
  /// The pairs of `byUser` in the last snapshot, and the adds less the removes up to it if the index
  /// is kept; `nil` below that level.
  var byUser: (found: Int, balance: Int?)?

  init(_ slice: ReplaySlice) { self.slice = slice }

  /// Takes over what is told of the log.
  mutating func take(_ log: LogReplay<FlatReducer>) {
    messageCount = log.reducer.messageCount
    guard slice.isPrimary else { return }
    head = log.reducer.head
    eventCount = log.reducer.eventCount
    userCount = log.reducer.users.count
    root = log.tree?.root
  }
}

extension ReplayReport {
  /// That of a store whose pages cannot be trusted, so that nothing else was read.
  init(unreadable findings: [Finding], _ settings: ReplaySettings) {
    self.init(
      level: settings.level, head: 0, eventCount: 0, messageCount: 0, userCount: 0,
      findingCount: findings.count, findings: findings, root: nil, passCount: 0,
      jobCount: 0, tableByteCount: 0)
  }

  /// Puts together what the slices found.
  init(_ results: [SliceResult], _ settings: ReplaySettings, _ work: ReplayWork) {
    // The primary first: of one place, what it says comes first.
    let results = results.sorted { $0.slice.isPrimary && !$1.slice.isPrimary }
    var findings = FindingList(limit: settings.findingLimit)
    for result in results { findings.add(result.findings) }
    let primary = results.first { $0.slice.isPrimary }
    let head = primary?.head ?? 0
    if settings.level > .log {
      for erasure in Self.erasures(results) where erasure.sequence <= head {
        if let finding = FlatReducer.finding(
          erasing: erasure.user, liveCount: erasure.liveCount, at: erasure.sequence)
        {
          findings.add(finding, at: FindingPlace(.erasedIsGone, erasure.sequence))
        }
      }
    }
    if let byUser = primary?.byUser {
      let expected = byUser.balance.map { balance in
        results.reduce(balance) { $0 - $1.illegalBalance }
      }
      if byUser.found != expected ?? 0 {
        findings.add(
          Finding(
            .byUser, place: "byUser, number of pairs", expected: "\(expected ?? 0)",
            found: "\(byUser.found)"), at: FindingPlace(.counts))
      }
    }
    self.init(
      level: settings.level, head: head, eventCount: primary?.eventCount ?? 0,
      messageCount: results.reduce(0) { $0 + $1.messageCount },
      userCount: primary?.userCount ?? 0, findingCount: findings.count,
      findings: findings.first, root: primary?.root, passCount: work.passCount,
      jobCount: work.jobCount, tableByteCount: work.tableByteCount)
  }

  /// The erasures of all slices, their live reactions added up.
  private static func erasures(_ results: [SliceResult]) -> [FlatErasure] {
    var sums: [UInt64: FlatErasure] = [:]
    for erasure in results.flatMap(\.erasures) {
      let before = sums[erasure.sequence]?.liveCount ?? 0
      sums[erasure.sequence] = FlatErasure(
        sequence: erasure.sequence, user: erasure.user, liveCount: before + erasure.liveCount)
    }
    return Array(sums.values)
  }
}
