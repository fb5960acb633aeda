public import ReactionModel

extension Workload {
  /// The command that asks for an event; its client time is the event's time.
  ///
  /// Complexity: O(1), and no id is formatted.
  ///
  /// - Parameters:
  ///   - event: An event of this workload; one of another may trap or get other ids.
  ///   - id: The command's id, if it shall have one.
  /// - Returns: The command, with the ids that this workload keeps.
  public func command(for event: WorkloadEvent, id: CommandID? = nil) -> Command {
    Command(
      event.kind, reactionText(event.reaction), on: messageKey(event.message),
      by: userID(event.user), at: event.time, id: id)
  }

  /// The commands that ask for a range of the events, in their order; traps outside the events.
  public func commands(_ range: Range<Int>) -> [Command] {
    events[range].map { command(for: $0) }
  }

  /// Appends an event as a line of text, as ``WorkloadNames/appendLine(for:on:to:)`` writes it.
  public func appendLine(for event: WorkloadEvent, to bytes: inout [UInt8]) {
    names.appendLine(for: event, on: messages[Int(event.message)], to: &bytes)
  }
}
