internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// The position of the last record.
  public var position: Position {
    get throws(LedgerError) {
      try position(at: try head) ?? .beginning
    }
  }

  /// The position of a record; `nil` if there is none of this sequence.
  ///
  /// - Parameter sequence: The sequence.
  /// - Returns: The position.
  /// - Throws: ``LedgerError``.
  public func position(at sequence: UInt64) throws(LedgerError) -> Position? {
    try seal(of: sequence).map { Position(sequence: sequence, seal: $0) }
  }

  /// Where a position is, seen from here.
  ///
  /// - Parameter position: A position that this or another ledger gave.
  /// - Returns: Whether it is in this history.
  /// - Throws: ``LedgerError``.
  public func standing(of position: Position) throws(LedgerError) -> PositionStanding {
    if position == .beginning { return .here }
    guard position.sequence <= (try head) else { return .ahead }
    return try seal(of: position.sequence) == position.seal ? .here : .notInThisHistory
  }

  private func seal(of sequence: UInt64) throws(LedgerError) -> UInt64? {
    let key = Keys.event(sequence)
    guard let bytes = try reads.get(key.span, in: databases.events) else { return nil }
    return RecordFormat.seal(of: bytes)
  }

  /// The changes after a sequence, at most `limit` records of them and always whole commands, and
  /// the position after all that was looked at.
  func changes(
    after sequence: UInt64, limit: Int
  ) throws(LedgerError) -> (changes: [Change], position: Position?) {
    var items: [LogScan.Item] = []
    var scan = try LogScan(reads, databases, from: sequence + 1)
    while let next = try scan.next() {
      if items.count >= limit, next.record.place.index == 0 { break }
      items.append(next)
    }
    guard let last = items.last else { return ([], nil) }
    let head = try head
    var (changes, start): ([Change], Int) = ([], 0)
    while start < items.count {
      // A position may be inside a command: then it begins with the rest of it.
      let place = items[start].record.place
      let end = start + place.count - place.index
      guard end <= items.count else {
        throw .damaged(
          Finding(
            .commandBoundary, place: "events \(items[start].sequence)",
            expected: "\(place.count - place.index) more records of the command",
            found: "\(items.count - start)", sequence: items[start].sequence))
      }
      if let change = try change(items[start..<end], head) { changes.append(change) }
      start = end
    }
    return (changes, Position(sequence: last.sequence, seal: last.seal))
  }

  /// The change of one command; `nil` for a notice.
  private func change(
    _ items: ArraySlice<LogScan.Item>, _ head: UInt64
  ) throws(LedgerError) -> Change? {
    guard let first = items.first, let last = items.last,
      case .change(let told) = first.record.content
    else { return nil }
    var operations: [Change.Operation] = []
    for item in items {
      guard case .change(let change) = item.record.content else { continue }
      operations.append(try operation(item, change))
    }
    let summary = try summary(of: told.message)
    return Change(
      message: told.message, parent: told.parent, operations: operations,
      commandID: first.record.commandID, recordedAt: first.record.recordedAt,
      position: Position(sequence: last.sequence, seal: last.seal),
      reactions: summary.reactions, snapshotSequence: head)
  }

  private func operation(
    _ item: LogScan.Item, _ change: Record.Change
  ) throws(LedgerError) -> Change.Operation {
    let entry = try entry(item.sequence, item.record)
    var added = item.record
    var kind = Change.Operation.Kind.added
    if case .removed(let ends) = change.kind {
      added = try record(ends)
      kind = .removed
    }
    return Change.Operation(
      kind: kind, reaction: change.reaction, user: entry.user, actor: entry.actor,
      cause: item.record.cause, sequence: item.sequence, previous: change.previous,
      time: added.clientTime ?? added.recordedAt)
  }
}
