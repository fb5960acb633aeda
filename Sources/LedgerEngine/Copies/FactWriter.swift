internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Takes records as facts: checks each against those before it, and writes log and projections.
///
/// It refuses a record that a replay would have a finding for. Memory: 9 bytes for each user.
struct FactWriter {
  private let databases: Databases
  private let sealer = Sealer()
  private var projector: Projector
  private var previous: Record?
  private var users: [UserTally] = []
  private var bytes: [UInt8] = []
  private(set) var head: UInt64 = 0
  private var noticeCount: UInt64 = 0
  /// The users whose erasure had begun and not ended.
  private var closingCount: UInt32 = 0
  private var erasedCount: UInt64 = 0

  /// What the log has told of a user so far.
  private struct UserTally {
    var liveCount: UInt32 = 0
    var isErased = false
    /// Whether salt and id are known; not so only of users erased later in the log.
    var isOpened = true
  }

  /// Writes into a ledger that has no record yet.
  init(_ databases: Databases) {
    self.databases = databases
    projector = Projector(databases.slot(0), indexingByUser: false)
  }

  /// Whether the last command is complete.
  var isComplete: Bool { previous.map { $0.place.index + 1 == $0.place.count } ?? true }

  /// Takes the next record.
  mutating func write(
    _ logged: LoggedRecord, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let (record, sequence) = (logged.entry.record, logged.entry.sequence)
    guard sequence == head + 1 else {
      throw refusal(.gapless, sequence, "sequence \(head + 1)", "\(sequence)")
    }
    do throws(CodecError) {
      try RecordFormat.verify(record)
    } catch {
      throw refusal(.recordDecodes, sequence, "a record of the format", "\(error)")
    }
    bytes.removeAll(keepingCapacity: true)
    RecordFormat.encode(record, into: &bytes)
    let seal = sealer.seal(bytes.span)
    guard seal == logged.seal else {
      throw refusal(.seal, sequence, hexadecimal(seal), hexadecimal(logged.seal))
    }
    bytes.append(u64: seal)
    try checkOrder(record, sequence)
    try introduce(logged, &transaction)
    try apply(record, sequence, &transaction)
    let key = Keys.event(sequence)
    try transaction.set(bytes.span, for: key.span, in: databases.events, .append)
    head = sequence
    if !record.isEvent { noticeCount += 1 }
    previous = record
  }

  /// What `meta` says when all that was taken is committed.
  func finalState(_ state: MetaFormat.State) -> MetaFormat.State {
    var state = state
    state.noticeCount = noticeCount
    state.closingCount = closingCount
    state.eraseEpoch = 2 * erasedCount + UInt64(closingCount)
    return state
  }

  /// Checks what only shows at the end: that a user without salt and id was erased.
  func finish() throws(LedgerError) {
    guard let index = users.firstIndex(where: { !$0.isOpened && !$0.isErased }) else { return }
    throw .illegalRecord(
      Finding(
        .tombstone, place: "user \(index + 1)", expected: "salt and id, or a user erased",
        found: "neither"))
  }

  private func checkOrder(_ record: Record, _ sequence: UInt64) throws(LedgerError) {
    if let before = previous?.recordedAt, record.recordedAt < before {
      throw refusal(.timeOrder, sequence, "a time from \(before) on", "\(record.recordedAt)")
    }
    guard (sequence == 1) == (record.place.operation == .create) else {
      throw refusal(.creation, sequence, "created as record 1 only", "another record")
    }
    var expected = record.place
    expected.index = isComplete ? 0 : (previous?.place.index ?? 0) + 1
    if !isComplete, let place = previous?.place {
      (expected.operation, expected.count) = (place.operation, place.count)
    }
    guard record.place == expected else {
      throw refusal(.commandBoundary, sequence, "\(expected)", "\(record.place)")
    }
    guard record.fitsItsOperation, isComplete || previous.map(record.continues) ?? true else {
      throw refusal(
        .commandBoundary, sequence, "a record that its command makes there", "another")
    }
  }

  private func refusal(
    _ rule: Rule, _ sequence: UInt64, _ expected: String, _ found: String
  ) -> LedgerError {
    .illegalRecord(
      Finding(
        rule, place: "record \(sequence)", expected: expected, found: found, sequence: sequence))
  }
}

extension FactWriter {
  /// Takes in the users whom a record mentions.
  private mutating func introduce(
    _ logged: LoggedRecord, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let (record, sequence) = (logged.entry.record, logged.entry.sequence)
    var introductions = logged.introductions[...]
    var mentions: [(UserNumber, Commitment?)] = []
    if record.user > 0 { mentions.append((record.user, record.userCommitment)) }
    if let actor = record.actor { mentions.append((actor, record.actorCommitment)) }
    for (number, commitment) in mentions {
      guard let commitment else {
        guard Int(number) <= users.count else {
          throw refusal(.userOrder, sequence, "a commitment to user \(number)", "none")
        }
        guard !users[Int(number) - 1].isErased else {
          throw refusal(.erasedIsGone, sequence, "no mention of erased user \(number)", "one")
        }
        continue
      }
      guard Int(number) == users.count + 1, let introduction = introductions.popFirst(),
        introduction.number == number
      else {
        throw refusal(
          .userOrder, sequence, "the introduction of user \(users.count + 1)",
          "a commitment to user \(number)")
      }
      try register(introduction, commitment, sequence, &transaction)
    }
    guard introductions.isEmpty else {
      throw refusal(.userOrder, sequence, "no further introduction", "\(introductions.count)")
    }
  }

  private mutating func register(
    _ introduction: LoggedRecord.Introduction, _ commitment: Commitment, _ sequence: UInt64,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let key = Keys.user(introduction.number)
    var row = UserRow.erased
    if let opening = introduction.opening {
      if opening.isClosing { closingCount += 1 }
      guard sealer.commitment(salt: opening.salt, id: opening.id) == commitment else {
        throw refusal(.commitmentOpens, sequence, "what opens the commitment", "something else")
      }
      let isNew = try transaction.insert(
        key.span, for: opening.id.text.utf8Span.span, in: databases.userNumbers)
      guard isNew else {
        throw refusal(.userNumbers, sequence, "a user id that is new", "\(opening.id) again")
      }
      row =
        opening.isClosing
        ? .closing(salt: opening.salt, id: opening.id) : .live(salt: opening.salt, id: opening.id)
    }
    var value: [UInt8] = []
    row.encode(into: &value)
    try transaction.set(value.span, for: key.span, in: databases.users, .append)
    users.append(UserTally(isOpened: introduction.opening != nil))
  }

  private mutating func apply(
    _ record: Record, _ sequence: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    if let id = record.commandID {
      let (key, value) = (Keys.command(id), Keys.sequence(sequence))
      let isNew = try transaction.insert(
        value.span, for: key.span, in: databases.slot(0).commands)
      guard isNew else {
        throw refusal(.commandIDOnce, sequence, "a command id used once", "\(id) again")
      }
    }
    switch record.content {
    case .change(let change): try apply(change, of: record, sequence, &transaction)
    case .created(let ledger, let policy):
      try Founding.writeMeta(ledger, policy, &transaction, databases)
    case .policyChanged(let policy): try Meta.put(policy, &transaction, databases)
    case .userErased: try erase(record.user, sequence, &transaction)
    }
  }

  private mutating func apply(
    _ change: Record.Change, of record: Record, _ sequence: UInt64,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    guard change.reaction.isCanonical else {
      throw refusal(.canonicalReaction, sequence, "canonical form", "\(change.reaction)")
    }
    try projector.load(change.message, transaction.reads)
    guard change.previous == projector.lastSequence else {
      throw refusal(
        .chain, sequence, "previous \(projector.lastSequence)", "\(change.previous)")
    }
    let live = try projector.liveAdd(
      of: change.reaction.text.utf8Span.span, by: record.user, transaction.reads)
    switch change.kind {
    case .added:
      guard live == nil else {
        throw refusal(.noDuplicateAdd, sequence, "a reaction that is not live", "a live one")
      }
      users[Int(record.user) - 1].liveCount += 1
    case .removed(let ends):
      guard live == ends else {
        throw refusal(
          .removeEndsLiveAdd, sequence, live.map { "ends \($0)" } ?? "a live add", "ends \(ends)")
      }
      users[Int(record.user) - 1].liveCount -= 1
    }
    try projector.change(change, of: record, at: sequence, &transaction)
  }

  private mutating func erase(
    _ number: UserNumber, _ sequence: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    guard users[Int(number) - 1].liveCount == 0 else {
      throw refusal(.erasedIsGone, sequence, "no live reaction of user \(number)", "some")
    }
    users[Int(number) - 1].isErased = true
    erasedCount += 1
    let key = Keys.user(number)
    let row = try UserRow(number, transaction.reads, databases)
    if case .closing = row { closingCount -= 1 }
    if let id = row.id {
      try transaction.remove(id.text.utf8Span.span, in: databases.userNumbers)
    }
    var value: [UInt8] = []
    UserRow.erased.encode(into: &value)
    try transaction.set(value.span, for: key.span, in: databases.users)
  }
}
