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
    try memory.withSummaries { (buffer, ids) throws(LedgerError) in
      try fill(&buffer, message, viewer)
      return try summary(of: message, in: buffer, &ids)
    }
  }

  private func summaries(
    _ messages: [MessageKey], _ viewer: UserNumber?
  ) throws(LedgerError) -> [MessageSummary] {
    guard !messages.isEmpty else { return [] }
    var cursor = try reads.scan(slot.messages)
    return try memory.withSummaries { (buffer, ids) throws(LedgerError) in
      var summaries: [MessageSummary] = []
      summaries.reserveCapacity(messages.count)
      for message in messages {
        buffer.clear()
        try fill(&buffer, message, viewer, at: &cursor)
        summaries.append(try summary(of: message, in: buffer, &ids))
      }
      return summaries
    }
  }

  /// The one message that was read, as a value.
  private func summary(
    of message: MessageKey, in buffer: borrowing SummaryBuffer,
    _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> MessageSummary {
    let read = buffer.messages[0]
    var reactions: [ReactionSummary] = []
    reactions.reserveCapacity(read.reactions.count)
    for place in read.reactions {
      let item = buffer.reactions[place]
      let reaction: Reaction
      do throws(InvalidReaction) {
        reaction = try Reaction(canonical: buffer.text(of: item))
      } catch {
        throw Self.unreadable(message, error)
      }
      reactions.append(
        ReactionSummary(
          reaction: reaction, count: item.count, reactedByMe: item.reactedByMe,
          firstUsers: try firstUsers(item.firstUsers, of: buffer.users, &ids)))
    }
    return MessageSummary(
      message: message, reactions: reactions, eventCount: read.eventCount,
      sequence: read.sequence)
  }

  private func firstUsers(
    _ places: Range<Int>, of users: borrowing UserNames, _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> FirstUsers {
    let (place, count) = (places.lowerBound, places.count)
    return FirstUsers(
      count > 0 ? try reactorName(users.number(at: place), &ids) : nil,
      count > 1 ? try reactorName(users.number(at: place + 1), &ids) : nil,
      count > 2 ? try reactorName(users.number(at: place + 2), &ids) : nil)
  }
}
