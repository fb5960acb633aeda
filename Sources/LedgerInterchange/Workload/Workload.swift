public import ReactionModel

/// A synthetic workload in memory, with all its ids written out, so that measuring measures no
/// formatting.
///
/// The events are those of a ``WorkloadGenerator``. Indices that no event uses have ids too; they
/// are made when asked for.
///
/// Complexity: making one takes about a microsecond for each event. Memory: some 145 bytes for
/// each event while it is made, 130 of which stay.
public struct Workload: Sendable {
  /// The events in order of time.
  public let events: [WorkloadEvent]
  /// The messages in order of arrival, with and without events.
  public let messages: [WorkloadMessage]
  /// What all chance was derived from.
  public let seed: UInt64
  /// How numbers become ids.
  public let names: WorkloadNames

  private var conversations: FirstUseTable<Conversation>
  private var keys: FirstUseTable<MessageKey>
  private var users: FirstUseTable<UserID>

  /// Makes a workload.
  ///
  /// - Parameters:
  ///   - eventCount: How many events it has; 0 or more, traps otherwise.
  ///   - seed: What all chance is derived from.
  ///   - messageIDs: What the ids of messages look like.
  public init(
    eventCount: Int, seed: UInt64 = 42, messageIDs: WorkloadNames.MessageIDs = .timeOrdered
  ) {
    var generator = WorkloadGenerator(events: eventCount, seed: seed)
    var events: [WorkloadEvent] = []
    events.reserveCapacity(eventCount)
    while let event = generator.next() { events.append(event) }
    self.events = events
    messages = generator.messages
    self.seed = seed
    names = WorkloadNames(messageIDs: messageIDs)
    conversations = FirstUseTable(count: WorkloadShape.conversationCount)
    keys = FirstUseTable(count: messages.count)
    users = FirstUseTable(count: WorkloadShape.userCount)
    makeIDs()
  }

  private mutating func makeIDs() {
    for event in events {
      if users[event.user] == nil {
        _ = users.value(at: event.user) { names.userID(event.user) }
      }
      guard keys[event.message] == nil else { continue }
      let message = messages[Int(event.message)]
      let conversation = conversations.value(at: message.conversation) {
        names.conversation(message.conversation)
      }
      _ = keys.value(at: event.message) { names.messageKey(message, in: conversation) }
    }
  }

  /// The id of a conversation.
  ///
  /// Complexity: O(1).
  public func conversationID(_ index: UInt32) -> ConversationID {
    conversations[index]?.id ?? names.conversationID(index)
  }

  /// The id of a user.
  ///
  /// Complexity: O(1).
  public func userID(_ index: UInt32) -> UserID { users[index] ?? names.userID(index) }

  /// The id of a message.
  ///
  /// Complexity: O(1); traps if there is no such message.
  public func messageID(_ index: UInt32) -> MessageID { messageKey(index).message }

  /// What identifies a message.
  ///
  /// Complexity: O(1); traps if there is no such message.
  public func messageKey(_ index: UInt32) -> MessageKey {
    keys[index] ?? names.messageKey(messages[Int(index)])
  }

  /// The text of a reaction, an index in ``WorkloadShape/reactions``; traps if there is none.
  public func reactionText(_ reaction: Int) -> String { names.reactionText(reaction) }

  /// The keys of the messages that have events, in order of their first one.
  public var messageKeys: [MessageKey] { keys.values }

  /// The ids of the users that have events, in order of their first one.
  public var userIDs: [UserID] { users.values }
}
