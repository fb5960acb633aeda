internal import ReactionCodec
internal import ReactionModel

// How an event changes the blocks of its message.
extension FlatReducer {
  /// Applies an event to its message.
  mutating func change(
    _ record: borrowing RecordView, on number: UInt32, _ reaction: UInt32, _ sequence: UInt64
  ) {
    let (user, isAdded) = (record.user, record.isAdded)
    var message = messages[number]
    if record.previous != message.lastSequence {
      note(
        .chain, "previous \(message.lastSequence)", "previous \(record.previous)", sequence)
    }
    message.eventCount &+= 1
    message.lastSequence = sequence
    // The block of the reaction, and the one before it.
    var (before, block) = (Self.none, message.firstBlock)
    while block != Self.none, blocks[Int(block)].reaction != reaction {
      (before, block) = (block, blocks[Int(block)].next)
    }
    let step = FlatChange(user: user, reaction: reaction)
    if isAdded {
      add(step, to: block, of: &message, sequence)
    } else {
      remove(step, ending: record.ends, from: block, after: before, of: &message, sequence)
    }
    messages[number] = message
  }

  private mutating func add(
    _ step: FlatChange, to found: UInt32, of message: inout FlatMessage, _ sequence: UInt64
  ) {
    guard found == Self.none || reactor(of: step.user, in: found) == Self.none else {
      illegalBalance &+= 1
      let reaction = text(of: step.reaction)
      return note(
        .noDuplicateAdd, "no live \(reaction) of user \(step.user)", "one", sequence)
    }
    let block = found == Self.none ? open(step.reaction, on: &message, sequence) : found
    let last = blocks[Int(block)].last
    let reactor = place(
      FlatReactor(
        sequence: sequence, user: step.user, block: block, previous: last, next: Self.none))
    if last == Self.none {
      blocks[Int(block)].first = reactor
    } else {
      reactors[Int(last)].next = reactor
    }
    blocks[Int(block)].last = reactor
    blocks[Int(block)].count &+= 1
    if blocks[Int(block)].isSpilled {
      members.insert(reactor, reactors)
    } else if blocks[Int(block)].count > RowFormat.inlineCapacity {
      spill(block)
    }
    liveCount &+= 1
    if step.user <= users.count { users[Int(step.user) - 1].liveCount &+= 1 }
  }

  private mutating func remove(
    _ step: FlatChange, ending ends: UInt64, from block: UInt32, after before: UInt32,
    of message: inout FlatMessage, _ sequence: UInt64
  ) {
    let found = block == Self.none ? Self.none : reactor(of: step.user, in: block)
    guard found != Self.none, reactors[Int(found)].sequence == ends else {
      illegalBalance &-= 1
      let reaction = text(of: step.reaction)
      return note(
        .removeEndsLiveAdd, "a live add \(ends) of \(reaction) by user \(step.user)", "none",
        sequence)
    }
    if blocks[Int(block)].isSpilled { members.remove(found, reactors) }
    let (previous, next) = (reactors[Int(found)].previous, reactors[Int(found)].next)
    if previous == Self.none {
      blocks[Int(block)].first = next
    } else {
      reactors[Int(previous)].next = next
    }
    if next == Self.none {
      blocks[Int(block)].last = previous
    } else {
      reactors[Int(next)].previous = previous
    }
    reactors[Int(found)].block = Self.none
    reactors[Int(found)].next = freeReactor
    freeReactor = found
    blocks[Int(block)].count &-= 1
    if blocks[Int(block)].count == 0 { close(block, after: before, of: &message) }
    liveCount &-= 1
    if step.user <= users.count { users[Int(step.user) - 1].liveCount &-= 1 }
  }

  /// The reactor of a user in a block.
  private func reactor(of user: UInt32, in block: UInt32) -> UInt32 {
    if blocks[Int(block)].isSpilled {
      return members.index(of: user, in: block, reactors) ?? Self.none
    }
    var reactor = blocks[Int(block)].first
    while reactor != Self.none, reactors[Int(reactor)].user != user {
      reactor = reactors[Int(reactor)].next
    }
    return reactor
  }

  private mutating func open(
    _ reaction: UInt32, on message: inout FlatMessage, _ sequence: UInt64
  ) -> UInt32 {
    let fresh = FlatBlock(
      opened: sequence, reaction: reaction, count: 0, first: Self.none, last: Self.none,
      next: Self.none, isSpilled: false)
    let block: UInt32
    if freeBlock == Self.none {
      block = UInt32(blocks.count)
      blocks.append(fresh)
    } else {
      block = freeBlock
      freeBlock = blocks[Int(block)].next
      blocks[Int(block)] = fresh
    }
    if message.lastBlock == Self.none {
      message.firstBlock = block
    } else {
      blocks[Int(message.lastBlock)].next = block
    }
    message.lastBlock = block
    return block
  }

  private mutating func close(
    _ block: UInt32, after before: UInt32, of message: inout FlatMessage
  ) {
    let next = blocks[Int(block)].next
    if before == Self.none {
      message.firstBlock = next
    } else {
      blocks[Int(before)].next = next
    }
    if message.lastBlock == block { message.lastBlock = before }
    blocks[Int(block)].isSpilled = false
    blocks[Int(block)].next = freeBlock
    freeBlock = block
  }

  private mutating func place(_ reactor: FlatReactor) -> UInt32 {
    guard freeReactor != Self.none else {
      reactors.append(reactor)
      return UInt32(reactors.count &- 1)
    }
    let index = freeReactor
    freeReactor = reactors[Int(index)].next
    reactors[Int(index)] = reactor
    return index
  }

  /// Puts all reactors of a block into the table of members.
  private mutating func spill(_ block: UInt32) {
    blocks[Int(block)].isSpilled = true
    var reactor = blocks[Int(block)].first
    while reactor != Self.none {
      members.insert(reactor, reactors)
      reactor = reactors[Int(reactor)].next
    }
  }
}

/// Whose reaction an event is about, and which.
struct FlatChange: Sendable {
  let user: UserNumber
  let reaction: UInt32
}
