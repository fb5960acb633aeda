internal import ReactionCodec
internal import ReactionModel

// What a record must be after those before it, whatever it says: sequence, time, command, users.
extension FlatReducer {
  mutating func checkOrder(_ step: FlatStep, at sequence: UInt64, _ parent: Span<UInt8>) {
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
    } else if !step.continues(previous) || !parent.equals(previousParent.span) {
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
    let commitment = commitment()
    if Int(number) <= users.count {
      if commitment != nil {
        note(.userOrder, "no commitment to user \(number), known before", "one", sequence)
      }
      if users[Int(number) - 1].isErased {
        note(.erasedIsGone, "no mention of user \(number), who was erased", "one", sequence)
      }
      return
    }
    guard Int(number) == users.count + 1, let commitment else {
      note(
        .userOrder, "user \(users.count + 1) with a commitment as the next new one",
        "user \(number)" + (commitment == nil ? " without one" : ""), sequence)
      return
    }
    users.append(FlatUser(commitment: commitment))
  }

  mutating func register(_ id: CommandID, _ sequence: UInt64) {
    if let first = commands.add(id, at: sequence) {
      note(.commandIDOnce, "command id \(id) only in record \(first)", "again", sequence)
    }
  }

  mutating func erase(_ number: UserNumber, _ sequence: UInt64) {
    guard number > 0, Int(number) <= users.count else { return }
    let liveCount = users[Int(number) - 1].liveCount
    if liveCount > 0 {
      note(.erasedIsGone, "no live reaction of user \(number)", "\(liveCount)", sequence)
    }
    users[Int(number) - 1].isErased = true
  }
}

extension FlatStep {
  /// Whether its operation makes such a record, whatever the records before.
  var fitsItsOperation: Bool {
    guard message != FlatReducer.none else { return true }
    switch operation {
    case .add where isAdded: return index &+ 1 == count
    case .add: return cause == .replaced
    case .remove: return count == 1
    case .clearMessage, .clearReaction, .erase, .setPolicy, .create: return true
    }
  }

  /// Whether it agrees with the record before it, which is one of the same command; parents aside.
  func continues(_ previous: FlatStep) -> Bool {
    guard message != FlatReducer.none, message == previous.message,
      recordedAt == previous.recordedAt, actor == previous.actor,
      clientTime == previous.clientTime
    else { return false }
    switch operation {
    case .add: return previous.user == user
    case .erase: return previous.user == user && previous.cause == cause
    case .clearReaction: return previous.reaction == reaction && previous.cause == cause
    case .remove, .clearMessage, .setPolicy, .create: return previous.cause == cause
    }
  }
}
