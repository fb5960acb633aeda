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
    let number = try viewer.flatMap { (id) throws(LedgerError) in try self.number(of: id) }
    var key: [UInt8] = []
    return try summary(message, number, &key)
  }

  /// What several messages show; the same as asking for each, at the cost of one snapshot.
  ///
  /// - Parameters:
  ///   - messages: The messages.
  ///   - viewer: The user who asks, for `reactedByMe`; looked up once.
  /// - Returns: One summary for each message, in their order.
  /// - Throws: ``LedgerError``.
  public func summaries(
    of messages: [MessageKey], viewer: UserID? = nil
  ) throws(LedgerError) -> [MessageSummary] {
    let number = try viewer.flatMap { (id) throws(LedgerError) in try self.number(of: id) }
    var key: [UInt8] = []
    return try messages.map { (message) throws(LedgerError) in
      try summary(message, number, &key)
    }
  }

  private func summary(
    _ message: MessageKey, _ viewer: UserNumber?, _ key: inout [UInt8]
  ) throws(LedgerError) -> MessageSummary {
    Keys.message(message, into: &key)
    guard let row = try reads.get(key.span, in: slot.messages) else {
      return MessageSummary(message: message, reactions: [], eventCount: 0, sequence: 0)
    }
    let place = "messages \(message)"
    let (eventCount, sequence) = try decoding(.messageRow, place) { () throws(CodecError) in
      (try RowFormat.eventCount(row), try RowFormat.lastSequence(row))
    }
    var reactions: [ReactionSummary] = []
    var offset = RowFormat.headerByteCount
    while let block = try decoding(
      .messageRow, place, { () throws(CodecError) in try RowFormat.block(at: offset, in: row) })
    {
      reactions.append(try summary(of: block, in: row, place, viewer))
      offset = block.end
    }
    return MessageSummary(
      message: message, reactions: reactions, eventCount: eventCount, sequence: sequence)
  }

  private func summary(
    of block: RowFormat.Block, in row: Span<UInt8>, _ place: String, _ viewer: UserNumber?
  ) throws(LedgerError) -> ReactionSummary {
    let reaction: Reaction
    do throws(InvalidReaction) {
      reaction = try Reaction(canonical: row.extracting(block.reaction))
    } catch {
      throw .damaged(
        Finding(.messageRow, place: place, expected: "a reaction", found: "\(error)"))
    }
    var firstUsers: [UserID] = []
    var isViewers = false
    for index in 0..<block.entryCount {
      let user = RowFormat.user(at: block.entry(index), in: row)
      if index < RowFormat.previewCount { firstUsers.append(try reactorName(user)) }
      if user == viewer { isViewers = true }
    }
    if let viewer, !isViewers, block.isSpilled {
      let member = Keys.member(opened: block.opened, user: viewer)
      isViewers = try reads.get(member.span, in: slot.members) != nil
    }
    return ReactionSummary(
      reaction: reaction, count: block.count, reactedByMe: isViewers, firstUsers: firstUsers)
  }
}
