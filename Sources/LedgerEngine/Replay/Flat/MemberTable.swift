/// Finds the reactor of a user in a block; used for blocks with too many to look through.
///
/// Memory: 5 to 11 bytes for each.
struct MemberTable: Sendable {
  /// Open addressing: the reactor's index plus one, 0 where nothing is.
  private var slots: [UInt32] = []
  private var count = 0
  private let hash: KeyHash

  init(_ hash: KeyHash) { self.hash = hash }

  /// The index of a user's reactor in a block.
  func index(of user: UInt32, in block: UInt32, _ pool: [FlatReactor]) -> UInt32? {
    guard !slots.isEmpty else { return nil }
    let found = slots[slot(of: user, in: block, pool)]
    return found == 0 ? nil : found &- 1
  }

  /// Adds a reactor that is not there.
  mutating func insert(_ reactor: UInt32, _ pool: [FlatReactor]) {
    if (count &+ 1) &* 4 > slots.count &* 3 { grow(to: max(64, slots.count &* 2), pool) }
    let (user, block) = (pool[Int(reactor)].user, pool[Int(reactor)].block)
    slots[slot(of: user, in: block, pool)] = reactor &+ 1
    count &+= 1
  }

  /// Takes out a reactor that is there.
  mutating func remove(_ reactor: UInt32, _ pool: [FlatReactor]) {
    let mask = slots.count &- 1
    var hole = slot(of: pool[Int(reactor)].user, in: pool[Int(reactor)].block, pool)
    guard slots[hole] != 0 else { return }
    count &-= 1
    // What could not get its place because of the removed one, or of what moves up, moves up.
    var next = (hole &+ 1) & mask
    while slots[next] != 0 {
      let member = pool[Int(slots[next] &- 1)]
      let home = place(of: member.user, in: member.block)
      if (next &- home) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    slots[hole] = 0
  }

  /// The bytes in use.
  var byteCount: Int { slots.byteCount }

  /// Takes room for more reactors, so that adding them moves nothing.
  mutating func grow(by count: Int, _ pool: [FlatReactor], _ room: inout TableRoom) {
    if let slotCount = room.slotCount(
      for: self.count &+ count, insteadOf: slots.count, byteCount: 4)
    {
      grow(to: slotCount, pool)
    }
  }

  private func place(of user: UInt32, in block: UInt32) -> Int {
    Int(truncatingIfNeeded: hash(UInt64(user), UInt64(block))) & (slots.count &- 1)
  }

  private func slot(of user: UInt32, in block: UInt32, _ pool: [FlatReactor]) -> Int {
    let mask = slots.count &- 1
    var index = place(of: user, in: block)
    while case let found = slots[index], found != 0 {
      let member = pool[Int(found &- 1)]
      if member.user == user, member.block == block { break }
      index = (index &+ 1) & mask
    }
    return index
  }

  private mutating func grow(to slotCount: Int, _ pool: [FlatReactor]) {
    let old = slots
    slots = Array(repeating: 0, count: slotCount)
    for found in old where found != 0 {
      let member = pool[Int(found &- 1)]
      slots[slot(of: member.user, in: member.block, pool)] = found
    }
  }
}
