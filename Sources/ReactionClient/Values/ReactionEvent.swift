public import ReactionModel

/// Whether a reaction came or went.
public enum ReactionAction: String, Hashable, Sendable, CaseIterable {
  /// It was added.
  case added
  /// It was removed.
  case removed
}

/// A user, with the name that the directory gives.
public struct ReactionUser: Hashable, Sendable {
  /// The user's id.
  public let id: UserID
  /// The name to show, if the directory has one.
  public let displayName: String?

  /// Makes a user.
  public init(id: UserID, displayName: String? = nil) {
    self.id = id
    self.displayName = displayName
  }
}

/// One user's live reaction on one message.
public struct UserReaction: Hashable, Sendable {
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// The message.
  public let messageID: MessageID
  /// Whose it is.
  public let user: ReactionUser
  /// When it was added: data only, the order is that of ``sequence``.
  public let time: Timestamp
  /// The sequence of the add.
  public let sequence: UInt64
}

/// One reaction that came or went: of one shape for both, which of them is told beside it.
public struct ReactionEvent: Hashable, Sendable {
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// Whose it is or was; `nil` once the user is erased.
  public let user: ReactionUser?
  /// On which message.
  public let message: MessageKey
  /// To whom the message was sent.
  public let receiver: Receiver
  /// The message's parent in its thread, if it has one.
  public let parentMessageID: MessageID?
  /// When the reaction was added: data only.
  public let time: Timestamp
  /// The event's sequence in the ledger.
  public let sequence: UInt64
  /// The sequence of the event before it on the same message, 0 if it is the first.
  public let previousSequence: UInt64

  /// The message's id in its conversation.
  public var messageID: MessageID { message.message }
  /// Where the message is.
  public var conversation: Conversation { message.conversation }
  /// What sort of receiver the message has.
  public var receiverType: Conversation.Kind { receiver.type }

  /// Makes an event, for instance one that came over a host's own connection.
  public init(
    reaction: Reaction, user: ReactionUser?, message: MessageKey, receiver: Receiver,
    parentMessageID: MessageID? = nil, time: Timestamp, sequence: UInt64, previousSequence: UInt64
  ) {
    self.reaction = reaction
    self.user = user
    self.message = message
    self.receiver = receiver
    self.parentMessageID = parentMessageID
    self.time = time
    self.sequence = sequence
    self.previousSequence = previousSequence
  }
}

/// Who did what: one step of a change.
public struct ReactionOperation: Hashable, Sendable {
  /// Whose reaction it is or was; `nil` once the user is erased.
  public let user: UserID?
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// Whether it came or went.
  public let action: ReactionAction

  /// Makes an operation.
  public init(user: UserID?, reaction: Reaction, action: ReactionAction) {
    self.user = user
    self.reaction = reaction
    self.action = action
  }
}

/// What one command of somebody else changed on one message.
public struct ReactionChange: Hashable, Sendable {
  /// The message, with its list after the change.
  ///
  /// The list may hold later changes already, which are then told as well: its
  /// ``ReactionMessage/sequence`` says how far it goes.
  public let message: ReactionMessage
  /// Who did what, in order.
  public let operations: [ReactionOperation]
  /// The same operations as events, in order.
  public let events: [ReactionEvent]
  /// Where the feed goes on after it.
  public let position: Position

  /// Where the message is.
  public var conversation: Conversation { message.key.conversation }
  /// The message's id in its conversation.
  public var messageID: MessageID { message.id }
  /// The message's list after the change.
  public var reactions: [ReactionOverview] { message.reactions }
}

/// What a client's own command did.
public struct ReactionReply: Hashable, Sendable {
  /// The reaction that was asked for, in canonical form.
  public let reaction: Reaction
  /// Whether it was to be added or removed.
  public let action: ReactionAction
  /// All that came and went, in order: with single selection what was replaced, too.
  public let operations: [ReactionOperation]
  /// The message, with its list after the command.
  public let message: ReactionMessage

  /// The message's id in its conversation.
  public var messageID: MessageID { message.id }
  /// The message's list after the command.
  public var reactions: [ReactionOverview] { message.reactions }
}

/// The users who have one reaction on a message, page by page.
public struct ReactionDetail: Hashable, Sendable {
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// How many users have it in all.
  public let count: Int
  /// The users of this page, in order of adding.
  public let users: [UserID]
  /// Where the next page begins; `nil` after the last one.
  public let cursor: String?
}
