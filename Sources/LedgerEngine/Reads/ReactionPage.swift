internal import ReactionCodec
public import ReactionModel

/// One user's live reaction on one message.
public struct LiveReaction: Hashable, Sendable {
  /// The message.
  public let message: MessageKey
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// Whose reaction it is.
  public let user: UserID
  /// The sequence of the add.
  public let sequence: UInt64
  /// When it was added, by the client's clock if the command told, else by the ledger's.
  public let time: Timestamp
}

/// A page of live reactions, in order of their adds.
public struct ReactionPage: Hashable, Sendable {
  /// The reactions; they ascend by sequence, whichever way the page was asked for.
  public let reactions: [LiveReaction]
  /// Where the page before begins; `nil` if there is nothing before.
  public let before: PageCursor?
  /// Where the page after begins; `nil` if there is nothing after.
  public let after: PageCursor?
}

extension ReactionPage {
  /// The page of these reactions, which were asked for from `bound`.
  ///
  /// `adds` are the sequences that it covers: those of its reactions, and of what was removed while
  /// it was looked for. Its edges are theirs, so that a page of which nothing is left leads on.
  init(
    _ reactions: [LiveReaction], covering adds: [UInt64], _ list: CursorList,
    _ direction: PageDirection, _ bound: UInt64?, hasMore: Bool
  ) {
    let (first, last) = (adds.first, adds.last)
    self.reactions = reactions
    switch direction {
    case .after:
      before = bound.map { list.cursor(at: first ?? min($0, RecordFormat.sequenceBound - 2) + 1) }
      after = hasMore ? last.map { list.cursor(at: $0) } : nil
    case .before:
      before = hasMore ? first.map { list.cursor(at: $0) } : nil
      after = bound.map { list.cursor(at: last ?? max($0, 1) - 1) }
    }
  }
}

/// Which way a page lies.
public enum PageDirection: Hashable, Sendable {
  /// What comes after the cursor, or the oldest.
  case after(PageCursor?)
  /// What comes before the cursor, or the newest.
  case before(PageCursor?)
}
