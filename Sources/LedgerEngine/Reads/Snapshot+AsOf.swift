internal import ReactionCodec
public import ReactionModel

extension Snapshot {
  /// What a message showed at a moment.
  ///
  /// Erased users had no live reaction when they were erased, and their earlier ones are shown
  /// without a name: they count, but are not among the first users. Complexity: one get for each
  /// event on the message; a name that is not remembered one more.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - viewer: The user who asks, for `reactedByMe`.
  ///   - moment: The moment, inclusive; one after the last record is now.
  /// - Returns: What it showed.
  /// - Throws: ``LedgerError``.
  public func summary(
    of message: MessageKey, viewer: UserID? = nil, asOf moment: Moment
  ) throws(LedgerError) -> MessageSummary {
    let number = try number(of: viewer)
    var fold = MessageFold()
    for event in try events(on: message, until: moment) {
      fold.apply(event.change, by: event.user, at: event.sequence)
    }
    let reactions = try fold.live.map { (live) throws(LedgerError) -> ReactionSummary in
      var first: [UserID] = []
      for reactor in live.reactors.prefix(RowFormat.previewCount) {
        if let id = try name(of: reactor.user) { first.append(id) }
      }
      return ReactionSummary(
        reaction: live.reaction, count: live.reactors.count,
        reactedByMe: number.map { number in live.reactors.contains { $0.user == number } } ?? false,
        firstUsers: FirstUsers(first))
    }
    return MessageSummary(
      message: message, reactions: reactions, eventCount: fold.eventCount,
      sequence: fold.lastSequence)
  }

  private struct PastEvent {
    let sequence: UInt64
    let user: UserNumber
    let change: Record.Change
  }

  /// The events on a message that a moment includes, oldest first.
  private func events(
    on message: MessageKey, until moment: Moment
  ) throws(LedgerError) -> [PastEvent] {
    var events: [PastEvent] = []
    try followChain(of: message) { (sequence, record, change) in
      let end = sequence + UInt64(record.place.count - 1 - record.place.index)
      let isIncluded =
        switch moment {
        case .sequence(let last): end <= last
        case .time(let time): record.recordedAt <= time
        }
      if isIncluded {
        events.append(PastEvent(sequence: sequence, user: record.user, change: change))
      }
    }
    return events.reversed()
  }

  /// Follows the events on a message back from its row, the newest first.
  func followChain(
    of message: MessageKey,
    _ take: (UInt64, Record, Record.Change) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    var key: [UInt8] = []
    Keys.message(message, into: &key)
    guard let row = try reads.get(key.span, in: slot.messages) else { return }
    var sequence = try decoding(.messageRow, "messages \(message)") { () throws(CodecError) in
      try RowFormat.lastSequence(row)
    }
    while sequence > 0 {
      let record = try record(sequence)
      guard case .change(let change) = record.content, change.message == message,
        change.previous < sequence
      else {
        throw .damaged(
          Finding(
            .chain, place: "events \(sequence)", expected: "an event on \(message)",
            found: "another record, or a chain that goes forward", sequence: sequence))
      }
      try take(sequence, record, change)
      sequence = change.previous
    }
  }
}
