internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// The most users on a page.
  public static let pageLimits = 1...100

  /// A page of the users who have a reaction on a message, in order of their adds.
  ///
  /// A reaction that nobody has gives an empty page. Complexity: O(log *n* + limit).
  ///
  /// - Parameters:
  ///   - reaction: The reaction.
  ///   - message: The message.
  ///   - cursor: Where the last page ended; `nil` for the first page.
  ///   - limit: The most users to give, 1 to 100.
  /// - Returns: The page.
  /// - Throws: ``LedgerError/invalidCursor(_:)`` for a cursor of another message or reaction,
  ///   ``LedgerError/invalidLimit(_:allowed:)``.
  public func reactors(
    of reaction: Reaction, on message: MessageKey, after cursor: PageCursor? = nil,
    limit: Int = 100
  ) throws(LedgerError) -> ReactorPage {
    guard Self.pageLimits.contains(limit) else {
      throw .invalidLimit(limit, allowed: Self.pageLimits)
    }
    var key: [UInt8] = []
    Keys.message(message, into: &key)
    if let cursor, cursor.check != Self.check(cursor.sequence, key, reaction) {
      throw .invalidCursor("it was changed, or belongs to another message or reaction")
    }
    let place = "messages \(message)"
    guard let row = try reads.get(key.span, in: slot.messages),
      let block = try Self.block(of: reaction, in: row, place)
    else { return ReactorPage(reaction: reaction, count: 0, users: [], cursor: nil) }
    let found = try reactors(block, in: row, after: cursor?.sequence ?? 0, count: limit + 1)
    let users = try found.prefix(limit).map { (reactor) throws(LedgerError) in
      try reactorName(reactor.user)
    }
    var next: PageCursor?
    if found.count > limit {
      let last = found[limit - 1].sequence
      next = PageCursor(sequence: last, check: Self.check(last, key, reaction))
    }
    return ReactorPage(reaction: reaction, count: block.count, users: users, cursor: next)
  }

  private static func check(
    _ sequence: UInt64, _ messageKey: [UInt8], _ reaction: Reaction
  ) -> UInt64 {
    var bytes: [UInt8] = []
    bytes.append(u48: sequence)
    bytes.append(u16: UInt16(messageKey.count))
    bytes += messageKey
    bytes.append(reaction.text.utf8Span.span)
    return Sealer().cursorCheck(bytes)
  }

  private static func block(
    of reaction: Reaction, in row: Span<UInt8>, _ place: String
  ) throws(LedgerError) -> RowFormat.Block? {
    var offset = RowFormat.headerByteCount
    while let block = try decoding(
      .messageRow, place, { () throws(CodecError) in try RowFormat.block(at: offset, in: row) })
    {
      if UTF8Bytes.areEqual(row.extracting(block.reaction), reaction.text.utf8Span.span) {
        return block
      }
      offset = block.end
    }
    return nil
  }

  private func reactors(
    _ block: RowFormat.Block, in row: Span<UInt8>, after sequence: UInt64, count: Int
  ) throws(LedgerError) -> [Reactor] {
    var found: [Reactor] = []
    if block.isSpilled {
      var scan = try ReactorScan(slot, opened: block.opened, from: sequence + 1, reads)
      while found.count < count, let reactor = try scan.next() { found.append(reactor) }
      return found
    }
    for index in 0..<block.entryCount where found.count < count {
      let reactor = Reactor(
        user: RowFormat.user(at: block.entry(index), in: row),
        sequence: RowFormat.sequence(at: block.entry(index), in: row))
      if reactor.sequence > sequence { found.append(reactor) }
    }
    return found
  }
}
