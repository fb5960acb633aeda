internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Decides commands and appends what they come to, inside a write transaction.
///
/// What is decided follows from the store, the command, the time and the random bytes given: it asks
/// neither clock nor system. Whoever has the writer's turn uses it.
struct CommandProcessor {
  let databases: Databases
  let durability: Durability
  let entropy: @Sendable () -> SixteenBytes
  /// The rows of `messages` that an erasure looks at in one transaction.
  let scannedRowCount: Int
  /// The messages that an erasure changes in one transaction.
  static let erasedMessageCount = 1_000
  /// The commands whose users are made ready to be found at a time.
  private static let expectedCount = 16
  let sealer = Sealer()
  var directory: UserDirectory
  var projector: Projector
  var state: LogState
  /// The parent of the message in hand, empty if the command tells none.
  var parent: [UInt8] = []
  /// The record in the making.
  var record: [UInt8] = []
  /// The id of the commit after which `state` holds; `nil` if it is not certain.
  private var knownCommit: UInt64?
  /// Whether a transaction began of which no commit is known.
  private var isBegun = false
  private var transactionID: UInt64 = 0
  private var headAtBegin: UInt64 = 0

  init(_ databases: Databases, _ options: LedgerOptions) {
    self.databases = databases
    durability = options.durability
    entropy = options.entropy
    scannedRowCount = options.erasureRowCount
    directory = UserDirectory(databases, capacity: options.userCacheCount)
    projector = Projector(databases.slot(0), indexingByUser: false)
    state = LogState(policy: .standard)
    record.reserveCapacity(1024)
  }

  /// A transaction begins: learns where the log stands, unless the last commit was its own.
  mutating func begin(_ reads: borrowing ReadTransaction) throws(LedgerError) {
    // What the last one learnt of users is undone with it.
    if isBegun { directory.forget() }
    isBegun = true
    if knownCommit == nil || reads.id != knownCommit.map({ $0 + 1 }) {
      state = try LogState(reads, databases)
      projector = Projector(
        databases.slot(state.meta.slot), indexingByUser: state.meta.indexesByUser)
    }
    knownCommit = nil
    transactionID = reads.id
    headAtBegin = state.head
    directory.begin(state)
  }

  /// The transaction that began last was committed. (LMDB gives its id to the next one again if
  /// nothing was written.)
  ///
  /// - Returns: The commit's id, if anything was written.
  mutating func committed() -> UInt64? {
    isBegun = false
    let hasWritten = state.head != headAtBegin
    knownCommit = hasWritten ? transactionID : transactionID - 1
    return hasWritten ? transactionID : nil
  }

  /// The next transaction changes more than commands do: what is known holds no longer.
  mutating func forget() { knownCommit = nil }

  /// The time of what is recorded now: never earlier than what was recorded before.
  func time(_ now: Timestamp) -> Timestamp { state.lastTime.map { max($0, now) } ?? now }

  /// How far a command has come that takes several transactions: an erasure or a large clear.
  struct Series: Sendable {
    /// The last command of it that was recorded.
    var receipt: Receipt?
    /// The last row of `messages` that an erasure has looked at.
    var lastKey: [UInt8] = []
    /// The user for whom it has looked; an id may come back as another one between two steps.
    var user: UserNumber = 0

    /// Whether anything of it is done.
    var isBegun: Bool { receipt != nil || user > 0 }
  }

  /// Runs commands in order, each on its own, until all are done or one needs another transaction.
  ///
  /// - Parameters:
  ///   - batch: The commands.
  ///   - outcomes: Those of the commands that are done; they are added to.
  ///   - series: How far the command has come that is to go on.
  ///   - time: When they are recorded.
  ///   - transaction: Where they are written.
  /// - Throws: ``LedgerError``.
  mutating func run(
    _ batch: PreparedBatch, _ outcomes: inout [Outcome], _ series: inout Series,
    at time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    outcomes.reserveCapacity(batch.commands.count)
    while outcomes.count < batch.commands.count {
      if outcomes.count % Self.expectedCount == 0 {
        let next = batch.commands[outcomes.count...].prefix(Self.expectedCount)
        directory.expect(next, batch.bytes.span)
      }
      let command = batch.commands[outcomes.count]
      guard let outcome = try run(command, of: batch, &series, at: time, &transaction) else {
        return
      }
      outcomes.append(outcome)
      if series.isBegun { series = Series() }
    }
  }

  /// Runs commands in order in a transaction of their own: a refusal undoes them all.
  mutating func runAllOrNothing(
    _ batch: PreparedBatch, at time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> [Outcome] {
    let stateBefore = state
    do throws(Undoing) {
      return try transaction.nested { (inner: inout WriteTransaction) throws(Undoing) in
        var (outcomes, series): ([Outcome], Series) = ([], Series())
        while outcomes.count < batch.commands.count {
          let command = batch.commands[outcomes.count]
          let outcome: Outcome?
          do throws(LedgerError) {
            outcome = try run(command, of: batch, &series, at: time, &inner)
          } catch {
            throw .failed(error)
          }
          // All in one transaction: a series goes on at once.
          guard let outcome else { continue }
          if case .refused(let reason) = outcome { throw .refused(reason, at: outcomes.count) }
          outcomes.append(outcome)
          series = Series()
        }
        return outcomes
      }
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let reason, let index):
        state = stateBefore
        directory.forget()
        var outcomes = [Outcome](
          repeating: .rolledBack(because: index), count: batch.commands.count)
        outcomes[index] = .refused(reason)
        return outcomes
      }
    }
  }

  /// Why an inner transaction is undone.
  private enum Undoing: LMDBErrorConvertible {
    case refused(RefusalReason, at: Int)
    case failed(LedgerError)

    init(_ error: LMDBError) { self = .failed(LedgerError(error)) }
  }

  /// Runs one command, or the next part of one that is a series.
  ///
  /// - Returns: What became of it; `nil` if there is more of it to do, after a commit.
  private mutating func run(
    _ command: PreparedCommand, of batch: PreparedBatch, _ series: inout Series,
    at time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome? {
    if let id = command.id, let first = try firstSequence(of: id, transaction.reads) {
      return try answerAgain(command, batch, first, transaction.reads)
    }
    switch command.operation {
    case .add, .remove: return try change(command, batch, time, &transaction)
    case .clearMessage, .clearReaction:
      return try clear(command, batch, &series, time, &transaction)
    case .erase: return try erase(command, batch, &series, time, &transaction)
    case .setPolicy:
      return try set(batch.policies[command.policyIndex], command, batch, time, &transaction)
    case .create: preconditionFailure("no command makes a ledger")
    }
  }

  /// Appends a notice to the log.
  mutating func append(
    _ notice: Record, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> UInt64 {
    try checking { () throws(CodecError) in try RecordFormat.verify(notice) }
    record.removeAll(keepingCapacity: true)
    RecordFormat.encode(notice, into: &record)
    return try appendRecord(at: notice.recordedAt, &transaction)
  }

  /// Runs a check of what is to be written: it may come from rows, whose damage must not become the
  /// log's.
  func checking(_ check: () throws(CodecError) -> Void) throws(LedgerError) {
    do throws(CodecError) {
      try check()
    } catch {
      throw .damaged(
        Finding(
          .recordDecodes, place: "record \(state.head + 1), not written",
          expected: "a record of the format", found: "\(error)"))
    }
  }

  /// Seals the record in the making and appends it to the log; the one place where that happens.
  mutating func appendRecord(
    at time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> UInt64 {
    let sequence = state.head + 1
    sealer.appendSeal(to: &record)
    let key = Keys.event(sequence)
    try transaction.set(record.span, for: key.span, in: databases.events, .append)
    state.head = sequence
    state.lastTime = time
    return sequence
  }
}
