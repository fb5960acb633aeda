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
    try fill(&memory.summaries, message, viewer)
    return try summary(0, of: message, in: memory.summaries, &memory.ids)
  }

  private func summaries(
    _ messages: [MessageKey], _ viewer: UserNumber?
  ) throws(LedgerError) -> [MessageSummary] {
    try fill(&memory.summaries, messages, viewer)
    return try values(messages, memory.summaries, &memory.ids)
  }

  private func values(
    _ messages: [MessageKey], _ buffer: borrowing SummaryBuffer,
    _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> [MessageSummary] {
    var summaries: [MessageSummary] = []
    summaries.reserveCapacity(messages.count)
    for index in messages.indices {
      summaries.append(try summary(index, of: messages[index], in: buffer, &ids))
    }
    return summaries
  }

  /// What was read of a message, as a value.
  private func summary(
    _ index: Int, of message: MessageKey, in buffer: borrowing SummaryBuffer,
    _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> MessageSummary {
    let read = buffer.messages[index]
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
      var firstUsers = FirstUsers()
      for user in item.firstUsers {
        firstUsers.append(try reactorName(buffer.users.number(at: user), &ids))
      }
      reactions.append(
        ReactionSummary(
          reaction: reaction, count: item.count, reactedByMe: item.reactedByMe,
          firstUsers: firstUsers))
    }
    return MessageSummary(
      message: message, reactions: reactions, eventCount: read.eventCount,
      sequence: read.sequence)
  }
}
