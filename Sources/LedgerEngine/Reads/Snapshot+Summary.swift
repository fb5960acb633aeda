internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// What a message shows.
  ///
  /// A message without reactions, or unknown, has an empty summary. Complexity: one get for the row,
  /// one for the viewer, and one for each reaction of more than 16 users whose first three the
  /// viewer is not among; names that are not remembered cost one each.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - viewer: The user who asks, for `reactedByMe`.
  /// - Returns: Its reactions, in order of opening.
  /// - Throws: ``LedgerError``.
  public func summary(
    of message: MessageKey, viewer: UserID? = nil
  ) throws(LedgerError) -> MessageSummary {
    try summary(message, try number(of: viewer))
  }

  /// What a message shows to a viewer who was looked up before; that saves the get for the viewer.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - viewer: The user who asks, for `reactedByMe`.
  /// - Returns: Its reactions, in order of opening.
  /// - Throws: ``LedgerError``.
  public func summary(
    of message: MessageKey, viewer: Viewer
  ) throws(LedgerError) -> MessageSummary {
    try summary(message, try number(of: viewer))
  }

  /// What several messages show; the same as asking for each, at the cost of one snapshot.
  ///
  /// Messages that follow each other in a conversation cost less than others.
  ///
  /// - Parameters:
  ///   - messages: The messages.
  ///   - viewer: The user who asks, for `reactedByMe`; looked up once.
  /// - Returns: One summary for each message, in their order.
  /// - Throws: ``LedgerError``.
  public func summaries(
    of messages: [MessageKey], viewer: UserID? = nil
  ) throws(LedgerError) -> [MessageSummary] {
    try summaries(messages, try number(of: viewer))
  }

  /// What several messages show to a viewer who was looked up before.
  ///
  /// - Parameters:
  ///   - messages: The messages.
  ///   - viewer: The user who asks, for `reactedByMe`.
  /// - Returns: One summary for each message, in their order.
  /// - Throws: ``LedgerError``.
  public func summaries(
    of messages: [MessageKey], viewer: Viewer
  ) throws(LedgerError) -> [MessageSummary] {
    try summaries(messages, try number(of: viewer))
  }

  private func summary(
    _ message: MessageKey, _ viewer: UserNumber?
  ) throws(LedgerError) -> MessageSummary {
    try memory.withNames { (key, ids) throws(LedgerError) in
      key.write(message)
      guard let row = try reads.get(key.span, in: slot.messages) else {
        return MessageSummary(message: message, reactions: [], eventCount: 0, sequence: 0)
      }
      return try summary(of: message, row, viewer, &ids)
    }
  }

  private func summaries(
    _ messages: [MessageKey], _ viewer: UserNumber?
  ) throws(LedgerError) -> [MessageSummary] {
    guard !messages.isEmpty else { return [] }
    var cursor = try reads.scan(slot.messages)
    return try memory.withNames { (key, ids) throws(LedgerError) in
      let messages = messages.span
      var summaries: [MessageSummary] = []
      summaries.reserveCapacity(messages.count)
      for index in messages.indices {
        key.write(messages, at: index)
        if let row = try cursor.get(key.span) {
          summaries.append(try summary(of: messages[index], row, viewer, &ids))
        } else {
          summaries.append(
            MessageSummary(message: messages[index], reactions: [], eventCount: 0, sequence: 0))
        }
      }
      return summaries
    }
  }

  /// What the row of a message shows.
  private func summary(
    of message: MessageKey, _ row: Span<UInt8>, _ viewer: UserNumber?,
    _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> MessageSummary {
    var reactions: [ReactionSummary] = []
    let (eventCount, sequence): (Int, UInt64)
    do throws(CodecError) {
      (eventCount, sequence) = (try RowFormat.eventCount(row), try RowFormat.lastSequence(row))
    } catch {
      throw Self.undecodable(message, error)
    }
    reactions.reserveCapacity(RowFormat.blockCount(row))
    var offset = RowFormat.headerByteCount
    while let block = try Self.block(at: offset, in: row, of: message) {
      let reaction: Reaction
      do throws(InvalidReaction) {
        reaction = try Reaction(canonical: row.extracting(block.reaction))
      } catch {
        throw Self.unreadable(message, error)
      }
      reactions.append(
        ReactionSummary(
          reaction: reaction, count: block.count,
          reactedByMe: try isAmong(viewer, block, in: row),
          firstUsers: try firstUsers(of: block, in: row, &ids)))
      offset = block.end
    }
    return MessageSummary(
      message: message, reactions: reactions, eventCount: eventCount, sequence: sequence)
  }

  private func firstUsers(
    of block: RowFormat.Block, in row: Span<UInt8>, _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> FirstUsers {
    let count = block.entryCount
    let first = try reactorName(RowFormat.user(at: block.entry(0), in: row), &ids)
    guard count > 1 else { return FirstUsers(first, nil, nil) }
    let second = try reactorName(RowFormat.user(at: block.entry(1), in: row), &ids)
    guard count > 2 else { return FirstUsers(first, second, nil) }
    return FirstUsers(
      first, second, try reactorName(RowFormat.user(at: block.entry(2), in: row), &ids))
  }
}
