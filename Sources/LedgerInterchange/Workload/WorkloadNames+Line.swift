import ReactionModel

extension WorkloadNames {
  /// Appends an event as a line of text: six fields with tabs between them, and a line feed.
  ///
  /// The fields are: operation (`add`, `remove`), microseconds since 1970, conversation (as
  /// `group:ID`), message, user, reaction. None holds a tab or a line feed. At most 128 bytes.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - message: The message that the event's index stands for.
  ///   - bytes: What the line is appended to.
  public func appendLine(
    for event: WorkloadEvent, on message: WorkloadMessage, to bytes: inout [UInt8]
  ) {
    let tab = UInt8(ascii: "\t")
    bytes.append(contentsOf: event.kind == .add ? "add\t".utf8 : "remove\t".utf8)
    // The workload starts in 2025: no time is negative.
    Self.appendDecimal(UInt64(event.time.microseconds), to: &bytes)
    bytes.append(contentsOf: "\tgroup:".utf8)
    Self.appendConversationID(message.conversation, to: &bytes)
    bytes.append(tab)
    appendMessageID(message, to: &bytes)
    bytes.append(tab)
    Self.appendUserID(event.user, to: &bytes)
    bytes.append(tab)
    bytes.append(contentsOf: reactionText(event.reaction).utf8)
    bytes.append(UInt8(ascii: "\n"))
  }
}
