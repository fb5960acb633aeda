import ReactionModel

extension WorkloadGenerator {
  /// Lets a message arrive and plans its reactions.
  mutating func receiveMessage(at time: Double) {
    precondition(messages.count <= Int(UInt32.max), "a workload has at most 2³² messages")
    let message = UInt32(messages.count)
    let milliseconds = WorkloadShape.startMilliseconds + UInt64(time * 1e3)
    let bitCount = WorkloadShape.messageIndexBitCount
    messages.append(
      WorkloadMessage(
        number: milliseconds << bitCount | UInt64(message) & (1 << bitCount - 1),
        conversation: UInt32(conversations.choose(using: &random))))
    tallies.appendMessage()

    let (first, interval) = (WorkloadShape.firstViralEvent, WorkloadShape.viralEventInterval)
    if producedCount > first + viralCount * interval {
      viralCount += 1
      planViralReactions(to: message, at: time)
    } else if random.uniform() < WorkloadShape.reactedShare {
      planReactions(to: message, at: time)
    }
  }

  private mutating func planReactions(to message: UInt32, at time: Double) {
    reacted.append(message)
    let drawn = random.logNormal(median: 1, spread: WorkloadShape.reactionCountSpread)
    let count = Swift.min(Int(drawn.rounded(.up)), WorkloadShape.maximumReactionCount)
    let delay = WorkloadShape.reactionDelay
    for _ in 0..<count {
      let due = time + random.logNormal(median: delay.median, spread: delay.spread)
      pending.insert(PendingAction(at: due, message: message, .add))
    }
  }

  private mutating func planViralReactions(to message: UInt32, at time: Double) {
    reacted.append(message)
    for _ in 0..<WorkloadShape.viralReactionCount {
      let due = time + random.exponential(mean: WorkloadShape.viralDelay)
      pending.insert(PendingAction(at: due, message: message, .viralAdd))
    }
  }

  /// Adds a reaction that is not there; `nil` if none was found in 30 tries.
  mutating func add(to message: UInt32, at time: Double, isViral: Bool) -> WorkloadEvent? {
    for attempt in 0..<WorkloadShape.attemptCount {
      let reaction = chooseReaction(on: message)
      let user = chooseUser(evenly: isViral || attempt >= WorkloadShape.evenAttempt)
      guard live.insert(LiveKey(message: message, user: user, reaction: reaction)) else { continue }
      tallies.increment(reaction, of: message)
      if random.uniform() < WorkloadShape.removedShare {
        let delay = WorkloadShape.removalDelay
        let due = time + random.logNormal(median: delay.median, spread: delay.spread)
        pending.insert(
          PendingAction(at: due, message: message, .remove(user: user, reaction: reaction)))
      }
      return event(.add, at: time, message, user, reaction)
    }
    return nil
  }

  /// Removes a reaction; `nil` if it is not there.
  mutating func remove(
    _ reaction: UInt8, of user: UInt32, from message: UInt32, at time: Double
  ) -> WorkloadEvent? {
    guard live.remove(LiveKey(message: message, user: user, reaction: reaction)) else { return nil }
    tallies.decrement(reaction, of: message)
    return event(.remove, at: time, message, user, reaction)
  }

  /// One by popularity, or one that the message has, by its count there.
  ///
  /// The draw by popularity comes first in either case: that is how the workload is defined.
  private mutating func chooseReaction(on message: UInt32) -> UInt8 {
    let popular = UInt8(popularity.choose(using: &random))
    let (distinct, total) = tallies.totals(of: message)
    guard total > 0 else { return popular }
    guard
      random.uniform() < WorkloadShape.joinShare
        || distinct >= WorkloadShape.maximumDistinctPerMessage
    else { return popular }
    return tallies.reaction(at: random.index(below: total), of: message) ?? popular
  }

  private mutating func chooseUser(evenly: Bool) -> UInt32 {
    guard !evenly else { return UInt32(random.index(below: WorkloadShape.userCount)) }
    let rank = UInt64(users.choose(using: &random))
    return UInt32(rank * WorkloadShape.userStride % UInt64(WorkloadShape.userCount))
  }

  private func event(
    _ kind: Command.Operation, at time: Double, _ message: UInt32, _ user: UInt32, _ reaction: UInt8
  ) -> WorkloadEvent {
    let microseconds = WorkloadShape.startMicroseconds + Int64(time * 1e6)
    return WorkloadEvent(
      kind, at: Timestamp(microseconds: microseconds), message: message, user: user,
      reaction: Int(reaction))
  }
}
