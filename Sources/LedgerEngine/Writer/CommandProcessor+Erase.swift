internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// Erasing a user: the mark, the removals in bounded transactions, notice and tombstone.
extension CommandProcessor {
  /// Erases a user, or does the next part of it.
  ///
  /// From the mark on the user's adds are refused, so what a scan has passed stays without the
  /// user's reactions.
  mutating func erase(
    _ command: PreparedCommand, _ batch: PreparedBatch, _ series: inout Series,
    _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Outcome? {
    let id = batch.bytes.span.extracting(command.user.range)
    guard let user = try directory.find(id, transaction.reads) else {
      return .unchanged(.nothingToErase)
    }
    if series.user != user.number {
      // Another one was quicker, and the id came back: nothing was looked through for this user.
      series.user = user.number
      series.lastKey = []
    }
    if !user.isClosing { try close(user.number, &transaction) }
    let isDone =
      state.meta.indexesByUser
      ? try eraseIndexed(user.number, command, batch, time, &transaction)
      : try eraseScanning(user.number, command, batch, &series, time, &transaction)
    guard isDone else { return nil }
    try bury(user.number, id, &transaction)
    return .recorded(
      try notice(command, batch, .userErased, user: user.number, time, &transaction))
  }

  /// Marks a user as being erased.
  private mutating func close(
    _ number: UserNumber, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    guard case .live(let salt, let id) = try UserRow(number, transaction.reads, databases) else {
      throw missing(.userRow, "users \(number)", "a live user")
    }
    try put(.closing(salt: salt, id: id), number, &transaction)
    state.meta.closingCount += 1
    state.meta.eraseEpoch += 1
    try Meta.put(state.meta, &transaction, databases)
    directory.forget()
  }

  /// Puts the tombstone; the notice writes `meta`.
  private mutating func bury(
    _ number: UserNumber, _ id: Span<UInt8>, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    try transaction.remove(id, in: databases.userNumbers)
    try put(.erased, number, &transaction)
    state.meta.closingCount -= min(1, state.meta.closingCount)
    state.meta.eraseEpoch += 1
    directory.forget()
  }

  private func put(
    _ row: UserRow, _ number: UserNumber, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    var value: [UInt8] = []
    row.encode(into: &value)
    let key = Keys.user(number)
    try transaction.set(value.span, for: key.span, in: databases.users)
  }

  /// Removes the user's reactions from the messages that `byUser` leads to; whether there are no
  /// more.
  private mutating func eraseIndexed(
    _ number: UserNumber, _ command: PreparedCommand, _ batch: PreparedBatch, _ time: Timestamp,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Bool {
    for _ in 0..<Self.erasedMessageCount {
      guard let add = try firstAdd(of: number, transaction.reads) else { return true }
      let record = try record(add, namedBy: .byUser, transaction.reads)
      guard case .change(let change) = record.content, record.user == number else {
        throw missing(.byUser, "events \(add)", "the add that byUser \(number) names")
      }
      guard try erase(number, on: change.message, command, batch, time, &transaction) else {
        throw missing(.byUser, "byUser \(number) \(add)", "a live reaction")
      }
    }
    return false
  }

  private func firstAdd(
    of user: UserNumber, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> UInt64? {
    let start = Keys.byUser(user: user, sequence: 0)
    var cursor = try reads.scan(projector.slot.byUser)
    guard let row = try cursor.move(to: start.span) else { return nil }
    let key = row.key
    let found = try decoding(.byUser, "byUser \(user)") { () throws(CodecError) in
      try Keys.byUser(key)
    }
    return found.user == user ? found.sequence : nil
  }

  /// Removes the user's reactions from the next rows of `messages`; whether there are no more.
  private mutating func eraseScanning(
    _ number: UserNumber, _ command: PreparedCommand, _ batch: PreparedBatch,
    _ series: inout Series, _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Bool {
    let (messages, isDone) = try messages(of: number, &series, transaction.reads)
    for message in messages {
      _ = try erase(number, on: message, command, batch, time, &transaction)
    }
    return isDone
  }

  /// The messages among the next rows on which a user has a reaction, and whether those were all
  /// rows.
  private func messages(
    of user: UserNumber, _ series: inout Series, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> (found: [MessageKey], isDone: Bool) {
    var found: [MessageKey] = []
    var cursor = try reads.scan(projector.slot.messages)
    if !series.lastKey.isEmpty {
      // Rows of messages are never taken away, so the last key is there.
      guard try cursor.move(to: series.lastKey.span) != nil else { return ([], true) }
    }
    for _ in 0..<scannedRowCount {
      guard let row = try cursor.step() else { return (found, true) }
      let (key, value) = (row.key, row.value)
      series.lastKey.removeAll(keepingCapacity: true)
      series.lastKey.append(key)
      guard try Projector.isHeld(by: user, in: value, key, projector.slot, reads) else { continue }
      found.append(
        try decoding(.messageRow, "messages, a key") { () throws(CodecError) in
          try Keys.message(key)
        })
      if found.count == Self.erasedMessageCount { return (found, false) }
    }
    return (found, false)
  }

  /// Removes all of a user's reactions on one message, in one command; whether there were any.
  private mutating func erase(
    _ number: UserNumber, on message: MessageKey, _ command: PreparedCommand,
    _ batch: PreparedBatch, _ time: Timestamp, _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Bool {
    try projector.load(message, transaction.reads)
    let held = try projector.held(by: number, transaction.reads)
    guard !held.isEmpty else { return false }
    var draft = try draft(command, batch, count: held.count, time, id: nil, &transaction)
    draft.fields.user = number
    for item in held {
      try remove(item.reaction.text.utf8Span.span, ending: item.sequence, &draft, &transaction)
    }
    _ = try finish(draft, &transaction)
    return true
  }
}
