public import ReactionModel

/// How a ledger is opened; everything that a test must decide is here, and nothing is global.
public struct LedgerOptions: Sendable {
  /// Whether a ledger may be changed.
  public enum Access: Hashable, Sendable {
    /// It may be read and changed; opening it writes to its folder.
    case readWrite
    /// It is only read: commands, rebuilds and erasures throw ``LedgerError/readOnly(path:)``.
    ///
    /// The folder may be one that cannot be written: a mounted snapshot, a copy kept as evidence.
    /// Where LMDB's lock file can be written, readers are noted in it, and others may change the
    /// ledger meanwhile. Where it cannot, no byte of the folder is written, and **nobody may write
    /// the ledger while it is open**: what is read would be pages of different moments, or none.
    /// ``Ledger/isLocked`` says which. A database that is not there reads as empty.
    case readOnly
  }

  /// Whether the ledger may be changed.
  public var access: Access
  /// How safe a commit is when its receipt is given.
  public var durability: Durability
  /// The size of the map, which is address space and not disk and grows by itself.
  ///
  /// `nil` asks for 256 GiB, and for less where the system refuses it, down to 1 GiB.
  public var mapSizeBytes: Int?
  /// The most readers at once, all processes together.
  public var maximumReaderCount: Int
  /// The most names of users that are kept to be read again quickly: by the writer, and for each
  /// snapshot of those that are open at once; about 100 bytes for each.
  ///
  /// A snapshot also keeps the numbers of at most 4,096 users who asked, 48 bytes for each.
  public var userCacheCount: Int
  /// The most commands that the writer puts into one transaction.
  public var maximumGroupCount: Int
  /// How long a transaction goes on taking commands of other callers who wait.
  public var maximumGroupTime: Duration
  /// With `lastCommitMayVanish`, how long the writer is idle before it flushes the last commit.
  public var flushDelay: Duration
  /// The rows of messages that the erasure of a user looks at in one transaction, between which
  /// other commands have their turn.
  public var erasureRowCount: Int
  /// How often a feed that waits looks for what other processes committed.
  public var pollingInterval: Duration
  /// What time it is.
  public var clock: @Sendable () -> Timestamp
  /// Fresh random bytes, for salts and ids.
  public var entropy: @Sendable () -> SixteenBytes

  /// The defaults: for reading and changing, durable, 65,536 names, groups of at most 10,000
  /// commands and 50 ms, a last flush after 50 ms, the system's clock and random numbers.
  public init() {
    access = .readWrite
    durability = .durable
    mapSizeBytes = nil
    maximumReaderCount = 510
    userCacheCount = 65_536
    maximumGroupCount = 10_000
    maximumGroupTime = .milliseconds(50)
    flushDelay = .milliseconds(50)
    erasureRowCount = 10_000
    pollingInterval = .milliseconds(20)
    clock = SystemSources.now
    entropy = SystemSources.entropy()
  }
}
