internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// The messages of a conversation that have ever had a reaction, in the order of their ids' bytes.
  ///
  /// Complexity: O(log *n* + limit).
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - last: The last message that is not wanted; `nil` for the first ones.
  ///   - limit: The most messages to give, at least 1.
  ///   - isLiveOnly: Whether only messages are wanted that have a reaction now; the others are
  ///     passed over, which costs a step each.
  /// - Returns: The messages, fewer than `limit` only at the conversation's end.
  /// - Throws: ``LedgerError``.
  public func messages(
    in conversation: Conversation, after last: MessageID? = nil, limit: Int = 1_000,
    onlyWithReactions isLiveOnly: Bool = false
  ) throws(LedgerError) -> [MessageKey] {
    guard limit >= 1 else { throw .invalidLimit(limit, allowed: 1...Int.max) }
    let prefix = Keys.conversation(conversation)
    let start = prefix + (last.map { Array($0.text.utf8) } ?? [])
    var found: [MessageKey] = []
    var cursor = try reads.scan(slot.messages)
    do {
      guard let row = try cursor.move(to: start.span) else { return [] }
      guard Self.hasPrefix(row.key, prefix) else { return [] }
      let isLast = last != nil && UTF8Bytes.areEqual(row.key, start.span)
      if !isLast, !isLiveOnly || row.value.count > RowFormat.headerByteCount {
        found.append(try Self.message(row.key))
      }
    }
    while found.count < limit, let row = try cursor.step(), Self.hasPrefix(row.key, prefix) {
      if !isLiveOnly || row.value.count > RowFormat.headerByteCount {
        found.append(try Self.message(row.key))
      }
    }
    return found
  }

  private static func message(_ key: Span<UInt8>) throws(LedgerError) -> MessageKey {
    try decoding(.messageRow, "messages, a key") { () throws(CodecError) in
      try Keys.message(key)
    }
  }

  private static func hasPrefix(_ key: Span<UInt8>, _ prefix: [UInt8]) -> Bool {
    key.count >= prefix.count
      && UTF8Bytes.areEqual(key.extracting(0..<prefix.count), prefix.span)
  }
}
