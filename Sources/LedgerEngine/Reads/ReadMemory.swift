internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// What reads remember from one to the next: names and numbers of users, and memory to read into.
///
/// It belongs to one snapshot at a time, so that nothing in it needs a lock: ``ReadMemories`` lends
/// it. All names in it were read in snapshots of one epoch. Every erasure, by whichever process,
/// begins a new epoch, in which the names of the one before are forgotten.
final class ReadMemory {
  /// The erasures there had been when the names were read.
  private(set) var epoch: UInt64 = 0
  /// Names for results that hold ids.
  var ids: NumberTable<UserID>
  /// Names for results that hold bytes.
  var names: NumberTable<ShortName>
  /// Numbers of users who asked.
  var numbers: UserNumberCache
  /// The key of the message that is looked for.
  private var key = MessageKeyBuffer()
  /// What is read before it is made into values.
  var reactors = ReactorBuffer()
  private let capacity: Int
  private var transaction: UInt64 = 0
  private var state = MetaFormat.State()

  /// Makes a memory of at most `capacity` names of each kind.
  init(capacity: Int) {
    self.capacity = capacity
    ids = NumberTable(capacity: capacity)
    names = NumberTable(capacity: capacity)
    numbers = UserNumberCache(capacity: min(capacity, Self.viewerCount))
  }

  /// The most users who asked whose numbers are remembered: 48 bytes each.
  private static let viewerCount = 4_096

  /// Lends what summaries are made with: a key to write into, and the names for values.
  func withNames<R>(
    _ body: (inout MessageKeyBuffer, inout NumberTable<UserID>) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    try body(&key, &ids)
  }

  /// Lends what a page of reactors is read into, in the same way.
  func withReactors<R>(
    _ body: (inout ReactorBuffer, inout NumberTable<UserID>) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    var buffer = ReactorBuffer()
    swap(&buffer, &reactors)
    defer { swap(&buffer, &reactors) }
    return try body(&buffer, &ids)
  }

  /// Takes up a snapshot: reads its state, and forgets the names of another epoch.
  ///
  /// Complexity: one get; none if no commit came since the last snapshot.
  func begin(
    _ reads: borrowing ReadTransaction, _ databases: Databases
  ) throws(LedgerError) -> MetaFormat.State {
    // A commit's number is never given twice while the environment is open. The first has 1.
    let id = reads.id
    if id != transaction || id == 0 {
      state = try Meta.state(reads, databases)
      transaction = id
    }
    if state.eraseEpoch != epoch {
      ids = NumberTable(capacity: capacity)
      names = NumberTable(capacity: capacity)
      numbers.removeAll()
      epoch = state.eraseEpoch
    }
    return state
  }
}

/// Lends each snapshot a ``ReadMemory`` of its own.
///
/// As many are kept as there were snapshots at once, but at most `idleLimit`, and none whose names
/// are of an older epoch than a memory that came back.
final class ReadMemories: Sendable {
  private struct State {
    var idle: [ReadMemory] = []
    var epoch: UInt64 = 0
  }

  private let state = Monitor(State())
  private let capacity: Int

  /// The most memories that are kept while nobody reads.
  static let idleLimit = 16

  /// Makes memories of at most `capacity` names.
  init(capacity: Int) { self.capacity = capacity }

  /// The epochs of the memories that nobody has at present.
  var idleEpochs: [UInt64] { state.withLock { $0.idle.map(\.epoch) } }

  /// A memory that is the caller's until it gives it back.
  func take() -> ReadMemory {
    state.withLock { $0.idle.popLast() } ?? ReadMemory(capacity: capacity)
  }

  /// Takes a memory back.
  func give(_ memory: ReadMemory) {
    let epoch = memory.epoch
    // What is dropped is freed outside of the lock.
    var dropped: [ReadMemory] = []
    state.withLock { state in
      if epoch > state.epoch {
        swap(&state.idle, &dropped)
        state.epoch = epoch
      }
      guard epoch == state.epoch, state.idle.count < Self.idleLimit else { return }
      state.idle.append(memory)
    }
  }
}
