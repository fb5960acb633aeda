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
    guard Self.pageLimits.contains(limit) else {
      throw .invalidLimit(limit, allowed: Self.pageLimits)
    }
    var key: [UInt8] = []
    Keys.message(message, into: &key)
    let list = CursorList(messageKey: key, reaction: reaction)
    let bound = try list.sequence(of: .after(cursor))
    let place = "messages \(message)"
    guard let row = try reads.get(key.span, in: slot.messages),
      let block = try Self.blocks(of: reaction, in: row, place).first
    else { return ReactorPage(reaction: reaction, count: 0, users: [], cursor: nil) }
    let found = try reactors(block, in: row, .after(cursor), bound, count: limit + 1)
    let users = try found.prefix(limit).map { (reactor) throws(LedgerError) in
      try reactorName(reactor.user)
    }
    let next = found.count > limit ? list.cursor(at: found[limit - 1].sequence) : nil
    return ReactorPage(reaction: reaction, count: block.count, users: users, cursor: next)
  }
}
