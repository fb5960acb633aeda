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
    buffer.key.write(message)
    var start: UInt64 = 0
    if let cursor {
      let list = CursorList(messageKey: buffer.key.span, reaction: reaction)
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
      let list = CursorList(messageKey: buffer.key.span, reaction: reaction)
      buffer.cursor = list.cursor(at: last)
    }
  }

  /// The block of a reaction, if there is one.
  private static func block(
    of reaction: Reaction, in row: Span<UInt8>, _ message: MessageKey
  ) throws(LedgerError) -> RowFormat.Block? {
    let wanted = reaction.text.utf8Span.span
    var offset = RowFormat.headerByteCount
    while let block = try block(at: offset, in: row, of: message) {
      if UTF8Bytes.areEqual(row.extracting(block.reaction), wanted) { return block }
      offset = block.end
    }
    return nil
  }

  /// The block at an offset of a message's row, or `nil` at the row's end.
  @inline(__always)
  static func block(
    at offset: Int, in row: Span<UInt8>, of message: MessageKey
  ) throws(LedgerError) -> RowFormat.Block? {
    do throws(CodecError) {
      return try RowFormat.block(at: offset, in: row)
    } catch {
      throw undecodable(message, error)
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
    var taken = UserNames()
    swap(&taken, &users)
    defer { swap(&taken, &users) }
    let (pairs, size) = (pairs.span, UserNames.pairByteCount)
    let count = taken.append(pairs.extracting(first: min(pairCount, limit) * size), of: opened)
    guard count > 0 else { return (0, false) }
    let last = pairs.bigEndian(at: (count &- 1) &* size &+ 6, byteCount: 6)
    let isFollowed =
      count < pairCount && pairs.bigEndian(at: count &* size, byteCount: 6) == opened
    return (last, isFollowed)
  }
}

extension UserNames {
  /// The bytes of a key and a value of `reactors`.
  fileprivate static var pairByteCount: Int { Keys.reactorByteCount + Keys.userByteCount }

  /// Appends the users of pairs of `reactors`, as long as they are of one reaction; returns how many
  /// they are.
  fileprivate mutating func append(_ pairs: Span<UInt8>, of opened: UInt64) -> Int {
    append(atMost: pairs.count / Self.pairByteCount) { numbers in
      // A pair is two words: the opening sequence and the high bytes of the add's; the low bytes of
      // the add's, and the user.
      var offset = 0
      while offset < pairs.count, pairs.bigEndian(at: offset, byteCount: 8) >> 16 == opened {
        numbers.append(
          UserNumber(truncatingIfNeeded: pairs.bigEndian(at: offset &+ 8, byteCount: 8)))
        offset &+= Self.pairByteCount
      }
    }
  }
}
