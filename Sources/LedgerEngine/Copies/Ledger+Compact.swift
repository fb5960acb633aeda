internal import Glibc
internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension Ledger {
  /// What a compaction has just done; a test stops it there.
  package enum CompactionStep: Int, Sendable, CaseIterable {
    /// Nobody else has the ledger open, and nobody can open it.
    case locked
    /// Erasures that had begun are finished.
    case erased
    /// `userNumbers` was made anew.
    case renumbered
    /// The copy is complete.
    case copied
    /// The copy is flushed.
    case flushed
    /// The copy is the data file.
    case renamed
    /// LMDB's lock file, which belonged to the old data file, is gone.
    case unlocked
  }

  /// What a compaction came to.
  public struct CompactionReport: Hashable, Sendable {
    /// The size of the data file before.
    public let bytesBefore: Int
    /// The size of the data file now.
    public let bytesAfter: Int
  }

  /// Writes a ledger's data file anew, without free space and without what erased users left there.
  ///
  /// Erasures that had begun are finished first, with cause *user erased*. The ledger must not be open anywhere: nothing is done, and the error names the processes, if it
  /// is. Interrupted at any step, the ledger opens as it was or compacted. Needs free disk for the
  /// copy. Complexity: O(size of the ledger). Durability point: on return the new file is flushed.
  ///
  /// - Parameter path: The ledger's folder.
  /// - Returns: The sizes before and after.
  /// - Throws: ``LedgerError``: `inUse`, `notFound`, `notALedger`, or what the storage throws.
  @discardableResult
  public static func compact(at path: String) throws(LedgerError) -> CompactionReport {
    try compact(at: path) { _ in }
  }

  package static func compact(
    at path: String, onStep: (CompactionStep) -> Void
  ) throws(LedgerError) -> CompactionReport {
    guard Folder.look(at: path) == .ledger else {
      // Opening says what is there instead.
      try open(at: path).close()
      throw .notFound(path: path)
    }
    let lock = try exclusiveLock(path)
    defer { withExtendedLifetime(lock) {} }
    onStep(.locked)
    let data = path + "/" + Folder.dataFileName
    let copy = path + "/" + Folder.newDataFileName
    let bytesBefore = Folder.fileByteCount(data)
    unsafe unlink(copy)
    try copyRenumbered(path, to: copy, onStep)
    do throws(LMDBError) {
      try Folder.flush(copy)
      onStep(.flushed)
      guard unsafe rename(copy, data) == 0 else {
        throw LMDBError(.init(rawValue: errno), call: "rename")
      }
      onStep(.renamed)
      unsafe unlink(path + "/" + Folder.lockFileName)
      onStep(.unlocked)
      try Folder.flush(path)
    } catch {
      throw .storage(error)
    }
    return CompactionReport(bytesBefore: bytesBefore, bytesAfter: Folder.fileByteCount(data))
  }

  /// How often, and with what pause, a lock is asked for again that no other process holds.
  private static let lockRetry = (count: 100, pauseMicroseconds: UInt32(10_000))

  /// The ledger's lock, for this process alone.
  ///
  /// Where this process is starting a program, the lock of a ledger that it has just closed is held for
  /// a moment by the child that is not that program yet; the kernel calls it this process's, or
  /// nobody's when it is gone. So the lock is asked for again then, for a second at most.
  private static func exclusiveLock(_ path: String) throws(LedgerError) -> LedgerLock {
    var attemptCount = 0
    while true {
      do throws(LMDBError) {
        return try LedgerLock(folder: path, .exclusive)
      } catch {
        guard error.code == .wouldBlock else { throw cannotOpen(path, error) }
        let holders = LedgerLock.holders(folder: path)
        attemptCount += 1
        let isOthers = holders.contains { $0 != Int(getpid()) }
        guard !isOthers, attemptCount < lockRetry.count else {
          throw .inUse(path: path, processIDs: holders)
        }
        usleep(lockRetry.pauseMicroseconds)
      }
    }
  }

  /// Copies the ledger, with `userNumbers` made anew so that its branch pages hold no key of an
  /// erased user.
  private static func copyRenumbered(
    _ path: String, to copy: String, _ onStep: (CompactionStep) -> Void
  ) throws(LedgerError) {
    let environment: Environment
    do throws(LMDBError) {
      environment = try Environment(path: path, options: environmentOptions(LedgerOptions()))
    } catch {
      throw cannotOpen(path, error)
    }
    defer { environment.close() }
    let databases = try environment.writeGrowing {
      (transaction: inout WriteTransaction) throws(LedgerError) -> Databases in
      try prepare(path, .never, LedgerOptions(), &transaction)
    }
    try finishErasures(environment, databases)
    onStep(.erased)
    try environment.writeGrowing { (transaction: inout WriteTransaction) throws(LedgerError) in
      try Rebuild.refillUserNumbers(&transaction, databases)
    }
    onStep(.renumbered)
    do throws(LMDBError) {
      try environment.copyCompacted(to: copy)
    } catch {
      throw .storage(error)
    }
    onStep(.copied)
  }

  /// Finishes the erasures that had begun.
  private static func finishErasures(
    _ environment: Environment, _ databases: Databases
  ) throws(LedgerError) {
    let options = LedgerOptions()
    var processor = CommandProcessor(databases, options)
    for id in try closingUsers(environment, databases) {
      let batch = PreparedBatch([.erase(id)])
      var (outcomes, series): ([Outcome], CommandProcessor.Series) = ([], .init())
      while outcomes.isEmpty {
        (outcomes, series) = try environment.writeGrowing {
          (transaction: inout WriteTransaction) throws(LedgerError) in
          var next = (outcomes: outcomes, series: series)
          try processor.begin(transaction.reads)
          try processor.run(
            batch, &next.outcomes, &next.series, at: processor.time(options.clock()),
            &transaction)
          return next
        }
        _ = processor.committed()
      }
    }
  }

  private static func closingUsers(
    _ environment: Environment, _ databases: Databases
  ) throws(LedgerError) -> [UserID] {
    try environment.read { (reads: borrowing ReadTransaction) throws(LedgerError) in
      var found: [UserID] = []
      let count = try Meta.state(reads, databases).closingCount
      var cursor = try reads.scan(databases.users)
      while found.count < Int(count), let row = try cursor.step() {
        let value = row.value
        let user = try decoding(.userRow, "users") { () throws(CodecError) in
          try UserRow(decoding: value)
        }
        if case .closing(_, let id) = user { found.append(id) }
      }
      return found
    }
  }
}
