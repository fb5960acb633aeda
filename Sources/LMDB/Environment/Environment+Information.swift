internal import CLMDB

extension Environment {
  /// What LMDB says of an environment.
  public struct Information: Hashable, Sendable {
    /// The size of the map.
    public let mapSizeBytes: Int
    /// The number of the last page in use; pages count from 0.
    public let lastPage: Int
    /// The id of the last committed transaction, by whichever process.
    public let lastTransaction: UInt64
    /// The reader slots there are.
    public let maximumReaderCount: Int
    /// The most reader slots that were ever taken at once, since the lock file was made.
    public let readerCount: Int
    /// The size of a page.
    public let pageSizeBytes: Int
  }

  /// What LMDB says of this environment; once it is closed, what it said last.
  ///
  /// Takes no transaction and no reader slot. Complexity: O(1).
  public var information: Information {
    // The lock keeps the map in place: its first two pages are read.
    state.withLock { state in
      if let ending = state.ending { return ending.information }
      return unsafe Self.information(raw)
    }
  }

  static func information(_ raw: OpaquePointer) -> Information {
    var info = unsafe MDB_envinfo()
    var statistics = MDB_stat()
    unsafe mdb_env_info(raw, &info)
    unsafe mdb_env_stat(raw, &statistics)
    return unsafe Information(
      mapSizeBytes: info.me_mapsize, lastPage: info.me_last_pgno,
      lastTransaction: UInt64(truncatingIfNeeded: info.me_last_txnid),
      maximumReaderCount: Int(info.me_maxreaders), readerCount: Int(info.me_numreaders),
      pageSizeBytes: Int(statistics.ms_psize))
  }

  /// Clears the slots of readers whose processes died.
  ///
  /// Done at open, and when a read finds no free slot.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func clearStaleReaders() throws(LMDBError) -> Int {
    try enter()
    defer { leave() }
    return unsafe try Self.clearStaleReaders(of: raw)
  }

  static func clearStaleReaders(of raw: OpaquePointer) throws(LMDBError) -> Int {
    var cleared: Int32 = 0
    try unsafe check(mdb_reader_check(raw, &cleared), "mdb_reader_check")
    return Int(cleared)
  }

  /// Flushes everything committed to the disk, whatever the environment's flags.
  ///
  /// - Throws: ``LMDBError``.
  public func flush() throws(LMDBError) {
    try enter()
    defer { leave() }
    try unsafe check(mdb_env_sync(raw, 1), "mdb_env_sync")
  }

  /// The version of the LMDB library, as `0.9.24`.
  public static var libraryVersion: String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    unsafe mdb_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }
}
