internal import LMDB
public import ReactionModel

/// A ledger of reactions: an append-only log of events on LMDB, and projections kept with it.
///
/// A ledger is a folder. It may be used from any thread and any task; there is one per folder and
/// process, and several processes may have the same folder open at once.
///
/// Guarantees:
/// - An acknowledged command is in the log once, and its sequences follow the ones before without a
///   gap. With ``ReactionModel/Durability/durable`` it was flushed before the acknowledgement.
/// - Projections (counts, first users, reactors) change in the same transaction as the log.
/// - A read sees one moment: no half of a command, and nothing later.
public final class Ledger: Sendable {
  /// The ledger's folder.
  public let path: String
  /// The ledger's id.
  public let id: LedgerID
  /// How safe a commit is when its receipt is given.
  public let durability: Durability
  /// Whether the ledger may be changed.
  public let access: LedgerOptions.Access
  /// Whether readers are noted where other processes see them; if not, nobody may write meanwhile.
  ///
  /// False only with ``LedgerOptions/Access/readOnly`` where the lock file cannot be written.
  public let isLocked: Bool

  let environment: Environment
  let databases: Databases
  let options: LedgerOptions
  let writer: Writer
  let memories: ReadMemories
  let watch: CommitWatch
  private let lock: Monitor<LedgerLock?>
  private let thread: Monitor<WorkerThread?>

  init(
    path: String, id: LedgerID, lock: LedgerLock?, environment: Environment, databases: Databases,
    options: LedgerOptions, isLocked: Bool = true
  ) {
    self.path = path
    self.id = id
    self.durability = options.durability
    self.access = options.access
    self.isLocked = isLocked
    self.environment = environment
    self.databases = databases
    self.options = options
    self.lock = Monitor(lock)
    memories = ReadMemories(capacity: options.userCacheCount)
    watch = CommitWatch(environment, interval: options.pollingInterval)
    let writer = Writer(path, environment, databases, options, watch)
    self.writer = writer
    thread = Monitor(WorkerThread { writer.run() })
  }

  deinit { close() }

  /// Closes the ledger: does what is queued, waits for reads under way, and lets the folder go.
  ///
  /// Later calls throw ``LedgerError/closed``. Closing twice does nothing. Must not be called inside
  /// ``read(_:)``.
  public func close() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    writer.stop()
    thread.join()
    watch.wake(closing: true)
    environment.close()
    lock.withLock { $0 = nil }
  }
}
