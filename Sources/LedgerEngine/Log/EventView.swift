internal import ReactionCodec
public import ReactionModel

/// An event where it stands in the log: nothing of it is copied.
///
/// It lives inside the closure that ``Snapshot/scanLog(after:limit:notice:event:)`` gives it to.
/// Texts are UTF-8. Its users are numbers, which ``Snapshot/appendUserID(of:to:)`` resolves.
public struct EventView: ~Escapable {
  /// Where it stands in the log.
  public let sequence: UInt64
  private let record: RecordView

  @inline(__always)
  @_lifetime(copy record)
  init(_ sequence: UInt64, _ record: consuming RecordView) {
    self.sequence = sequence
    self.record = record
  }

  /// Whether the reaction came; else it went.
  public var isAdded: Bool { record.isAdded }
  /// The sequence of the add that a removal ends, 0 of an add.
  public var ends: UInt64 { record.ends }
  /// The sequence of the last event on the same message, 0 for its first.
  public var previous: UInt64 { record.previous }
  /// When it was recorded.
  public var recordedAt: Timestamp { record.recordedAt }
  /// When the caller says it was done.
  public var clientTime: Timestamp? { record.clientTime }
  /// Why.
  public var cause: Cause { record.cause }
  /// Where it stands in its command.
  public var place: Record.Place {
    Record.Place(record.operation, index: record.index, count: record.count)
  }
  /// The command's id; only on the record of index 0.
  public var commandID: CommandID? { record.commandID }
  /// Whose reaction it is.
  public var user: UserNumber { record.user }
  /// Who asked for it, if not the user.
  public var actor: UserNumber? { record.actor == 0 ? nil : record.actor }
  /// What sort of conversation the message is in.
  public var conversationKind: Conversation.Kind { record.conversationKind }
  /// The conversation's id.
  public var conversation: Span<UInt8> {
    @_lifetime(copy self)
    get { record.conversation }
  }
  /// The message's id inside its conversation.
  public var message: Span<UInt8> {
    @_lifetime(copy self)
    get { record.message }
  }
  /// The message's parent in its thread; empty if there is none.
  public var parent: Span<UInt8> {
    @_lifetime(copy self)
    get { record.parent }
  }
  /// The reaction in canonical form.
  public var reaction: Span<UInt8> {
    @_lifetime(copy self)
    get { record.reaction }
  }
  /// The record's seal; not checked.
  public var seal: UInt64 { record.seal }
}
