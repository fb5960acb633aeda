internal import LedgerEngine
public import ReactionModel

extension LedgerClient {
  /// A message with its reactions, as this user sees it.
  ///
  /// - Parameters:
  ///   - message: The message's id.
  ///   - conversation: Where it is, for hosts whose message ids are not unique by themselves.
  /// - Returns: The message; `nil` if the host does not know it.
  /// - Throws: ``ReactionClientError``: `storage`, `directory`.
  public func message(
    _ message: some MessageReference, in conversation: Conversation? = nil
  ) async throws(ReactionClientError) -> ReactionMessage? {
    guard let known = try await viewer.known(message, in: conversation) else { return nil }
    return try viewer.shown([known]).first
  }

  /// The overviews of several messages of one sort of conversation, all at one moment.
  ///
  /// - Parameters:
  ///   - messages: The messages' ids.
  ///   - chatType: What sort of conversation they are in.
  ///   - groupID: In which group, if they are in one; `nil` for messages of any.
  /// - Returns: For each message its reactions, those of the longest standing first: none if it has
  ///   none or was deleted. A message that the host does not know, or that is in another
  ///   conversation, is left out.
  /// - Throws: ``ReactionClientError``: `storage`, `directory`.
  public func getReactionList(
    _ messages: [some MessageReference], chatType: Conversation.Kind,
    groupID: ConversationID? = nil
  ) async throws(ReactionClientError) -> [MessageID: [ReactionOverview]] {
    let conversation = groupID.flatMap { chatType == .group ? Conversation.group($0) : nil }
    let known = try await viewer.known(messages.compactMap(\.messageID), in: conversation)
    let wanted = known.values.filter { $0.key.conversation.kind == chatType }
    var overviews: [MessageID: [ReactionOverview]] = [:]
    for message in try viewer.shown(wanted) { overviews[message.id] = message.reactions }
    return overviews
  }

  /// A page of the users who have one reaction on a message, in order of adding.
  ///
  /// A reaction that nobody has, and a message that is unknown or deleted, give an empty page.
  ///
  /// - Parameters:
  ///   - message: The message's id.
  ///   - reaction: The reaction, in any form.
  ///   - cursor: Where the last page ended; `nil` or "" for the first page.
  ///   - pageSize: The most users to give, 1 to 100.
  ///   - conversation: Where it is, for hosts whose message ids are not unique by themselves.
  /// - Returns: The users, how many there are in all, and where the next page begins.
  /// - Throws: ``ReactionClientError``: `limitExceeded`, `limitNotPositive`, `invalidReaction`,
  ///   `invalidCursor`, `storage`, `directory`.
  public func getReactionDetail(
    _ message: some MessageReference, reaction: String, cursor: String? = nil, pageSize: Int = 30,
    in conversation: Conversation? = nil
  ) async throws(ReactionClientError) -> ReactionDetail {
    try PageLimit.require(pageSize)
    let reaction = try Self.reaction(reaction)
    let place = try Self.cursor(cursor)
    guard let known = try await viewer.known(message, in: conversation), !known.facts.isDeleted
    else { return ReactionDetail(reaction: reaction, count: 0, users: [], cursor: nil) }
    let page = try viewer.reading { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.reactors(of: reaction, on: known.key, after: place, limit: pageSize)
    }
    return ReactionDetail(
      reaction: reaction, count: page.count, users: page.users,
      cursor: page.cursor.map { "\($0)" })
  }

  private static func cursor(_ text: String?) throws(ReactionClientError) -> PageCursor? {
    guard let text, !text.isEmpty else { return nil }
    do throws(LedgerError) {
      return try PageCursor(parsing: text)
    } catch {
      throw ReactionClientError(error)
    }
  }
}
