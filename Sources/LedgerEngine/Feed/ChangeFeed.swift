internal import LMDB
public import ReactionModel

/// The changes of a ledger, one command after the other, without end.
///
/// No change is lost or repeated, however slow the reader is: the feed is a place in the log and a
/// wake-up, not a buffer. It tells what other processes wrote as well, and only what is flushed.
/// Memory: the changes of at most 256 records.
public struct ChangeFeed: AsyncSequence, Sendable {
  /// What the feed tells.
  public typealias Element = Change
  /// What it fails with.
  public typealias Failure = LedgerError

  let ledger: Ledger
  let start: Position

  /// The records of one snapshot.
  static let chunkCount = 256

  /// Begins at the feed's position; several iterators do not disturb each other.
  public func makeAsyncIterator() -> Iterator { Iterator(ledger, start) }

  /// A reader of the feed.
  public struct Iterator: AsyncIteratorProtocol {
    private let ledger: Ledger
    private var position: Position
    private var isVerified = false
    private var pending: [Change] = []
    private var pendingIndex = 0
    private var seen: UInt64 = 0

    init(_ ledger: Ledger, _ start: Position) {
      self.ledger = ledger
      position = start
    }

    /// The next change, once there is one; `nil` once the task is cancelled.
    ///
    /// - Throws: ``LedgerError/notInThisHistory(_:)`` or ``LedgerError/aheadOfThisCopy(_:)`` for the
    ///   position that the feed was to go on after, ``LedgerError/closed``, or what the storage
    ///   throws.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LedgerError) -> Change? {
      while true {
        if Task.isCancelled { return nil }
        if pendingIndex < pending.count {
          defer { pendingIndex += 1 }
          return pending[pendingIndex]
        }
        if try !fill() { await ledger.watch.wait(past: seen) }
      }
    }

    /// Reads on; whether there was anything.
    private mutating func fill() throws(LedgerError) -> Bool {
      let (start, isVerified) = (position, isVerified)
      let (found, transaction) = try ledger.read {
        (snapshot: borrowing Snapshot) throws(LedgerError) in
        if !isVerified { try snapshot.require(start) }
        return (
          try snapshot.changes(after: start.sequence, limit: ChangeFeed.chunkCount),
          snapshot.reads.id
        )
      }
      self.isVerified = true
      seen = transaction
      guard let end = found.position else { return false }
      try ledger.requireFlushed(transaction)
      (pending, pendingIndex, position) = (found.changes, 0, end)
      return true
    }
  }
}

extension Ledger {
  /// The changes after a position, and then each further one as it is committed.
  ///
  /// Save the position of the last change that was dealt with, and go on after it next time. The
  /// feed speaks only of what is flushed: before it hands on a commit that this process did not flush
  /// itself, it flushes the file.
  ///
  /// - Parameter position: Where to go on; ``ReactionModel/Position/beginning`` for all there are.
  /// - Returns: The feed. It fails at its first element if the position is of another history.
  public func changes(after position: Position = .beginning) -> ChangeFeed {
    ChangeFeed(ledger: self, start: position)
  }

  /// The records after a sequence, oldest first; on return they are flushed, whoever wrote them.
  ///
  /// - Parameters:
  ///   - sequence: The last sequence that is not wanted.
  ///   - limit: The most records to give, at least 1.
  /// - Returns: The records that there are.
  /// - Throws: ``LedgerError``.
  package func flushedRecords(
    after sequence: UInt64, limit: Int
  ) throws(LedgerError) -> [Entry] {
    let (entries, transaction) = try read {
      (snapshot: borrowing Snapshot) throws(LedgerError) in
      (try snapshot.records(after: sequence, limit: limit), snapshot.reads.id)
    }
    if !entries.isEmpty { try requireFlushed(transaction) }
    return entries
  }

  /// Flushes the file, unless this process has flushed this commit, or a later one, itself.
  func requireFlushed(_ transaction: UInt64) throws(LedgerError) {
    guard writer.lastFlushedTransaction < transaction else { return }
    do throws(LMDBError) {
      switch access {
      case .readWrite: try environment.flush()
      case .readOnly:
        // LMDB does not flush what it only reads. Without a lock nobody writes.
        if isLocked { try Folder.flush(path + "/" + Folder.dataFileName) }
      }
    } catch {
      throw LedgerError(error)
    }
  }
}

extension Snapshot {
  /// Throws unless a position is in this history.
  func require(_ position: Position) throws(LedgerError) {
    switch try standing(of: position) {
    case .here: return
    case .ahead: throw .aheadOfThisCopy(position)
    case .notInThisHistory: throw .notInThisHistory(position)
    }
  }
}
