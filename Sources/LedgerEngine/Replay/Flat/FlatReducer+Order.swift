internal import ReactionCodec
internal import ReactionModel

// What a record must be after those before it, whatever it says: sequence, time, command, users.
extension FlatReducer {
  /// Checks a record against the one before it; an event's ids, reaction and parent are those of its
  /// bytes, a notice has none.
  mutating func checkOrder(
    _ step: FlatStep, at sequence: UInt64, _ ids: Span<UInt8>, _ reaction: Span<UInt8>,
    _ parent: Span<UInt8>
  ) {
    checkSequence(sequence)
    if let before = previous?.recordedAt, step.recordedAt < before {
      note(.timeOrder, "a time from \(before) on", "\(step.recordedAt)", sequence)
    }
    if !step.fitsItsOperation {
      note(
        .commandBoundary, "a record that \(step.operation) makes at index \(step.index)",
        "cause \(step.cause), index \(step.index) of \(step.count)", sequence)
    }
    guard let previous, previous.index &+ 1 < previous.count else {
      if step.index != 0 {
        note(.commandBoundary, "the first record of a command", "index \(step.index)", sequence)
      }
      return
    }
    if step.operation != previous.operation || step.index != previous.index &+ 1
      || step.count != previous.count
    {
      var expected = previous.place
      expected.index += 1
      note(.commandBoundary, "\(expected)", "\(step.place)", sequence)
    } else if !step.continues(previous) || !ids.equals(previousTexts.ids.span)
      || !parent.equals(previousTexts.parent.span)
      || (step.operation == .clearReaction && !reaction.equals(previousTexts.reaction.span))
    {
      note(
        .commandBoundary, "a record of the same command as the one before", "one of another",
        sequence)
    }
  }

  mutating func checkSequence(_ sequence: UInt64) {
    guard sequence != head &+ 1 else { return }
    note(.gapless, "sequence \(head + 1)", "sequence \(sequence)", sequence)
  }

  mutating func register(
    _ number: UserNumber, _ commitment: @autoclosure () -> Commitment?, _ sequence: UInt64
  ) {
    if Int(number) <= users.count {
      guard slice.isPrimary else { return }
      if commitment() != nil {
        note(.userOrder, "no commitment to user \(number), known before", "one", sequence)
      }
      if users[Int(number) - 1].isErased {
        note(.erasedIsGone, "no mention of user \(number), who was erased", "one", sequence)
      }
      return
    }
    let commitment = commitment()
    guard Int(number) == users.count + 1, let commitment else {
      guard slice.isPrimary else { return }
      note(
        .userOrder, "user \(users.count + 1) with a commitment as the next new one",
        "user \(number)" + (commitment == nil ? " without one" : ""), sequence)
      return
    }
    users.append(FlatUser())
    if slice.isPrimary { commitments.append(commitment) }
  }

  mutating func register(_ id: CommandID, _ sequence: UInt64) {
    guard slice.isWhole || slice.owns(commands.half(id)) else { return }
    if let first = commands.add(id, at: sequence) {
      note(.commandIDOnce, "command id \(id) only in record \(first)", "again", sequence)
    }
  }

  mutating func erase(_ number: UserNumber, _ sequence: UInt64) {
    guard number > 0, Int(number) <= users.count else { return }
    let liveCount = Int(users[Int(number) - 1].liveCount)
    if !slice.isWhole {
      if liveCount != 0 {
        erasures.append(FlatErasure(sequence: sequence, user: number, liveCount: liveCount))
      }
    } else if let finding = Self.finding(erasing: number, liveCount: liveCount, at: sequence) {
      findings.append(finding)
    }
    users[Int(number) - 1].isErased = true
  }

  /// What is wrong with the erasure of a user who has so many live reactions (E4).
  static func finding(
    erasing number: UserNumber, liveCount: Int, at sequence: UInt64
  ) -> Finding? {
    guard liveCount > 0 else { return nil }
    return finding(
      .erasedIsGone, "no live reaction of user \(number)", "\(liveCount)", sequence)
  }
}

extension FlatStep {
  /// Whether its operation makes such a record, whatever the records before.
  var fitsItsOperation: Bool {
    guard messageHead != nil else { return true }
    switch operation {
    case .add where isAdded: return index &+ 1 == count
    case .add: return cause == .replaced
    case .remove: return count == 1
    case .clearMessage, .clearReaction, .erase, .setPolicy, .create: return true
    }
  }

  /// Whether it agrees with the record before it, which is one of the same command; texts aside.
  func continues(_ previous: FlatStep) -> Bool {
    guard let messageHead, messageHead == previous.messageHead,
      recordedAt == previous.recordedAt, actor == previous.actor,
      clientTime == previous.clientTime
    else { return false }
    switch operation {
    case .add: return previous.user == user
    case .erase: return previous.user == user && previous.cause == cause
    case .remove, .clearMessage, .clearReaction, .setPolicy, .create: return previous.cause == cause
    }
  }
}
