public import ReactionModel

/// One event of the synthetic workload, in numbers; ``WorkloadNames`` turns them into ids and texts.
///
/// It takes 24 bytes of an array.
public struct WorkloadEvent: Hashable, Sendable {
  /// When it happens; from one event to the next time never decreases, but it may stand still.
  public let time: Timestamp
  /// The message's index, 0-based, in order of arrival.
  public let message: UInt32
  /// The user's index, below ``WorkloadShape/userCount``.
  public let user: UInt32
  /// Whether the reaction is added or removed.
  public let kind: Command.Operation
  private let reactionIndex: UInt8

  /// The reaction's index in ``WorkloadShape/reactions``.
  public var reaction: Int { Int(reactionIndex) }

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - kind: Whether the reaction is added or removed.
  ///   - time: When it happens.
  ///   - message: The message's index.
  ///   - user: The user's index.
  ///   - reaction: The reaction's index in ``WorkloadShape/reactions``; traps outside 0 to 255.
  public init(
    _ kind: Command.Operation, at time: Timestamp, message: UInt32, user: UInt32, reaction: Int
  ) {
    self.kind = kind
    self.time = time
    self.message = message
    self.user = user
    self.reactionIndex = UInt8(reaction)
  }
}

/// One message of the synthetic workload, in numbers.
///
/// It takes 16 bytes of an array.
public struct WorkloadMessage: Hashable, Sendable {
  /// A number of 61 bits that grows with the time of arrival: milliseconds, then 22 bits of index.
  ///
  /// Numbers of one workload are unique as long as fewer than 4,194,304 messages share one
  /// millisecond, which at 50 a second they do.
  public let number: UInt64
  /// The conversation's index, below ``WorkloadShape/conversationCount``.
  public let conversation: UInt32

  /// Makes a message.
  public init(number: UInt64, conversation: UInt32) {
    self.number = number
    self.conversation = conversation
  }
}
