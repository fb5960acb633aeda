internal import ReactionCodec

// The tables are larger than the processor's caches, and what one record needs in them hangs
// together as a chain: slot, message, key, block, reactor. Asked for one record after the other,
// memory is waited for at every link; asked for a window of records link by link, the waits overlap.
// Nothing but time depends on it.
extension FlatReducer {
  /// The messages of a window, as the low halves of their hashes.
  struct Hashes {
    fileprivate var halves = InlineArray<16, UInt32>(repeating: 0)
    fileprivate var users = InlineArray<16, UInt32>(repeating: 0)
    fileprivate var count = 0
  }

  /// Brings what the events of a window need of the tables into the caches.
  mutating func touch(events window: borrowing RowWindow) {
    var hashes = Hashes()
    for index in 0..<window.count {
      let record = window.value(index)
      guard let key = RecordView.messageKey(of: record) else { continue }
      let half = messages.half(key.head, record.extracting(key.ids))
      guard slice.owns(half) else { continue }
      hashes.halves[hashes.count] = half
      hashes.users[hashes.count] = key.user
      hashes.count &+= 1
    }
    touch(hashes)
  }

  /// Brings what the rows of a window need of the tables into the caches.
  mutating func touch(rows window: borrowing RowWindow) {
    var hashes = Hashes()
    for index in 0..<window.count {
      let key = window.key(index)
      guard key.count > 2 else { continue }
      let head = UInt16(key[0]) << 8 | UInt16(key[1])
      hashes.halves[hashes.count] = messages.half(head, key.extracting(2..<key.count))
      hashes.count &+= 1
    }
    touch(hashes)
  }

  private mutating func touch(_ hashes: Hashes) {
    var (numbers, blocks, reactors) = (
      InlineArray<16, UInt32>(repeating: Self.none), InlineArray<16, UInt32>(repeating: Self.none),
      InlineArray<16, UInt32>(repeating: Self.none)
    )
    for index in 0..<hashes.count { numbers[index] = messages.candidate(hashes.halves[index]) }
    var sum = 0
    for index in 0..<hashes.count where numbers[index] != Self.none {
      blocks[index] = messages[numbers[index]].firstBlock
      let user = Int(hashes.users[index])
      if user > 0, user <= users.count { sum &+= Int(users[user &- 1].liveCount) }
    }
    for index in 0..<hashes.count where numbers[index] != Self.none {
      let key = messages.key(numbers[index])
      sum &+= Int(key[0]) &+ Int(key[key.count &- 1])
      if blocks[index] != Self.none { reactors[index] = self.blocks[Int(blocks[index])].first }
    }
    // Most lists are shorter; who is at its end stays there, without a branch to be guessed.
    guard !self.reactors.isEmpty else { return }
    for _ in 0..<Self.linkCount {
      for index in 0..<hashes.count {
        let isAtEnd = reactors[index] == Self.none
        let next = self.reactors[isAtEnd ? 0 : Int(reactors[index])].next
        reactors[index] = isAtEnd ? Self.none : next
      }
    }
    for index in 0..<hashes.count { sum &+= Int(reactors[index]) }
    // Kept, so that the reads are not left out.
    touched = sum
  }

  /// How many reactors of a message are asked for.
  private static var linkCount: Int { 4 }
}
