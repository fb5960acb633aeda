internal import LMDB
internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// Reads what a message shows into memory that is used again.
  ///
  /// It tells the same as `summary(of:viewer:)` at less cost: nothing is allocated once
  /// the buffer is large enough, and no `String` is made. If it throws, what the buffer holds is
  /// unspecified. Complexity: as `summary(of:viewer:)`.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - viewer: The user who asks, for `reactedByMe`.
  ///   - buffer: What is filled; what it held is gone.
  /// - Throws: ``LedgerError``.
  public func read(
    summaryOf message: MessageKey, viewer: Viewer? = nil, into buffer: inout SummaryBuffer
  ) throws(LedgerError) {
    try fill(&buffer, message, try number(of: viewer))
    if let damaged = buffer.firstUnreadable { throw Self.unreadable(message, damaged.error) }
    try resolve(&buffer.users)
  }

  /// Reads what several messages show into memory that is used again.
  ///
  /// As ``read(summaryOf:viewer:into:)``. Messages that follow each other in a conversation cost less
  /// than others.
  ///
  /// - Parameters:
  ///   - messages: The messages.
  ///   - viewer: The user who asks, for `reactedByMe`; looked up once.
  ///   - buffer: What is filled, with one entry for each message, in their order; what it held is
  ///     gone.
  /// - Throws: ``LedgerError``.
  public func read(
    summariesOf messages: [MessageKey], viewer: Viewer? = nil, into buffer: inout SummaryBuffer
  ) throws(LedgerError) {
    try fill(&buffer, messages, try number(of: viewer))
    if let damaged = buffer.firstUnreadable {
      throw Self.unreadable(messages[damaged.message], damaged.error)
    }
    try resolve(&buffer.users)
  }

  /// Fills a buffer with all but the names; the reactions are not checked.
  func fill(
    _ buffer: inout SummaryBuffer, _ message: MessageKey, _ viewer: UserNumber?
  ) throws(LedgerError) {
    buffer.clear()
    Keys.message(message, into: &buffer.key)
    guard let row = try reads.get(buffer.key.span, in: slot.messages) else {
      buffer.appendEmpty()
      return
    }
    try append(row, of: message, viewer, to: &buffer)
  }

  /// Fills a buffer with all but the names; the reactions are not checked.
  func fill(
    _ buffer: inout SummaryBuffer, _ messages: [MessageKey], _ viewer: UserNumber?
  ) throws(LedgerError) {
    buffer.clear()
    guard !messages.isEmpty else { return }
    var cursor = try reads.scan(slot.messages)
    for message in messages { try fill(&buffer, message, viewer, at: &cursor) }
  }

  /// Appends what a message shows, found with a cursor of `messages`, without the names.
  func fill(
    _ buffer: inout SummaryBuffer, _ message: MessageKey, _ viewer: UserNumber?,
    at cursor: inout Cursor
  ) throws(LedgerError) {
    Keys.message(message, into: &buffer.key)
    guard let row = try cursor.get(buffer.key.span) else { return buffer.appendEmpty() }
    try append(row, of: message, viewer, to: &buffer)
  }

  private func append(
    _ row: Span<UInt8>, of message: @autoclosure () -> MessageKey, _ viewer: UserNumber?,
    to buffer: inout SummaryBuffer
  ) throws(LedgerError) {
    let first = buffer.reactions.count
    do throws(CodecError) {
      try buffer.append(row, viewer)
    } catch {
      throw .damaged(
        Finding(
          .messageRow, place: "messages \(message())", expected: "bytes of the format",
          found: "\(error)"))
    }
    guard let viewer else { return }
    for index in first..<buffer.reactions.count {
      // Of a reaction that is too popular for its row the row holds only the first three.
      let item = buffer.reactions[index]
      guard item.isSpilled, !item.reactedByMe else { continue }
      let member = Keys.member(opened: item.opened, user: viewer)
      if try reads.get(member.span, in: slot.members) != nil {
        buffer.reactions[index].reactedByMe = true
      }
    }
  }

  static func unreadable(_ message: MessageKey, _ error: InvalidReaction) -> LedgerError {
    .damaged(
      Finding(
        .messageRow, place: "messages \(message)", expected: "a reaction", found: "\(error)"))
  }
}

extension SummaryBuffer {
  mutating func appendEmpty() {
    let end = reactions.count
    messages.append(Message(eventCount: 0, sequence: 0, reactions: end..<end))
  }

  /// Appends what a row says; the names of the users are missing then.
  mutating func append(_ row: Span<UInt8>, _ viewer: UserNumber?) throws(CodecError) {
    let (start, first) = (rows.count, reactions.count)
    let (eventCount, sequence) = (try RowFormat.eventCount(row), try RowFormat.lastSequence(row))
    var offset = RowFormat.headerByteCount
    while let block = try RowFormat.block(at: offset, in: row) {
      let firstUser = users.count
      for index in 0..<min(block.entryCount, RowFormat.previewCount) {
        users.append(RowFormat.user(at: block.entry(index), in: row))
      }
      var isViewers = false
      if let viewer {
        for index in 0..<block.entryCount
        where RowFormat.user(at: block.entry(index), in: row) == viewer { isViewers = true }
      }
      reactions.append(
        Item(
          count: block.count, reactedByMe: isViewers, firstUsers: firstUser..<users.count,
          text: start + block.reaction.lowerBound..<start + block.reaction.upperBound,
          opened: block.opened, isSpilled: block.isSpilled))
      offset = block.end
    }
    rows.append(row)
    messages.append(
      Message(eventCount: eventCount, sequence: sequence, reactions: first..<reactions.count))
  }

  /// The first message that has a reaction which is none, and why.
  var firstUnreadable: (message: Int, error: InvalidReaction)? {
    let bytes = rows.span
    for index in reactions.indices {
      do throws(InvalidReaction) {
        try Reaction.verify(canonical: bytes.extracting(reactions[index].text))
      } catch {
        return (messages.firstIndex { $0.reactions.contains(index) } ?? 0, error)
      }
    }
    return nil
  }
}
