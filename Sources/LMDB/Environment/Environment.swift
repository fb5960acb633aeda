internal import CLMDB
internal import Glibc
internal import Synchronization

/// An open LMDB environment: one folder with `data.mdb` and `lock.mdb`.
///
/// Transactions exist only inside the synchronous closures of ``read(_:)`` and ``write(_:)``. An
/// environment may be used from any thread; there is at most one per folder and process. Several
/// processes may open one folder at once; LMDB serialises their writes.
///
/// Limits of LMDB: keys of 1 to 511 bytes; values of at most 4 GiB; no network file systems; a
/// reader keeps every page alive that was freed since it began, so readers must be short.
@safe public final class Environment: Sendable {
  /// How an environment is opened.
  public struct Options: Hashable, Sendable {
    /// The size of the map, address space and not disk: the file cannot grow past it.
    ///
    /// `nil` asks for 256 GiB and halves that down to 1 GiB where the system refuses it.
    public var mapSizeBytes: Int?
    /// The most named databases.
    public var maximumDatabaseCount = 32
    /// The most readers at once, all processes together.
    public var maximumReaderCount = 510
    /// How it flushes and reads ahead.
    public var flags: EnvironmentFlags = []
    /// Whether it may be written.
    public var access = Access.readWrite

    /// The defaults.
    public init() {}
  }

  /// Whether an environment may be written.
  public enum Access: Hashable, Sendable {
    /// It may be written.
    case readWrite
    /// It is only read: every write transaction throws. Readers are noted in the lock file, so
    /// others may write meanwhile. `MDB_RDONLY`
    case readOnly
    /// It is only read, and no byte of the folder is written, nor is a lock file needed. Nobody
    /// may write it meanwhile: a writer would not see this reader, and use its pages again under
    /// it. `MDB_RDONLY | MDB_NOLOCK`
    case readOnlyUnlocked

    var flags: EnvironmentFlags {
      switch self {
      case .readWrite: []
      case .readOnly: .readOnly
      case .readOnlyUnlocked: [.readOnly, .noLock]
      }
    }
  }

  /// The most that is tried when no size of the map is given.
  static let largestMapSizeBytes = 256 << 30
  /// The least that is tried when no size of the map is given.
  static let smallestMapSizeBytes = 1 << 30

  /// What changes while the environment is open.
  struct State {
    /// Transactions reset and ready to be renewed; each holds a reader slot.
    var idleReaders: [ReaderHandle] = []
    /// The threads that use the map, once for every transaction or call.
    var threads: [UInt] = []
    /// The threads among them that wait for a writer.
    var waitingReaders: [UInt] = []
    /// While true no transaction begins, but inside another one.
    var isGated = false
    /// Set when the environment has no map any more.
    var ending: Ending?
    /// Set once `close()` was called.
    var isClosing = false

    /// True if no transaction will begin any more.
    var isEnding: Bool { isClosing || ending != nil }

    /// Takes a thread out once; returns whether that was the last one.
    mutating func remove(_ thread: UInt) -> Bool {
      if let place = threads.lastIndex(of: thread) { threads.remove(at: place) }
      return threads.isEmpty
    }
  }

  /// What transactions throw that come too late, and what LMDB said last of the environment.
  struct Ending {
    let error: LMDBError
    let information: Information
    /// True once `raw` is freed.
    var isClosed = false
  }

  /// A reset read transaction; only the thread that took it from the list uses it.
  @safe struct ReaderHandle: @unchecked Sendable {
    let raw: OpaquePointer
  }

  /// The folder.
  public let path: String
  // Sound: an `MDB_env` may be used from any thread (MDB_NOTLS is set).
  @safe nonisolated(unsafe) let raw: OpaquePointer
  private let identity: EnvironmentRegistry.FolderIdentity
  /// Tells the environments of this process apart.
  let number: UInt64
  /// The most reader slots that are kept for later reads: a quarter of all.
  let idleReaderLimit: Int
  let state = Monitor(State())
  /// The cursors of the write transaction that is open.
  let writeCursors: WriteCursors
  /// The thread that has a write transaction, 0 if none.
  let writingThread = Atomic<UInt>(0)

  private static let lastNumber = Atomic<UInt64>(0)

  /// Opens the environment in an existing folder, making its files if they are not there.
  ///
  /// Slots of readers whose processes died are cleared.
  ///
  /// - Parameters:
  ///   - path: An existing folder.
  ///   - options: How to open it.
  /// - Throws: ``LMDBError``; `truncated` if the data file ends before a page that is in use.
  public init(path: String, options: Options = Options()) throws(LMDBError) {
    let flags = options.flags
    require(flags.isSubset(of: .all), "environment flags without a name: \(flags.rawValue)")
    let identity = try EnvironmentRegistry.enter(path)
    do throws(LMDBError) {
      try FileExtent.verifyHeader(folder: path)
      let opened = unsafe try Self.open(path, options)
      do throws(LMDBError) {
        _ = unsafe try Self.clearStaleReaders(of: opened)
        try unsafe FileExtent.verify(opened, folder: path)
      } catch {
        unsafe mdb_env_close(opened)
        throw error
      }
      self.path = path
      self.identity = identity
      idleReaderLimit = max(1, options.maximumReaderCount / 4)
      // LMDB has two databases of its own, which come first.
      writeCursors = WriteCursors(databaseCount: options.maximumDatabaseCount + 2)
      unsafe self.raw = opened
      self.number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    } catch {
      EnvironmentRegistry.leave(identity)
      throw error
    }
  }

  deinit {
    close()
    writeCursors.deallocate()
  }

  private static func open(_ path: String, _ options: Options) throws(LMDBError) -> OpaquePointer {
    var size = options.mapSizeBytes ?? largestMapSizeBytes
    while true {
      do throws(LMDBError) {
        return unsafe try open(path, options, mapSizeBytes: size)
      } catch {
        guard error.code == .outOfMemory, options.mapSizeBytes == nil, size > smallestMapSizeBytes
        else { throw error }
        size /= 2
      }
    }
  }

  private static func open(
    _ path: String, _ options: Options, mapSizeBytes: Int
  ) throws(LMDBError) -> OpaquePointer {
    var created: OpaquePointer?
    try unsafe check(mdb_env_create(&created), "mdb_env_create")
    guard let environment = unsafe created else {
      throw LMDBError(.outOfMemory, call: "mdb_env_create")
    }
    do throws(LMDBError) {
      try unsafe check(mdb_env_set_mapsize(environment, mapSizeBytes), "mdb_env_set_mapsize")
      try unsafe check(
        mdb_env_set_maxdbs(environment, UInt32(options.maximumDatabaseCount)), "mdb_env_set_maxdbs")
      try unsafe check(
        mdb_env_set_maxreaders(environment, UInt32(options.maximumReaderCount)),
        "mdb_env_set_maxreaders")
      let flags = options.flags.union(.noThreadLocalStorage).union(options.access.flags).rawValue
      try unsafe check(mdb_env_open(environment, path, flags, 0o644), "mdb_env_open")
      return unsafe environment
    } catch {
      unsafe mdb_env_close(environment)
      throw error
    }
  }

  /// Closes the environment: waits for its open transactions, then frees map and lock file.
  ///
  /// Transactions that begin after this was called throw `closed`. Closing twice does nothing.
  /// Inside a transaction of the same thread it would wait for itself: that traps.
  public func close() {
    let isInside = isInsideTransaction
    require(!isInside, "close() inside a transaction of the same thread")
    let isFirst = state.withLock { state -> Bool in
      defer { state.isClosing = true }
      return !state.isClosing
    }
    guard isFirst else { return state.wait(until: { $0.ending?.isClosed ?? false }) { _ in } }
    state.wait(until: { $0.threads.isEmpty && !$0.isGated }) { state in
      let information = unsafe state.ending?.information ?? Self.information(raw)
      state.ending = Ending(error: Self.closedError, information: information, isClosed: true)
      for reader in state.idleReaders { unsafe mdb_txn_abort(reader.raw) }
      state.idleReaders = []
      unsafe mdb_env_close(raw)
      EnvironmentRegistry.leave(identity)
    }
    state.notifyAll()
  }

  /// What transactions throw that begin after the end.
  static let closedError = LMDBError(.closed, call: "a transaction")

  static var currentThread: UInt { UInt(pthread_self()) }

  /// Traps if a write transaction is used on another thread than its own; 0 allows any.
  static func verifyThread(_ thread: UInt) {
    require(
      thread == 0 || thread == currentThread, "a write transaction was used on another thread")
  }
}
