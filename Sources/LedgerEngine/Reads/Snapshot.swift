internal import LMDB
internal import ReactionCodec
public import ReactionModel

/// One moment of a ledger: everything committed when it was taken, and nothing later.
///
/// It exists only inside the closure of ``Ledger/read(_:)``. Several reads on one snapshot agree
/// with each other.
public struct Snapshot: ~Copyable {
  let reads: ReadTransaction
  let databases: Databases
  let meta: MetaFormat.State
  let memory: ReadMemory
  private let memories: ReadMemories

  init(
    _ reads: consuming ReadTransaction, _ databases: Databases, _ memories: ReadMemories
  ) throws(LedgerError) {
    let memory = memories.take()
    meta = try memory.begin(reads, databases)
    self.reads = reads
    self.databases = databases
    self.memory = memory
    self.memories = memories
  }

  deinit { memories.give(memory) }

  /// The projections that are live.
  var slot: ProjectionSlot { databases.slot(meta.slot) }

  /// The sequence of the last record, 0 if there is none.
  public var head: UInt64 {
    get throws(LedgerError) { try LogState.head(reads, databases) }
  }

  /// The policy in force.
  public var policy: Policy {
    get throws(LedgerError) { try Meta.policy(reads, databases) }
  }

  /// The name of a number; `nil` once the user is erased.
  ///
  /// Complexity: O(1) if it is remembered, else one get.
  func name(of number: UserNumber) throws(LedgerError) -> UserID? {
    if let id = memory.ids[number] { return id }
    guard let id = try UserRow(number, reads, databases).id else { return nil }
    memory.ids.learn(id, of: number)
    return id
  }

  /// The name of a user who has a live reaction: such a user is not erased.
  func reactorName(_ number: UserNumber) throws(LedgerError) -> UserID {
    guard let id = try name(of: number) else {
      throw missing(.erasedIsGone, "users \(number)", "the id of a user with a live reaction")
    }
    return id
  }

  /// The number of the user who asks, if one is named and known.
  func number(of viewer: UserID?) throws(LedgerError) -> UserNumber? {
    guard let viewer else { return nil }
    return try number(of: viewer)
  }

  /// The number of the user who asks, if one is named and known.
  func number(of viewer: Viewer?) throws(LedgerError) -> UserNumber? {
    guard let viewer else { return nil }
    return try number(of: viewer)
  }

  /// The number of a user, if the ledger knows one of this id.
  ///
  /// Complexity: O(1) if it is remembered, else one get.
  func number(of id: UserID) throws(LedgerError) -> UserNumber? {
    let bytes = id.text.utf8Span.span
    if let number = memory.numbers.number(of: bytes) { return number }
    guard let value = try reads.get(bytes, in: databases.userNumbers) else { return nil }
    let number = try decoding(.userNumbers, "userNumbers \(id)") { () throws(CodecError) in
      try Keys.user(value)
    }
    memory.numbers.insert(number, for: bytes)
    return number
  }

  /// The record of a sequence, which must be there.
  func record(_ sequence: UInt64) throws(LedgerError) -> Record {
    let key = Keys.event(sequence)
    guard let bytes = try reads.get(key.span, in: databases.events) else {
      throw missing(.gapless, "events \(sequence)", "a record")
    }
    return try decoding(.recordDecodes, "events \(sequence)", sequence: sequence) {
      () throws(CodecError) in try RecordFormat.decode(bytes)
    }
  }

  /// A record with the names of its users.
  func entry(_ sequence: UInt64, _ record: Record) throws(LedgerError) -> Entry {
    Entry(
      sequence: sequence, record: record,
      user: record.user == 0 ? nil : try name(of: record.user),
      actor: try record.actor.flatMap { (number) throws(LedgerError) in try name(of: number) })
  }
}

extension Ledger {
  /// Runs `body` with a snapshot of the last commit; the snapshot ends when `body` does.
  ///
  /// May be called from any thread. It never waits for writers, nor they for it. `body` must be
  /// short: the store cannot use pages again that were freed since the snapshot was taken. It must
  /// not append to the same ledger and wait.
  ///
  /// - Parameter body: What to read.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; ``LedgerError/closed``; ``LedgerError/storage(_:)`` when all
  ///   reader slots are taken.
  public func read<R: ~Copyable>(
    _ body: (borrowing Snapshot) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    let reads: ReadTransaction
    do throws(LMDBError) {
      reads = try environment.beginRead()
    } catch {
      throw LedgerError(error)
    }
    return try body(Snapshot(reads, databases, memories))
  }
}
