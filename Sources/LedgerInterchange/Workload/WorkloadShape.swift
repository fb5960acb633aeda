/// The measures of the synthetic workload: how much of everything there is, and how it is spread.
///
/// They follow exports of real chats. They are constants and no settings: figures measured on two
/// machines or two years apart can be compared because the workload is the same.
public enum WorkloadShape {
  /// How many conversations there are; their sizes follow Zipf's law with exponent 0.9.
  public static let conversationCount = 10_000
  /// How many users there are; their activity follows Zipf's law with exponent 1.
  public static let userCount = 200_000
  /// The most distinct reactions that a message has at one time.
  public static let maximumDistinctPerMessage = 20

  /// The time from which the workload counts: 2025-06-15 15:06:40 UTC in microseconds.
  static let startMicroseconds: Int64 = 1_750_000_000_000_000
  /// What the messages' numbers count milliseconds from, at the start of the workload.
  static let startMilliseconds: UInt64 = 330_000_000_000
  /// The bits of a message's number that hold its index.
  static let messageIndexBitCount: UInt64 = 22

  /// The mean time between two messages, in seconds.
  static let messageInterval = 1 / 50.0
  /// The share of the messages that get reactions.
  static let reactedShare = 0.25
  /// The spread of the number of reactions of a message: its logarithm's standard deviation.
  static let reactionCountSpread = 1.12
  /// The most reactions of a message that is not viral and gets no late ones.
  static let maximumReactionCount = 300

  /// The number of reactions that are planned for a viral message.
  static let viralReactionCount = 50_000
  /// The mean time from a viral message to a reaction, in seconds.
  static let viralDelay = 3600.0
  /// After how many events the first message goes viral.
  static let firstViralEvent = 100_000
  /// After how many further events the next one does.
  static let viralEventInterval = 1_000_000

  /// The median time from a message to a reaction in seconds, and its logarithm's deviation.
  static let reactionDelay = (median: 90.0, spread: 1.4)
  /// The median time from an add to its removal in seconds, and its logarithm's deviation.
  static let removalDelay = (median: 30.0, spread: 1.5)
  /// The share of the adds that are taken back.
  static let removedShare = 0.112
  /// The chance, after each planned event, of one more add on any message reacted to before.
  static let lateShare = 0.01
  /// The chance that a further reaction joins one that the message has.
  static let joinShare = 0.8

  /// How often an add is tried with other draws when the user has that reaction there already.
  static let attemptCount = 30
  /// From which try on the user is drawn evenly, not by activity.
  static let evenAttempt = 9
  /// Spreads the most active users over all indices; prime, and no divisor of the user count.
  static let userStride: UInt64 = 7919
}
