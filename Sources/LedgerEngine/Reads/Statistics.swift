internal import LMDB
internal import ReactionCodec
public import ReactionModel

/// How large a ledger is, and what should be looked after.
public struct LedgerStatistics: Hashable, Sendable {
  /// The sequence of the last record.
  public let head: UInt64
  /// The events among the records.
  public let eventCount: Int
  /// The messages that have had a reaction.
  public let messageCount: Int
  /// The reactions that are live; `nil` unless asked for, since they must be counted by a scan.
  public let liveReactionCount: Int?
  /// The users who were given a number.
  public let userCount: Int
  /// When the last record was made.
  public let lastRecordedAt: Timestamp?
  /// The size of the data file.
  public let fileByteCount: Int
  /// The size of the map.
  public let mapByteCount: Int
  /// The pages of the file that later commits will use again.
  public let freePageCount: Int
  /// How many commits the oldest reader, of any process, is behind; `nil` if nobody reads.
  public let oldestReaderLag: UInt64?
  /// The policy in force.
  public let policy: Policy
  /// The version of the file format.
  public let formatVersion: Int
  /// The version of the LMDB library.
  public let libraryVersion: String
  /// Whether live reactions are indexed by user.
  public let isIndexedByUser: Bool
  /// What should be looked after, in words.
  public let warnings: [String]
}

extension Ledger {
  /// How large the ledger is, and what should be looked after.
  ///
  /// Complexity: O(1) in events, unless live reactions are to be counted: that scans all rows.
  ///
  /// - Parameter countingLiveReactions: Whether to count them.
  /// - Returns: The figures, of one moment.
  /// - Throws: ``LedgerError``.
  public func statistics(
    countingLiveReactions: Bool = false
  ) throws(LedgerError) -> LedgerStatistics {
    let information = environment.information
    let readers: [Environment.Reader]
    do throws(LMDBError) {
      readers = try environment.readers()
    } catch {
      throw LedgerError(error)
    }
    let oldest = readers.compactMap(\.transaction).min()
    return try read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      let state = try LogState(snapshot.reads, databases)
      let freePageCount: Int
      do throws(LMDBError) {
        freePageCount = try snapshot.reads.freePageCount()
      } catch {
        throw LedgerError(error)
      }
      return LedgerStatistics(
        head: state.head, eventCount: Int(state.head - min(state.head, state.meta.noticeCount)),
        messageCount: try snapshot.reads.count(of: snapshot.slot.messages),
        liveReactionCount: countingLiveReactions ? try snapshot.countLiveReactions() : nil,
        userCount: Int(state.lastUser), lastRecordedAt: state.lastTime,
        fileByteCount: Folder.fileByteCount(path + "/" + Folder.dataFileName),
        mapByteCount: information.mapSizeBytes,
        freePageCount: freePageCount,
        oldestReaderLag: oldest.map {
          information.lastTransaction - min($0, information.lastTransaction)
        },
        policy: state.policy, formatVersion: Int(RecordFormat.version),
        libraryVersion: Environment.libraryVersion, isIndexedByUser: state.meta.indexesByUser,
        warnings: warnings(state, information))
    }
  }

  private func warnings(_ state: LogState, _ information: Environment.Information) -> [String] {
    var warnings: [String] = []
    let now = options.clock()
    if let last = state.lastTime, last > now {
      warnings.append(
        "the clock (\(now)) is behind the last record (\(last)): new records repeat that time")
    }
    if state.meta.closingCount > 0 {
      let count = state.meta.closingCount
      warnings.append(
        "\(count) \(count == 1 ? "user is" : "users are") being erased; erase again, or compact "
          + "the ledger, to finish")
    }
    if state.meta.rebuild != nil {
      warnings.append("a rebuild was begun and has not ended; begin another to end it")
    }
    if (information.lastPage + 1) * information.pageSizeBytes > information.mapSizeBytes / 10 * 9 {
      warnings.append("the map is nine tenths full; it will be doubled when it is full")
    }
    return warnings
  }
}

extension Snapshot {
  func countLiveReactions() throws(LedgerError) -> Int {
    var count = 0
    var cursor = try reads.scan(slot.messages)
    while let row = try cursor.step() {
      let value = row.value
      count += try decoding(.messageRow, "messages, a row") { () throws(CodecError) in
        var (sum, offset) = (0, RowFormat.headerByteCount)
        while let block = try RowFormat.block(at: offset, in: value) {
          sum += block.count
          offset = block.end
        }
        return sum
      }
    }
    return count
  }
}
