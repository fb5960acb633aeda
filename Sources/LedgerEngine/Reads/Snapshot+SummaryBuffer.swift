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
    buffer.key.write(message)
    guard let row = try reads.get(buffer.key.span, in: slot.messages) else {
      buffer.appendEmpty()
      return
    }
    do throws(CodecError) {
      try buffer.append(row, viewer)
    } catch {
      throw Self.undecodable(message, error)
    }
    try findMember(viewer, since: 0, in: &buffer)
  }

  /// Fills a buffer with all but the names; the reactions are not checked.
  func fill(
    _ buffer: inout SummaryBuffer, _ messages: [MessageKey], _ viewer: UserNumber?
  ) throws(LedgerError) {
    buffer.clear()
    guard !messages.isEmpty else { return }
    var cursor = try reads.scan(slot.messages)
    let messages = messages.span
    for index in messages.indices {
      buffer.key.write(messages, at: index)
      guard let row = try cursor.get(buffer.key.span) else {
        buffer.appendEmpty()
        continue
      }
      let first = buffer.reactions.count
      do throws(CodecError) {
        try buffer.append(row, viewer)
      } catch {
        throw Self.undecodable(messages[index], error)
      }
      try findMember(viewer, since: first, in: &buffer)
    }
  }

  /// Looks for the viewer among those of the reactions whose users are not all in the row.
  private func findMember(
    _ viewer: UserNumber?, since first: Int, in buffer: inout SummaryBuffer
  ) throws(LedgerError) {
    guard let viewer else { return }
    for index in first..<buffer.reactions.count {
      let item = buffer.reactions[index]
      guard item.isSpilled, !item.reactedByMe else { continue }
      buffer.reactions[index].reactedByMe = try isMember(viewer, opened: item.opened)
    }
  }

  /// Whether a user is among those of a reaction.
  @inline(__always)
  func isAmong(
    _ user: UserNumber?, _ block: RowFormat.Block, in row: Span<UInt8>
  ) throws(LedgerError) -> Bool {
    guard let user else { return false }
    if block.holds(user, in: row) { return true }
    return block.isSpilled ? try isMember(user, opened: block.opened) : false
  }

  /// Whether a user is among those of a reaction that is too popular for its row, which holds only
  /// the first three.
  private func isMember(_ user: UserNumber, opened: UInt64) throws(LedgerError) -> Bool {
    let member = Keys.member(opened: opened, user: user)
    return try reads.get(member.span, in: slot.members) != nil
  }

  static func undecodable(_ message: MessageKey, _ error: CodecError) -> LedgerError {
    .damaged(
      Finding(
        .messageRow, place: "messages \(message)", expected: "bytes of the format",
        found: "\(error)"))
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
      let isViewers = viewer.map { block.holds($0, in: row) } ?? false
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
