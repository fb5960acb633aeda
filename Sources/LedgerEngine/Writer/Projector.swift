internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Keeps the projections of one message up to date, change by change.
///
/// The same code applies what was just decided and what is read back from a log. Load a message,
/// apply its changes, store it. Cost of a change: one get and one put of the row; for a reaction too
/// popular for the row, one more in `reactors` and in `members`; one in `byUser` if that is kept.
struct Projector {
  let slot: ProjectionSlot
  /// Whether `byUser` is kept too.
  let indexesByUser: Bool
  /// The key of the message in hand.
  private(set) var key: [UInt8] = []
  private(set) var row = RowBuffer()

  init(_ slot: ProjectionSlot, indexingByUser indexesByUser: Bool) {
    self.slot = slot
    self.indexesByUser = indexesByUser
    key.reserveCapacity(512)
  }

  /// The sequence of the message's last event, 0 before its first.
  var lastSequence: UInt64 { row.lastSequence }

  /// Takes the message of a key in hand.
  mutating func load(
    _ message: Span<UInt8>, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    key.removeAll(keepingCapacity: true)
    key.append(message)
    try load(reads)
  }

  /// Takes the message of an event in hand.
  mutating func load(
    _ event: borrowing RecordView, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    key.removeAll(keepingCapacity: true)
    key.append(u16: event.messageHead)
    key.append(event.messageIDs)
    try load(reads)
  }

  /// Takes a message in hand.
  mutating func load(
    _ message: MessageKey, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    Keys.message(message, into: &key)
    try load(reads)
  }

  private mutating func load(_ reads: borrowing ReadTransaction) throws(LedgerError) {
    guard let stored = try reads.get(key.span, in: slot.messages) else {
      row.clear()
      return
    }
    do throws(CodecError) {
      try row.load(stored)
    } catch {
      throw damage("\(error)")
    }
  }

  /// Puts the message's row back.
  func store(_ transaction: inout WriteTransaction) throws(LedgerError) {
    try transaction.set(row.bytes.span, for: key.span, in: slot.messages)
  }

  /// The sequence of a user's live add of a reaction, if there is one.
  func liveAdd(
    of reaction: Span<UInt8>, by user: UserNumber, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> UInt64? {
    guard let block = try block(of: reaction) else { return nil }
    return try liveAdd(in: block, by: user, reads)
  }

  /// Applies an added event; the user does not have the reaction.
  ///
  /// - Parameters:
  ///   - reaction: The reaction.
  ///   - block: Its block, as ``block(of:)`` gave it after the last change of the row.
  ///   - user: Whose it is.
  ///   - sequence: The event's sequence.
  ///   - transaction: Where to write.
  /// - Throws: ``LedgerError``.
  mutating func add(
    _ reaction: Span<UInt8>, to block: RowFormat.Block?, by user: UserNumber,
    at sequence: UInt64, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let reactor = Reactor(user: user, sequence: sequence)
    defer { row.countEvent(sequence) }
    if indexesByUser {
      let key = Keys.byUser(user: user, sequence: sequence)
      try transaction.set(Span(), for: key.span, in: slot.byUser)
    }
    guard let block else {
      row.open(reaction, first: reactor)
      return
    }
    if block.isSpilled {
      try put(reactor, in: block, &transaction)
      if block.entryCount < RowFormat.previewCount {
        row.append(reactor, to: block)
      } else {
        row.setCount(block.count + 1, of: block)
      }
    } else if block.count < RowFormat.inlineCapacity {
      row.append(reactor, to: block)
    } else {
      let all = (0..<block.entryCount).map { row.reactor($0, of: block) }
      for entry in all { try put(entry, in: block, &transaction) }
      try put(reactor, in: block, &transaction)
      row.replace(
        block, count: block.count + 1, isSpilled: true,
        entries: Array(all.prefix(RowFormat.previewCount)))
    }
  }

  /// Applies a removed event that ends the user's live add.
  ///
  /// - Parameters:
  ///   - block: The reaction's block, as ``block(of:)`` gave it after the last change of the row.
  ///   - user: Whose it is.
  ///   - add: The sequence of the add that it ends.
  ///   - sequence: The event's sequence.
  ///   - transaction: Where to write.
  /// - Throws: ``LedgerError``.
  mutating func remove(
    from block: RowFormat.Block?, by user: UserNumber, ending add: UInt64, at sequence: UInt64,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    guard let block else { throw damage("no such reaction to remove") }
    if indexesByUser {
      let key = Keys.byUser(user: user, sequence: add)
      try transaction.remove(key.span, in: slot.byUser)
    }
    if block.isSpilled {
      let key = Keys.reactor(opened: block.opened, sequence: add)
      let member = Keys.member(opened: block.opened, user: user)
      try transaction.remove(key.span, in: slot.reactors)
      try transaction.remove(member.span, in: slot.members)
    }
    let index = row.index(of: user, in: block)
    if block.count == 1 {
      row.close(block)
    } else if let index, !block.isSpilled || block.count <= RowFormat.previewCount {
      row.remove(index, from: block)
    } else if index != nil {
      let first = try firstReactors(of: block, transaction.reads)
      row.replace(block, count: block.count - 1, isSpilled: true, entries: first)
    } else {
      row.setCount(block.count - 1, of: block)
    }
    row.countEvent(sequence)
  }
}

extension Projector {
  func block(of reaction: Span<UInt8>) throws(LedgerError) -> RowFormat.Block? {
    do throws(CodecError) {
      return try row.block(of: reaction)
    } catch {
      throw damage("\(error)")
    }
  }

  func block(at offset: Int) throws(LedgerError) -> RowFormat.Block? {
    do throws(CodecError) {
      return try RowFormat.block(at: offset, in: row.bytes.span)
    } catch {
      throw damage("\(error)")
    }
  }

  func liveAdd(
    in block: RowFormat.Block, by user: UserNumber, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> UInt64? {
    try slot.liveAdd(by: user, in: block, of: row.bytes.span, reads)
  }

  private func put(
    _ reactor: Reactor, in block: RowFormat.Block, _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let key = Keys.reactor(opened: block.opened, sequence: reactor.sequence)
    let user = Keys.user(reactor.user)
    try transaction.set(user.span, for: key.span, in: slot.reactors)
    let member = Keys.member(opened: block.opened, user: reactor.user)
    let sequence = Keys.sequence(reactor.sequence)
    try transaction.set(sequence.span, for: member.span, in: slot.members)
  }

  /// The first three of a spilled block, from `reactors`.
  private func firstReactors(
    of block: RowFormat.Block, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [Reactor] {
    var first: [Reactor] = []
    var scan = try ReactorScan(slot, opened: block.opened, from: 0, reads)
    while first.count < RowFormat.previewCount, let next = try scan.next() { first.append(next) }
    guard first.count == min(RowFormat.previewCount, block.count - 1) else {
      throw missing(
        .reactors, "reactors \(block.opened)", "\(block.count - 1) reactors on \(place)")
    }
    return first
  }

  func damage(_ found: String) -> LedgerError {
    .damaged(Finding(.messageRow, place: "messages \(place)", expected: "a row", found: found))
  }

  /// The message in hand, in words.
  private var place: String {
    do throws(CodecError) {
      return "\(try Keys.message(key.span))"
    } catch {
      return "\(key)"
    }
  }
}
