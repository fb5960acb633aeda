/// Makes the events of the synthetic workload one by one, in order of time.
///
/// The same seed gives the same events, and the first *n* of a longer workload are those of one of
/// *n*. The generator is its own iterator: to reach the messages that its events speak of, keep
/// it in a variable and call ``next()``; `for event in generator` works on a copy.
///
/// Guarantees: no user adds a reaction that the user has on that message, or removes one that the
/// user does not have there; no message has more than 20 distinct reactions at a time; time never
/// decreases.
///
/// Complexity: below a microsecond for an event on the average, and some 2 ms to begin. Messages
/// arrive until an event is due, so that a single event may take longer: the one that follows a
/// viral message plans 50,000 reactions. Memory grows with the events, for any message may get a
/// late reaction: 50 to 80 bytes for each event made, and 3 MB besides.
public struct WorkloadGenerator: Sequence, IteratorProtocol, Sendable {
  /// How many events it makes in all.
  public let eventCount: Int
  /// What all chance is derived from.
  public let seed: UInt64
  /// How many events it has made.
  public private(set) var producedCount = 0
  /// The messages that have arrived, with and without reactions; an event's message is an index.
  public internal(set) var messages: [WorkloadMessage] = []

  var random: WorkloadRandom
  var pending = PendingActions()
  var live = LiveSet()
  var tallies = MessageTallies()
  /// The messages that reactions were planned for: those that may get a late one.
  var reacted: [UInt32] = []
  var viralCount = 0
  /// When the next message arrives, in seconds since the start.
  var nextArrival = 0.0
  /// The time of a planned event after which a late reaction has not been drawn yet.
  private var lateDrawTime: Double?

  let users = WeightedChoice(weights: WorkloadShape.userWeights)
  let conversations = WeightedChoice(weights: WorkloadShape.conversationWeights)
  let popularity = WeightedChoice(weights: WorkloadShape.reactionWeights)

  /// Prepares a workload.
  ///
  /// - Parameters:
  ///   - events: How many events to make; 0 or more, traps otherwise. Some three thousand million
  ///     are possible: with more than 2³² messages the generator traps.
  ///   - seed: What all chance is derived from.
  public init(events: Int, seed: UInt64 = 42) {
    precondition(events >= 0, "a workload cannot have a negative number of events")
    eventCount = events
    self.seed = seed
    random = WorkloadRandom(seed: seed)
  }

  /// How many reactions are live after the events made so far.
  public var liveCount: Int { live.count }

  /// How many events are left: exactly as many as ``next()`` will return.
  public var underestimatedCount: Int { eventCount - producedCount }

  /// Makes the next event; `nil` after the last.
  public mutating func next() -> WorkloadEvent? {
    guard producedCount < eventCount else { return nil }
    while true {
      guard let event = step() else { continue }
      producedCount += 1
      return event
    }
  }

  /// Does the next thing, be it an event or not.
  private mutating func step() -> WorkloadEvent? {
    if let time = lateDrawTime {
      lateDrawTime = nil
      guard random.uniform() < WorkloadShape.lateShare else { return nil }
      let message = reacted[random.index(below: reacted.count)]
      return add(to: message, at: time, isViral: false)
    }
    guard let soonest = pending.first, soonest.time < nextArrival, let action = pending.popFirst()
    else {
      receiveMessage(at: nextArrival)
      nextArrival += random.exponential(mean: WorkloadShape.messageInterval)
      return nil
    }
    lateDrawTime = action.time
    switch action.kind {
    case .add: return add(to: action.message, at: action.time, isViral: false)
    case .viralAdd: return add(to: action.message, at: action.time, isViral: true)
    case .remove(let user, let reaction):
      return remove(reaction, of: user, from: action.message, at: action.time)
    }
  }
}
