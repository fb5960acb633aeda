internal import LMDB
internal import ReactionModel

/// How many of what a replay or a slice of it has to do with, as the store tells beforehand.
struct ReplayCounts: Sendable {
  /// The rows of `events`; exact.
  var rowCount = 0
  var eventCount = 0
  var messageCount = 0
  /// The bytes of the messages' keys.
  var keyByteCount = 0
  /// The bytes of live reactions and their reactors.
  var liveByteCount = 0
  var commandCount = 0
  var userCount = 0

  /// Reads the counts, of projections those of the fuller slot.
  init(_ environment: Environment, _ databases: Databases) throws(LedgerError) {
    let reads = try environment.beginSnapshot()
    let pageSize = environment.information.pageSizeBytes
    rowCount = try reads.count(of: databases.events)
    eventCount = rowCount
    userCount = try reads.count(of: databases.users)
    for index in 0...1 {
      let slot = databases.slot(index)
      let messages = try reads.size(of: slot.messages)
      guard index == 0 || messages.entryCount > messageCount else { continue }
      messageCount = messages.entryCount
      // Rows have their keys, ten bytes for each reactor, and twenty and more for each reaction, in
      // pages that may be half full; a key is mostly less than a third.
      let rowByteCount = (messages.leafPageCount + messages.overflowPageCount) * pageSize
      keyByteCount = rowByteCount / 3
      let spilled = try reads.count(of: slot.reactors)
      let perEvent = MemoryLayout<FlatBlock>.stride + MemoryLayout<FlatReactor>.stride
      liveByteCount = min(eventCount * perEvent, rowByteCount * 3 / 2) + spilled * 32
      commandCount = try reads.count(of: slot.commands)
    }
  }

  /// The bytes of tables that a slice can leave to others.
  var divisibleByteCount: Int {
    messageCount * 48 + keyByteCount + liveByteCount + commandCount * 33
  }

  /// The bytes of tables that the primary has whatever its messages: users, hashes of the tree, and
  /// what there is of empty tables.
  func fixedByteCount(_ level: ReplayLevel) -> Int {
    userCount * 40 + (level >= .tree ? rowCount / 8 : 0) + 8_192
  }

  /// The counts of a slice; it may have somewhat more than its part.
  func of(_ slice: ReplaySlice) -> ReplayCounts {
    let part = min(1, Double(slice.width) / 4_294_967_296 * 1.05)
    func divided(_ count: Int) -> Int { Int(Double(count) * part) + 16 }
    var counts = self
    counts.eventCount = divided(eventCount)
    counts.messageCount = divided(messageCount)
    counts.keyByteCount = divided(keyByteCount)
    counts.commandCount = divided(commandCount)
    return counts
  }
}

/// How a replay's work is divided.
struct ReplayPlan {
  let slices: [ReplaySlice]
  /// How many run at once.
  let jobCount: Int
  /// The most bytes of the tables of one slice.
  let memoryLimit: Int

  /// Divides the work so that the tables of all jobs should stay within the limit.
  ///
  /// - Throws: ``LedgerError/memoryLimitTooSmall(limit:needed:)`` if what the primary must hold is
  ///   more than that.
  init(_ counts: ReplayCounts, _ settings: ReplaySettings) throws(LedgerError) {
    let fixed = counts.fixedByteCount(settings.level)
    guard fixed < settings.memoryLimit else {
      throw .memoryLimitTooSmall(limit: settings.memoryLimit, needed: fixed)
    }
    // Fewer jobs, if the limit leaves so many nothing to work with.
    let jobs = max(1, min(settings.jobCount, Self.jobBound, settings.memoryLimit / (2 * fixed)))
    memoryLimit = settings.memoryLimit / jobs
    let room = Double(memoryLimit - fixed)
    let passes = (Double(counts.divisibleByteCount) / Double(jobs) / room).rounded(.up)
    let count = max(jobs, settings.sliceCount ?? jobs * Int(max(1, min(passes, 65_536))))
    slices = ReplaySlice.divided(
      into: count, primaryShare: Self.primaryShare(settings.level, slices: count, jobs: jobs))
    jobCount = jobs
  }

  /// The most jobs.
  static let jobBound = 64

  /// How many messages the primary takes of what another slice takes, so that jobs end together: one
  /// hash of a record costs as much as its message does, and another for the tree as much again.
  private static func primaryShare(
    _ level: ReplayLevel, slices count: Int, jobs: Int
  ) -> Double {
    if jobs == 1 { return 1 }
    if count > jobs { return 0.5 }
    return level >= .tree || jobs > 2 ? 0.02 : 0.15
  }
}

extension ReplaySlice {
  /// How many of the 2^32 hashes are its own.
  var width: Int { range.count }
}

extension ReadTransaction {
  /// How large a database is.
  borrowing func size(of database: Database) throws(LedgerError) -> DatabaseStatistics {
    do throws(LMDBError) {
      return try statistics(of: database)
    } catch {
      throw LedgerError(error)
    }
  }
}
