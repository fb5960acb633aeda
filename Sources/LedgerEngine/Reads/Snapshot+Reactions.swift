internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// A page of the live reactions on a message, one for each user and reaction, by sequence.
  ///
  /// Complexity: O(reactions on the message × limit), and one get for each reaction given.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - reaction: The one reaction that is wanted; `nil` for all.
  ///   - direction: Which way, and from where.
  ///   - limit: The most to give, 1 to 100.
  /// - Returns: The page; empty past either end, and for a message without reactions.
  /// - Throws: ``LedgerError/invalidCursor(_:)`` for a cursor of another message or filter,
  ///   ``LedgerError/invalidLimit(_:allowed:)``.
  public func reactions(
    on message: MessageKey, of reaction: Reaction? = nil,
    _ direction: PageDirection = .after(nil), limit: Int = 30
  ) throws(LedgerError) -> ReactionPage {
    guard Self.pageLimits.contains(limit) else {
      throw .invalidLimit(limit, allowed: Self.pageLimits)
    }
    var key: [UInt8] = []
    Keys.message(message, into: &key)
    let list = CursorList(messageKey: key.span, reaction: reaction)
    let bound = try list.sequence(of: direction)
    guard let row = try reads.get(key.span, in: slot.messages) else {
      return .empty
    }
    var found: [(block: RowFormat.Block, reactor: Reactor)] = []
    for block in try Self.blocks(of: reaction, in: row, "messages \(message)") {
      let part = try reactors(block, in: row, direction, bound, count: limit + 1)
      found += part.map { (block, $0) }
    }
    found.sort { $0.reactor.sequence < $1.reactor.sequence }
    let hasMore = found.count > limit
    if case .after = direction { found = Array(found.prefix(limit)) }
    if case .before = direction { found = Array(found.suffix(limit)) }
    let reactions = try found.map { (item) throws(LedgerError) in
      try liveReaction(item.reactor, item.block, in: row, on: message)
    }
    return ReactionPage(
      reactions, covering: reactions.map(\.sequence), list, direction, bound, hasMore: hasMore)
  }

  private func liveReaction(
    _ reactor: Reactor, _ block: RowFormat.Block, in row: Span<UInt8>, on message: MessageKey
  ) throws(LedgerError) -> LiveReaction {
    let record = try record(reactor.sequence)
    guard case .change(let change) = record.content, change.message == message else {
      throw .damaged(
        Finding(
          .messageRow, place: "messages \(message)", expected: "the sequence of an add",
          found: "\(reactor.sequence)", sequence: reactor.sequence))
    }
    return LiveReaction(
      message: message, reaction: change.reaction, user: try reactorName(reactor.user),
      sequence: reactor.sequence, time: record.clientTime ?? record.recordedAt)
  }

  static func blocks(
    of reaction: Reaction?, in row: Span<UInt8>, _ place: String
  ) throws(LedgerError) -> [RowFormat.Block] {
    var (blocks, offset): ([RowFormat.Block], Int) = ([], RowFormat.headerByteCount)
    while let block = try decoding(
      .messageRow, place, { () throws(CodecError) in try RowFormat.block(at: offset, in: row) })
    {
      let isWanted =
        reaction.map {
          UTF8Bytes.areEqual(row.extracting(block.reaction), $0.text.utf8Span.span)
        } ?? true
      if isWanted { blocks.append(block) }
      offset = block.end
    }
    return blocks
  }

  /// Reactors of a block on one side of a bound, those nearest to it, at most `count`.
  func reactors(
    _ block: RowFormat.Block, in row: Span<UInt8>, _ direction: PageDirection, _ bound: UInt64?,
    count: Int
  ) throws(LedgerError) -> [Reactor] {
    switch direction {
    case .after:
      let start = bound.map { $0 + 1 } ?? 0
      guard !block.isSpilled else {
        var found: [Reactor] = []
        var scan = try ReactorScan(slot, opened: block.opened, from: start, reads)
        while found.count < count, let reactor = try scan.next() { found.append(reactor) }
        return found
      }
      return Array(Self.entries(of: block, in: row).filter { $0.sequence >= start }.prefix(count))
    case .before:
      let end = bound ?? RecordFormat.sequenceBound - 1
      guard !block.isSpilled else {
        return try lastReactors(of: block, before: end, count: count)
      }
      return Array(Self.entries(of: block, in: row).filter { $0.sequence < end }.suffix(count))
    }
  }

  private static func entries(of block: RowFormat.Block, in row: Span<UInt8>) -> [Reactor] {
    (0..<block.entryCount).map { index in
      Reactor(
        user: RowFormat.user(at: block.entry(index), in: row),
        sequence: RowFormat.sequence(at: block.entry(index), in: row))
    }
  }

  private func lastReactors(
    of block: RowFormat.Block, before end: UInt64, count: Int
  ) throws(LedgerError) -> [Reactor] {
    var scan = try ReactorScan(slot, opened: block.opened, from: end, reads)
    var found: [Reactor] = []
    while found.count < count, let reactor = try scan.previous() { found.append(reactor) }
    return found.reversed()
  }
}
