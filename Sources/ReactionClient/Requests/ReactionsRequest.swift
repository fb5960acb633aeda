internal import LedgerEngine
public import ReactionModel

/// A request for the reactions on a message, one for each user and reaction, page by page both ways.
///
/// Every page ascends by sequence. Of a fresh request, ``fetchNext()`` begins with the oldest and
/// ``fetchPrevious()`` ends with the newest reaction; from then on each goes on from the outer edge
/// of what the request has given. Past either end a page is empty, until there is more. Whatever is
/// added or removed meanwhile, no reaction that was there throughout is skipped or repeated.
public actor ReactionsRequest {
  /// The message; `nil` if what was given can be no message's id.
  public nonisolated let messageID: MessageID?
  /// The one reaction that is wanted, in canonical form; `nil` for all.
  public nonisolated let reaction: Reaction?
  /// The most reactions on a page.
  public nonisolated let limit: Int

  private let viewer: Viewer
  private let conversation: Conversation?
  private var window = PageWindow()

  init(
    _ viewer: Viewer, _ messageID: MessageID?, _ conversation: Conversation?, _ reaction: Reaction?,
    limit: Int
  ) {
    self.viewer = viewer
    self.messageID = messageID
    self.conversation = conversation
    self.reaction = reaction
    self.limit = limit
  }

  /// The page after all that was given.
  ///
  /// - Returns: The reactions; none past the newest, and for a message that is unknown or deleted.
  /// - Throws: ``ReactionClientError``: `storage`, `directory`; the next call gives the same page.
  public func fetchNext() async throws(ReactionClientError) -> [UserReaction] {
    try await fetch(isNext: true)
  }

  /// The page before all that was given.
  ///
  /// - Returns: The reactions; none past the oldest, and for a message that is unknown or deleted.
  /// - Throws: ``ReactionClientError``: `storage`, `directory`; the next call gives the same page.
  public func fetchPrevious() async throws(ReactionClientError) -> [UserReaction] {
    try await fetch(isNext: false)
  }

  private func fetch(isNext: Bool) async throws(ReactionClientError) -> [UserReaction] {
    guard let messageID, let known = try await viewer.known(messageID, in: conversation),
      !known.facts.isDeleted
    else { return [] }
    // From here to the next `await` no other fetch comes between.
    let before = window
    var after = window
    let list = PageWindow.List(message: known.key, reaction: reaction, limit: limit)
    let found = try viewer.reading { (snapshot: borrowing Snapshot) throws(LedgerError) in
      isNext ? try after.next(list, snapshot) : try after.previous(list, snapshot)
    }
    window = after
    let users: [UserID: ReactionUser]
    do throws(ReactionClientError) {
      users = try await viewer.named(found.map(\.user))
    } catch {
      // The page was not given; unless another fetch went on meanwhile, it comes again.
      if window == after { window = before }
      throw error
    }
    return found.map { item in
      UserReaction(
        reaction: item.reaction, messageID: item.message.message,
        user: users[item.user] ?? ReactionUser(id: item.user), time: item.time,
        sequence: item.sequence)
    }
  }
}
