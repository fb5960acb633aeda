internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Decides commands and appends what they come to, inside a write transaction.
///
/// What is decided follows from the store, the command, the time and the random bytes given: it asks
/// neither clock nor system. The writer thread owns the one that is used.
struct CommandProcessor {
  let databases: Databases
  let durability: Durability
  let entropy: @Sendable () -> SixteenBytes
  private let sealer = Sealer()
  private(set) var directory: UserDirectory
  private var projector: Projector
  private(set) var state: LogState
  private var record: [UInt8] = []
  /// The id of the commit after which `state` holds; `nil` if it is not certain.
  private var knownCommit: UInt64?
  private var transactionID: UInt64 = 0
  private var headAtBegin: UInt64 = 0

  init(_ databases: Databases, _ options: LedgerOptions) {
    self.databases = databases
    durability = options.durability
    entropy = options.entropy
    directory = UserDirectory(databases, capacity: options.userCacheCount)
    projector = Projector(databases.slot(0))
    state = LogState(policy: .standard)
    record.reserveCapacity(1024)
  }

  /// A transaction begins: learns where the log stands, unless the last commit was its own.
  mutating func begin(_ reads: borrowing ReadTransaction) throws(LedgerError) {
    if knownCommit == nil || reads.id != knownCommit.map({ $0 + 1 }) {
      state = try LogState(reads, databases)
      projector = Projector(databases.slot(state.meta.slot))
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
    let hasWritten = state.head != headAtBegin
    knownCommit = hasWritten ? transactionID : transactionID - 1
    return hasWritten ? transactionID : nil
  }

  /// The next transaction changes more than commands do: what is known holds no longer.
  mutating func forget() { knownCommit = nil }

  /// The time of what is recorded now: never earlier than what was recorded before.
  func time(_ now: Timestamp) -> Timestamp { state.lastTime.map { max($0, now) } ?? now }

  /// Runs commands in order, each on its own.
  mutating func run(
    _ commands: [PreparedCommand], at time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> [Outcome] {
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(commands.count)
    for command in commands { outcomes.append(try run(command, at: time, &transaction)) }
    return outcomes
  }

  /// Runs commands in order in a transaction of their own: a refusal undoes them all.
  mutating func runAllOrNothing(
    _ commands: [PreparedCommand], at time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> [Outcome] {
    let stateBefore = state
    do throws(Undoing) {
      return try transaction.nested { (inner: inout WriteTransaction) throws(Undoing) in
        var outcomes: [Outcome] = []
        for (index, command) in commands.enumerated() {
          let outcome: Outcome
          do throws(LedgerError) {
            outcome = try run(command, at: time, &inner)
          } catch {
            throw .failed(error)
          }
          if case .refused(let reason) = outcome { throw .refused(reason, at: index) }
          outcomes.append(outcome)
        }
        return outcomes
      }
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let reason, let index):
        state = stateBefore
        var outcomes = [Outcome](repeating: .rolledBack(because: index), count: commands.count)
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

  /// Runs one command.
  mutating func run(
    _ prepared: PreparedCommand, at time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    let command = prepared.command
    if let id = command.id, let first = try firstSequence(of: id, transaction.reads) {
      return try answerAgain(prepared, first, transaction.reads)
    }
    if command.message.conversation.kind == .room { return .refused(.conversationNotSupported) }
    let user = try directory.find(command.user, transaction.reads)
    if command.operation == .add, user?.isClosing == true { return .refused(.userBeingErased) }
    guard case .success(let reaction) = prepared.reaction else { return answerInvalid(prepared) }
    try projector.load(command.message, transaction.reads)
    switch command.operation {
    case .add: return try add(prepared, reaction, user?.number, time, &transaction)
    case .remove: return try remove(prepared, reaction, user?.number, time, &transaction)
    }
  }

  private func answerInvalid(_ prepared: PreparedCommand) -> Outcome {
    guard case .failure(let reason) = prepared.reaction, prepared.command.operation == .add else {
      return .unchanged(.notReacted)
    }
    return .refused(.invalidReaction(reason))
  }

  private mutating func add(
    _ prepared: PreparedCommand, _ reaction: Reaction, _ user: UserNumber?, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    let message = prepared.command.message
    let isShown = try projector.count(of: reaction, on: message) > 0
    if !isShown, !state.policy.allows(reaction) {
      return .refused(.invalidReaction(.notAllowed(reaction.form)))
    }
    let situation = try situation(of: reaction, user, on: message, isShown, transaction.reads)
    switch Plan(adding: reaction, in: situation, under: state.policy) {
    case .unchanged: return .unchanged(.alreadyReacted)
    case .limitReached(let limit): return .refused(.limitReached(limit))
    case .changes(let removed, let isAdded):
      var draft = try draft(prepared, count: removed.count + (isAdded ? 1 : 0), time, &transaction)
      for held in removed {
        draft.cause = .replaced
        try append(&draft, .removed(ends: held.sequence), held.reaction, &transaction)
      }
      draft.cause = prepared.command.cause
      if isAdded { try append(&draft, .added, reaction, &transaction) }
      return try finish(draft, &transaction)
    }
  }

  private func situation(
    of reaction: Reaction, _ user: UserNumber?, on message: MessageKey, _ isShown: Bool,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Plan.Situation {
    var situation = Plan.Situation(isHeld: false, isShown: isShown, held: [], distinctCount: 0)
    if !isShown { situation.distinctCount = try projector.distinctCount(on: message) }
    guard let user else { return situation }
    if isShown {
      let add = try projector.liveAdd(of: reaction, by: user, on: message, reads)
      situation.isHeld = add != nil
    }
    if state.policy.selection == .single || state.policy.maximumPerUserAndMessage != nil {
      situation.held = try projector.held(by: user, on: message, reads)
    }
    return situation
  }

  private mutating func remove(
    _ prepared: PreparedCommand, _ reaction: Reaction, _ user: UserNumber?, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    let message = prepared.command.message
    guard let user,
      let add = try projector.liveAdd(of: reaction, by: user, on: message, transaction.reads)
    else { return .unchanged(.notReacted) }
    var draft = try draft(prepared, count: 1, time, &transaction)
    try append(&draft, .removed(ends: add), reaction, &transaction)
    return try finish(draft, &transaction)
  }
}

extension CommandProcessor {
  /// What the records of a command have in common, and how far they are.
  private struct Draft {
    let command: Command
    let time: Timestamp
    let user: UserNumber
    let actor: UserNumber?
    var place: Record.Place
    var cause: Cause
    var userCommitment: Commitment?
    var actorCommitment: Commitment?
    let first: UInt64
  }

  private mutating func draft(
    _ prepared: PreparedCommand, count: Int, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Draft {
    let command = prepared.command
    let user = try number(of: command.user, &transaction)
    var actor: (number: UserNumber, commitment: Commitment?)?
    if let id = prepared.actor { actor = try number(of: id, &transaction) }
    let operation: Record.Operation = command.operation == .add ? .add : .remove
    return Draft(
      command: command, time: time, user: user.number, actor: actor?.number,
      place: Record.Place(operation, index: 0, count: count), cause: command.cause,
      userCommitment: user.commitment, actorCommitment: actor?.commitment, first: state.head + 1)
  }

  /// The number of a user, with a commitment if it is given only now.
  private mutating func number(
    of id: UserID, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> (number: UserNumber, commitment: Commitment?) {
    if let known = try directory.find(id, transaction.reads) { return (known.number, nil) }
    let salt = entropy()
    let number = state.lastUser + 1
    try directory.add(id, as: number, salt: salt, &transaction)
    state.lastUser = number
    return (number, sealer.commitment(salt: salt, id: id))
  }

  private mutating func append(
    _ draft: inout Draft, _ kind: Record.Change.Kind, _ reaction: Reaction,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let message = draft.command.message
    let change = Record.Change(
      kind, message: message, parent: draft.command.parent, reaction: reaction,
      previous: projector.lastSequence)
    let sequence = try append(
      Record(
        recordedAt: draft.time, cause: draft.cause, place: draft.place,
        clientTime: draft.command.clientTime, user: draft.user, actor: draft.actor,
        commandID: draft.place.index == 0 ? draft.command.id : nil,
        userCommitment: draft.userCommitment, actorCommitment: draft.actorCommitment,
        content: .change(change)), &transaction)
    switch kind {
    case .added:
      try projector.add(reaction, by: draft.user, at: sequence, on: message, &transaction)
    case .removed(let ends):
      try projector.remove(
        reaction, by: draft.user, ending: ends, at: sequence, on: message, &transaction)
    }
    draft.userCommitment = nil
    draft.actorCommitment = nil
    draft.place.index += 1
  }

  /// Appends a record to the log; the one place where that happens.
  mutating func append(
    _ record: Record, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> UInt64 {
    let sequence = state.head + 1
    do throws(CodecError) {
      // What it is made of was read from rows, whose damage must not become the log's.
      try RecordFormat.verify(record)
    } catch {
      throw .damaged(
        Finding(
          .recordDecodes, place: "record \(sequence), not written",
          expected: "a record of the format",
          found: "\(error)"))
    }
    self.record.removeAll(keepingCapacity: true)
    sealer.append(record, to: &self.record)
    let key = Keys.event(sequence)
    try transaction.set(self.record.span, for: key.span, in: databases.events, .append)
    state.head = sequence
    state.lastTime = record.recordedAt
    return sequence
  }

  private func finish(
    _ draft: Draft, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome {
    precondition(draft.place.index == draft.place.count, "a command has all its records")
    try projector.store(&transaction)
    if let id = draft.command.id {
      let key = Keys.command(id)
      let value = Keys.sequence(draft.first)
      try transaction.set(
        value.span, for: key.span, in: databases.slot(state.meta.slot).commands)
    }
    return .recorded(
      Receipt(
        sequences: draft.first...state.head, recordedAt: draft.time, durability: durability))
  }
}
