public import ReactionModel

/// The ids and texts that the numbers of a workload stand for.
///
/// Every id is made anew from its number, in some hundred nanoseconds, and nothing is kept: right
/// for a stream. ``Workload`` keeps them, for measurements.
public struct WorkloadNames: Hashable, Sendable {
  /// What the ids of messages look like, which decides where their rows fall in a store.
  public enum MessageIDs: String, Sendable, CaseIterable {
    /// 19 decimal digits in order of time.
    case timeOrdered
    /// 26 characters of base 32 in no order.
    case random
  }

  /// What the ids of messages look like.
  public let messageIDs: MessageIDs

  /// Chooses what the ids of messages look like.
  public init(messageIDs: MessageIDs = .timeOrdered) { self.messageIDs = messageIDs }

  /// The id of a conversation: 20 characters of base 32.
  public func conversationID(_ index: UInt32) -> ConversationID {
    Self.identifier { Self.appendConversationID(index, to: &$0) }
  }

  /// The conversation of that index: all are groups.
  public func conversation(_ index: UInt32) -> Conversation { .group(conversationID(index)) }

  /// The id of a user: 20 characters of base 32.
  public func userID(_ index: UInt32) -> UserID {
    Self.identifier { Self.appendUserID(index, to: &$0) }
  }

  /// The id of a message: 19 or 26 characters.
  public func messageID(_ message: WorkloadMessage) -> MessageID {
    Self.identifier { appendMessageID(message, to: &$0) }
  }

  /// What identifies a message: its conversation and its id.
  public func messageKey(_ message: WorkloadMessage) -> MessageKey {
    messageKey(message, in: conversation(message.conversation))
  }

  /// The text of a reaction, an index in ``WorkloadShape/reactions``; traps if there is none.
  public func reactionText(_ reaction: Int) -> String { WorkloadShape.reactions[reaction].text }

  /// The command that asks for an event; its client time is the event's time.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - message: The message that the event's index stands for.
  /// - Returns: The command, its ids made anew.
  public func command(for event: WorkloadEvent, on message: WorkloadMessage) -> Command {
    Command(
      event.kind, reactionText(event.reaction), on: messageKey(message), by: userID(event.user),
      at: event.time)
  }

  func messageKey(_ message: WorkloadMessage, in conversation: Conversation) -> MessageKey {
    do {
      return try MessageKey(conversation, messageID(message))
    } catch {
      preconditionFailure("two ids of at most 26 bytes are too long together: \(error)")
    }
  }

  private static func identifier<Kind>(_ append: (inout [UInt8]) -> Void) -> Identifier<Kind> {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(longestIDByteCount)
    append(&bytes)
    do {
      return try Identifier(String(decoding: bytes, as: UTF8.self))
    } catch {
      preconditionFailure("1 to 26 characters are no id: \(error)")
    }
  }
}
