public import ReactionModel

// Reads with a snapshot of their own, for callers who need just one.

extension Ledger {
  /// What a message shows now; `Snapshot.summary(of:viewer:)` on a snapshot of its own.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - viewer: The user who asks, for `reactedByMe`.
  /// - Returns: Its reactions, in order of opening.
  /// - Throws: ``LedgerError``.
  public func summary(
    of message: MessageKey, viewer: UserID? = nil
  ) throws(LedgerError) -> MessageSummary {
    try read { (snapshot) throws(LedgerError) in
      try snapshot.summary(of: message, viewer: viewer)
    }
  }

  /// What several messages show at one moment; `Snapshot.summaries(of:viewer:)` on a snapshot of
  /// its own.
  ///
  /// - Parameters:
  ///   - messages: The messages.
  ///   - viewer: The user who asks, for `reactedByMe`; looked up once.
  /// - Returns: One summary for each message, in their order.
  /// - Throws: ``LedgerError``.
  public func summaries(
    of messages: [MessageKey], viewer: UserID? = nil
  ) throws(LedgerError) -> [MessageSummary] {
    try read { (snapshot) throws(LedgerError) in
      try snapshot.summaries(of: messages, viewer: viewer)
    }
  }

  /// A page of the users who have a reaction on a message now;
  /// ``Snapshot/reactors(of:on:after:limit:)`` on a snapshot of its own.
  ///
  /// - Parameters:
  ///   - reaction: The reaction.
  ///   - message: The message.
  ///   - cursor: Where the last page ended; `nil` for the first page.
  ///   - limit: The most users to give, 1 to 100.
  /// - Returns: The page.
  /// - Throws: ``LedgerError``.
  public func reactors(
    of reaction: Reaction, on message: MessageKey, after cursor: PageCursor? = nil,
    limit: Int = 100
  ) throws(LedgerError) -> ReactorPage {
    try read { (snapshot) throws(LedgerError) in
      try snapshot.reactors(of: reaction, on: message, after: cursor, limit: limit)
    }
  }
}
