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
    try memory.withReactors { (buffer, ids) throws(LedgerError) in
      try fill(&buffer, reaction, message, cursor, limit)
      return ReactorPage(
        reaction: reaction, count: buffer.count, users: try reactorNames(buffer.users, &ids),
        cursor: buffer.cursor)
    }
  }

  /// Reads a page of the users who have a reaction on a message into memory that is used again.
  ///
  /// It tells the same as ``reactors(of:on:after:limit:)`` at less cost: no `String` is made. If it
  /// throws, what the buffer holds is unspecified. Complexity: O(log *n* + limit).
  ///
  /// - Parameters:
  ///   - reaction: The reaction.
  ///   - message: The message.
  ///   - cursor: Where the last page ended; `nil` for the first page.
  ///   - limit: The most users to give, 1 to 100.
  ///   - buffer: What is filled; what it held is gone.
  /// - Throws: As ``reactors(of:on:after:limit:)``.
  public func read(
    reactorsOf reaction: Reaction, on message: MessageKey, after cursor: PageCursor? = nil,
    limit: Int = 100, into buffer: inout ReactorBuffer
  ) throws(LedgerError) {
    try fill(&buffer, reaction, message, cursor, limit)
    try resolve(&buffer.users)
  }

  /// Fills a buffer with all but the names.
  private func fill(
    _ buffer: inout ReactorBuffer, _ reaction: Reaction, _ message: MessageKey,
    _ cursor: PageCursor?, _ limit: Int
  ) throws(LedgerError) {
    guard Self.pageLimits.contains(limit) else {
      throw .invalidLimit(limit, allowed: Self.pageLimits)
    }
    buffer.clear()
    Keys.message(message, into: &buffer.key)
    var start: UInt64 = 0
    if let cursor {
      let list = CursorList(messageKey: buffer.key, reaction: reaction)
      start = try list.sequence(of: cursor) + 1
    }
    guard let row = try reads.get(buffer.key.span, in: slot.messages),
      let block = try Self.block(of: reaction, in: row, message)
    else { return }
    buffer.count = block.count
    let last =
      block.isSpilled
      ? try fill(&buffer, fromRowsOf: block, start, limit)
      : Self.fill(&buffer.users, block, in: row, start, limit)
    if let last {
      let list = CursorList(messageKey: buffer.key, reaction: reaction)
      buffer.cursor = list.cursor(at: last)
    }
  }

  /// The block of a reaction, if there is one.
  private static func block(
    of reaction: Reaction, in row: Span<UInt8>, _ message: MessageKey
  ) throws(LedgerError) -> RowFormat.Block? {
    let wanted = reaction.text.utf8Span.span
    do throws(CodecError) {
      var offset = RowFormat.headerByteCount
      while let block = try RowFormat.block(at: offset, in: row) {
        if UTF8Bytes.areEqual(row.extracting(block.reaction), wanted) { return block }
        offset = block.end
      }
      return nil
    } catch {
      throw .damaged(
        Finding(
          .messageRow, place: "messages \(message)", expected: "bytes of the format",
          found: "\(error)"))
    }
  }

  /// Appends the users of a block that the row holds, from a sequence on; returns the sequence of the
  /// last one if there are more.
  private static func fill(
    _ users: inout UserNames, _ block: RowFormat.Block, in row: Span<UInt8>, _ start: UInt64,
    _ limit: Int
  ) -> UInt64? {
    var last: UInt64 = 0
    for index in 0..<block.entryCount {
      let sequence = RowFormat.sequence(at: block.entry(index), in: row)
      guard sequence >= start else { continue }
      if users.count == limit { return last }
      users.append(RowFormat.user(at: block.entry(index), in: row))
      last = sequence
    }
    return nil
  }

  /// The same of a reaction that is too popular for its row.
  private func fill(
    _ buffer: inout ReactorBuffer, fromRowsOf block: RowFormat.Block, _ start: UInt64, _ limit: Int
  ) throws(LedgerError) -> UInt64? {
    let key = Keys.reactor(opened: block.opened, sequence: start)
    buffer.pairs.removeAll(keepingCapacity: true)
    let count: Int
    do {
      var cursor = try reads.scan(slot.reactors)
      count = try cursor.copy(
        from: key.span, valueByteCount: Keys.userByteCount, limit: limit + 1, to: &buffer.pairs)
    }
    let last = buffer.takeUsers(count, of: block.opened, limit)
    if buffer.users.count == limit, last.isFollowed { return last.sequence }
    // The list ends here, unless a damaged pair follows: the scan says so.
    var rest = try ReactorScan(
      slot, opened: block.opened, from: max(start, last.sequence + 1), reads)
    _ = try rest.next()
    return nil
  }
}

extension ReactorBuffer {
  /// Takes users from pairs of `reactors`, at most `limit`, as long as they are of one reaction.
  ///
  /// - Returns: The sequence of the last one, 0 if there is none, and whether another follows it.
  fileprivate mutating func takeUsers(
    _ pairCount: Int, of opened: UInt64, _ limit: Int
  ) -> (sequence: UInt64, isFollowed: Bool) {
    var (last, taken): (UInt64, UserNames) = (0, UserNames())
    swap(&taken, &users)
    defer { swap(&taken, &users) }
    let (bytes, size) = (pairs.span, Keys.reactorByteCount + Keys.userByteCount)
    taken.reserve(min(pairCount, limit))
    for offset in stride(from: 0, to: pairCount &* size, by: size) {
      guard bytes.bigEndian(at: offset, byteCount: 6) == opened else { return (last, false) }
      if taken.count == limit { return (last, true) }
      last = bytes.bigEndian(at: offset &+ 6, byteCount: 6)
      taken.append(
        UserNumber(
          truncatingIfNeeded: bytes.bigEndian(at: offset &+ Keys.reactorByteCount, byteCount: 4)))
    }
    return (last, false)
  }
}
