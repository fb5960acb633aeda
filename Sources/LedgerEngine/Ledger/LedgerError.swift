public import LMDB
public import ReactionModel

/// What the storage throws: outcomes of commands are values, see ``ReactionModel/Outcome``.
public enum LedgerError: Error, Sendable, LMDBErrorConvertible {
  /// There is no ledger at this path, and none was to be made.
  case notFound(path: String)
  /// There is something at this path already.
  case alreadyExists(path: String)
  /// What is at this path is no ledger.
  case notALedger(path: String, reason: String)
  /// The ledger was written in a format that this version does not read.
  case newerFormat(version: Int)
  /// The ledger is open in this process already.
  case alreadyOpen(path: String)
  /// The ledger cannot be opened: permissions, a file system for reading only, no memory.
  case cannotOpen(path: String, reason: LMDBError)
  /// The ledger was opened for reading only, so it cannot be changed.
  case readOnly(path: String)
  /// Other processes, or this one, have the ledger open, so its data file cannot be replaced.
  case inUse(path: String, processIDs: [Int])
  /// The ledger was closed.
  case closed
  /// Bytes of the store are not what they should be.
  case damaged(Finding)
  /// A call of the storage failed; nothing of the command was recorded.
  case storage(LMDBError)
  /// A commit failed in a way that leaves open whether it is there. Close the ledger, open it
  /// again and ask with the same command id: the answer is then certain.
  case commitUnknown(LMDBError)
  /// A position is of another history: of a backup that was restored, or a log that was rewritten.
  case notInThisHistory(Position)
  /// A position is after the last record: this copy is behind the one that gave it.
  case aheadOfThisCopy(Position)
  /// A record to be restored is not one that could follow those before it.
  case illegalRecord(Finding)
  /// What was to be restored ends inside a command, or has no record at all.
  case incompleteLog(head: UInt64)
  /// There is no record of this sequence: the log, or the tree that was asked for, ends before it.
  case noSuchRecord(sequence: UInt64, end: UInt64)
  /// A cursor is no cursor, or one of another message, reaction or format.
  case invalidCursor(String)
  /// A limit of a page is out of range.
  case invalidLimit(Int, allowed: ClosedRange<Int>)
  /// The tables of a replay do not fit into the memory allowed, however often the log is read.
  case memoryLimitTooSmall(limit: Int, needed: Int)
  /// Whoever asked for it does not want it any more.
  case cancelled
  /// The rebuild was replaced by another one that began later.
  case rebuildReplaced
  /// The log has findings that a rebuild does not mend; it does not build on them.
  case rebuildRefused([Finding])

  /// Wraps an error of LMDB.
  public init(_ error: LMDBError) {
    if error.code == .closed {
      self = .closed
    } else {
      self = error.call == "mdb_txn_commit" ? .commitUnknown(error) : .storage(error)
    }
  }
}

extension LedgerError: CustomStringConvertible {
  /// What happened, where, and what can be done.
  public var description: String {
    switch self {
    case .notFound(let path): "there is no ledger at \(path): create one first"
    case .alreadyExists(let path): "there is something at \(path) already: nothing was created"
    case .notALedger(let path, let reason): "\(path) is no ledger: \(reason)"
    case .newerFormat(let version):
      "the ledger has format version \(version), which this version does not read: use a newer one"
    case .alreadyOpen(let path):
      "\(path) is open in this process already: share the one that is open"
    case .cannotOpen(let path, let reason): "\(path) cannot be opened: \(reason)"
    case .readOnly(let path): "\(path) was opened for reading only: nothing was changed"
    case .inUse(let path, let processIDs):
      "\(path) is in use by process \(processIDs.map { "\($0)" }.joined(separator: ", ")): close it "
        + "there first"
    case .closed: "the ledger was closed"
    case .damaged(let finding): "the ledger is damaged: \(finding)"
    case .storage(let error): "the storage failed: \(error)"
    case .commitUnknown(let error):
      "the commit failed (\(error)) and may or may not be there: reopen and ask again with the "
        + "same command id"
    case .notInThisHistory(let position):
      "position \(position) is not in this ledger's history: begin anew, or find where they part"
    case .aheadOfThisCopy(let position):
      "position \(position) is ahead of this copy of the ledger: it lacks what came since"
    case .illegalRecord(let finding): "a record cannot be restored: \(finding)"
    case .incompleteLog(let head): "the log ends after record \(head), inside a command"
    case .noSuchRecord(let sequence, let end):
      "there is no record \(sequence): the last one is \(end)"
    case .invalidCursor(let reason): "the cursor is not valid here: \(reason)"
    case .invalidLimit(let limit, let allowed):
      "the limit must be \(allowed.lowerBound) to \(allowed.upperBound), not \(limit)"
    case .memoryLimitTooSmall(let limit, let needed):
      "the memory limit of \(limit) bytes is too small: at least \(needed) are needed"
    case .cancelled: "it was cancelled"
    case .rebuildReplaced: "another rebuild began later and replaced this one"
    case .rebuildRefused(let findings):
      "the log itself is damaged (\(findings.count) findings), and nothing is built on it"
    }
  }
}
