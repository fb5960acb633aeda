internal import ReactionCodec

// How large the tables are, and how large they may get.
extension FlatReducer {
  /// The bytes in use.
  var byteCount: Int {
    messages.byteCount &+ reactions.byteCount &+ blocks.byteCount &+ reactors.byteCount
      &+ members.byteCount &+ commands.byteCount &+ fixedByteCount
  }

  /// The bytes in use that no narrower slice would save.
  var fixedByteCount: Int { users.byteCount &+ commitments.byteCount &+ erasures.byteCount }

  /// Takes the room that the records of a window may need, so that applying them moves no table.
  ///
  /// - Parameters:
  ///   - window: The records.
  ///   - limit: The most bytes that the tables may have.
  /// - Returns: What is in use and was for a moment; if the limit was exceeded, the records must not
  ///   be applied.
  package mutating func makeRoom(for window: borrowing RowWindow, within limit: Int) -> TableRoom {
    let count = window.count
    var room = TableRoom(byteCount, limit: limit)
    messages.grow(by: count, keyByteCount: window.byteCount, &room)
    reactions.grow(by: count, keyByteCount: window.byteCount, &room)
    room.grow(&blocks, by: count)
    room.grow(&reactors, by: count)
    members.grow(by: count * (1 + RowFormat.inlineCapacity), reactors, &room)
    commands.grow(by: count, &room)
    room.grow(&users, by: 2 * count)
    if slice.isPrimary { room.grow(&commitments, by: 2 * count) }
    room.grow(&erasures, by: count)
    return room
  }

  /// Takes room beforehand, so that nothing is moved as the tables grow; the counts are but guesses.
  mutating func reserve(_ counts: ReplayCounts, within limit: Int) {
    /// Room that is not used costs address space only, but not all of it should be asked for.
    func count(_ guess: Int, _ byteCount: Int) -> Int { min(guess, 1 << 23, limit / byteCount) }
    messages.reserve(
      count(counts.messageCount, 64), keyByteCount: min(counts.keyByteCount, 1 << 28, limit))
    blocks.reserveCapacity(count(counts.eventCount, MemoryLayout<FlatBlock>.stride))
    reactors.reserveCapacity(count(counts.eventCount, MemoryLayout<FlatReactor>.stride))
    commands.reserve(count(counts.commandCount, 48))
    users.reserveCapacity(count(counts.userCount, MemoryLayout<FlatUser>.stride))
    if slice.isPrimary { commitments.reserveCapacity(count(counts.userCount, 32)) }
  }
}
