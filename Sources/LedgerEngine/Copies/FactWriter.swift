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
  private var lastTime: Timestamp?
  private var lastPlace = Record.Place(.create)
  /// The last record, if its command goes on.
  private var unfinished: [UInt8] = []
  private var users: [UserTally] = []
  /// The last reaction that was found to be canonical.
  private var canonical: [UInt8] = []
  private var row: [UInt8] = []
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

  /// A user whom a record mentions.
  private struct Mention {
    let number: UserNumber
    let commitment: Commitment?
  }

  /// Writes into a ledger that has no record yet.
  init(_ databases: Databases) {
    self.databases = databases
    projector = Projector(databases.slot(0), indexingByUser: false)
  }

  /// Whether the last command is complete.
  var isComplete: Bool { unfinished.isEmpty }

  /// Takes the next record.
  mutating func write(
    _ logged: borrowing RestoreBatch.Item, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let (bytes, sequence) = (logged.bytes, logged.sequence)
    try checkNext(sequence)
    guard let view = RecordView(bytes) else {
      try write(try notice(bytes, sequence), logged, &transaction)
      return
    }
    try checkSeal(view.body, view.seal, sequence)
    let place = Record.Place(view.operation, index: view.index, count: view.count)
    try checkOrder(place, view.recordedAt, sequence)
    guard view.fitsItsOperation, isComplete || continues(view) else {
      throw notOfItsCommand(sequence)
    }
    let user = Mention(number: view.user, commitment: view.userCommitment)
    let actor = Mention(number: view.actor, commitment: view.actorCommitment)
    try introduce(user, view.actor == 0 ? nil : actor, logged, &transaction)
    try register(view.commandID, sequence, &transaction)
    try apply(view, sequence, &transaction)
    try store(logged, place, view.recordedAt, &transaction)
  }

  /// Takes the next record, which is a notice.
  private mutating func write(
    _ record: Record, _ logged: borrowing RestoreBatch.Item, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let (bytes, sequence) = (logged.bytes, logged.sequence)
    let body = bytes.extracting(droppingLast: RecordFormat.sealByteCount)
    try checkSeal(body, RecordFormat.seal(of: bytes) ?? 0, sequence)
    try checkOrder(record.place, record.recordedAt, sequence)
    // A notice is the only record of its command, so here none goes on.
    guard record.fitsItsOperation else { throw notOfItsCommand(sequence) }
    let user =
      record.user == 0 ? nil : Mention(number: record.user, commitment: record.userCommitment)
    let actor = record.actor.map { Mention(number: $0, commitment: record.actorCommitment) }
    try introduce(user, actor, logged, &transaction)
    try register(record.commandID, sequence, &transaction)
    switch record.content {
    case .change: throw refusal(.recordDecodes, sequence, "a notice", "an event")
    case .created(let ledger, let policy):
      try Founding.writeMeta(ledger, policy, &transaction, databases)
    case .policyChanged(let policy): try Meta.put(policy, &transaction, databases)
    case .userErased: try erase(record.user, sequence, &transaction)
    }
    try store(logged, record.place, record.recordedAt, &transaction)
    noticeCount += 1
  }

  private func notice(_ bytes: Span<UInt8>, _ sequence: UInt64) throws(LedgerError) -> Record {
    do throws(CodecError) {
      return try RecordFormat.decode(bytes)
    } catch {
      throw noRecord(error, sequence)
    }
  }

  /// What refuses a record that has no bytes.
  func noRecord(_ error: CodecError, _ sequence: UInt64) -> LedgerError {
    refusal(.recordDecodes, sequence, "a record of the format", "\(error)")
  }

  /// Throws if a record is not the next one.
  func checkNext(_ sequence: UInt64) throws(LedgerError) {
    guard sequence == head + 1 else {
      throw refusal(.gapless, sequence, "sequence \(head + 1)", "\(sequence)")
    }
  }

  private mutating func store(
    _ logged: borrowing RestoreBatch.Item, _ place: Record.Place, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let key = Keys.event(logged.sequence)
    try transaction.set(logged.bytes, for: key.span, in: databases.events, .append)
    head = logged.sequence
    (lastPlace, lastTime) = (place, time)
    unfinished.removeAll(keepingCapacity: true)
    if place.index + 1 < place.count { unfinished.append(logged.bytes) }
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

  private func checkSeal(
    _ body: Span<UInt8>, _ found: UInt64, _ sequence: UInt64
  ) throws(LedgerError) {
    let seal = sealer.seal(body)
    guard seal == found else {
      throw refusal(.seal, sequence, hexadecimal(seal), hexadecimal(found))
    }
  }

  private func checkOrder(
    _ place: Record.Place, _ time: Timestamp, _ sequence: UInt64
  ) throws(LedgerError) {
    if let lastTime, time < lastTime {
      throw refusal(.timeOrder, sequence, "a time from \(lastTime) on", "\(time)")
    }
    guard (sequence == 1) == (place.operation == .create) else {
      throw refusal(.creation, sequence, "created as record 1 only", "another record")
    }
    var expected = place
    expected.index = 0
    if !isComplete {
      expected = lastPlace
      expected.index += 1
    }
    guard place == expected else {
      throw refusal(.commandBoundary, sequence, "\(expected)", "\(place)")
    }
  }

  /// Whether an event agrees with the one before it, whose command goes on.
  private func continues(_ view: borrowing RecordView) -> Bool {
    guard let previous = RecordView(unfinished.span) else { return false }
    return view.continues(previous)
  }

  private func notOfItsCommand(_ sequence: UInt64) -> LedgerError {
    refusal(.commandBoundary, sequence, "a record that its command makes there", "another")
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
    _ user: Mention?, _ actor: Mention?, _ logged: borrowing RestoreBatch.Item,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    var introduced = 0
    if let user { try introduce(user, &introduced, logged, &transaction) }
    if let actor { try introduce(actor, &introduced, logged, &transaction) }
    let furtherCount = logged.introductions.count - introduced
    guard furtherCount == 0 else {
      throw refusal(.userOrder, logged.sequence, "no further introduction", "\(furtherCount)")
    }
  }

  private mutating func introduce(
    _ mention: Mention, _ introduced: inout Int, _ logged: borrowing RestoreBatch.Item,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let (number, sequence) = (mention.number, logged.sequence)
    guard let commitment = mention.commitment else {
      guard Int(number) <= users.count else {
        throw refusal(.userOrder, sequence, "a commitment to user \(number)", "none")
      }
      guard !users[Int(number) - 1].isErased else {
        throw refusal(.erasedIsGone, sequence, "no mention of erased user \(number)", "one")
      }
      return
    }
    guard Int(number) == users.count + 1, introduced < logged.introductions.count,
      logged.introductions[introduced].number == number
    else {
      throw refusal(
        .userOrder, sequence, "the introduction of user \(users.count + 1)",
        "a commitment to user \(number)")
    }
    let introduction = logged.introductions[introduced]
    introduced += 1
    try register(
      introduction, logged.openings.extracting(introduction.opening), commitment, sequence,
      &transaction)
  }

  private mutating func register(
    _ introduction: RecordBytes.Introduction, _ opening: Span<UInt8>, _ commitment: Commitment,
    _ sequence: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    row.removeAll(keepingCapacity: true)
    if opening.isEmpty {
      UserRow.erased.encode(into: &row)
    } else {
      guard sealer.commitment(opening: opening) == commitment else {
        throw refusal(.commitmentOpens, sequence, "what opens the commitment", "something else")
      }
      if introduction.isClosing { closingCount += 1 }
      UserRow.encode(opening: opening, isClosing: introduction.isClosing, into: &row)
      guard let user = UserRowView(row.span) else {
        throw refusal(.userRow, sequence, "a user id", "none")
      }
      let key = Keys.user(introduction.number)
      let isNew = try transaction.insert(key.span, for: user.id, in: databases.userNumbers)
      guard isNew else {
        throw refusal(
          .userNumbers, sequence, "a user id that is new",
          "\(String(decoding: [UInt8](user.id), as: UTF8.self)) again")
      }
    }
    let key = Keys.user(introduction.number)
    try transaction.set(row.span, for: key.span, in: databases.users, .append)
    users.append(UserTally(isOpened: !opening.isEmpty))
  }

  private func register(
    _ id: CommandID?, _ sequence: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    guard let id else { return }
    let (key, value) = (Keys.command(id), Keys.sequence(sequence))
    let isNew = try transaction.insert(value.span, for: key.span, in: databases.slot(0).commands)
    guard isNew else {
      throw refusal(.commandIDOnce, sequence, "a command id used once", "\(id) again")
    }
  }

  private mutating func apply(
    _ view: borrowing RecordView, _ sequence: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let (reaction, user) = (view.reaction, view.user)
    if !UTF8Bytes.areEqual(canonical.span, reaction) {
      guard Reaction.isCanonical(reaction) else {
        throw refusal(
          .canonicalReaction, sequence, "canonical form",
          "\(String(decoding: [UInt8](reaction), as: UTF8.self))")
      }
      canonical.removeAll(keepingCapacity: true)
      canonical.append(reaction)
    }
    try projector.load(view, transaction.reads)
    guard view.previous == projector.lastSequence else {
      throw refusal(.chain, sequence, "previous \(projector.lastSequence)", "\(view.previous)")
    }
    let block = try projector.block(of: reaction)
    var live: UInt64?
    if let block { live = try projector.liveAdd(in: block, by: user, transaction.reads) }
    if view.isAdded {
      guard live == nil else {
        throw refusal(.noDuplicateAdd, sequence, "a reaction that is not live", "a live one")
      }
      users[Int(user) - 1].liveCount += 1
      try projector.add(reaction, to: block, by: user, at: sequence, &transaction)
    } else {
      guard live == view.ends else {
        throw refusal(
          .removeEndsLiveAdd, sequence, live.map { "ends \($0)" } ?? "a live add",
          "ends \(view.ends)")
      }
      users[Int(user) - 1].liveCount -= 1
      try projector.remove(from: block, by: user, ending: view.ends, at: sequence, &transaction)
    }
    try projector.store(&transaction)
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
