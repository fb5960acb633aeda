/// A reaction that a user has on a message, packed into 64 bits.
package struct LiveKey: Hashable, Sendable {
  /// 32 bits of message, 18 of user, 6 of reaction, and 1 added: never 0.
  package let bits: UInt64

  /// Packs a reaction.
  ///
  /// - Parameters:
  ///   - message: The message's index.
  ///   - user: The user's index, below 2¹⁸; traps otherwise.
  ///   - reaction: The reaction's index, below 64; traps otherwise.
  package init(message: UInt32, user: UInt32, reaction: UInt8) {
    precondition(user < 1 << 18 && reaction < 1 << 6, "the index does not fit its bits")
    bits = (UInt64(message) << 24 | UInt64(user) << 6 | UInt64(reaction)) + 1
  }
}

/// The set of the reactions that are live: a hash table with linear probing, without tombstones.
///
/// Memory: 16 to 32 bytes for each of the most members that it had; it never shrinks. Growing
/// moves all members once, so that a single insertion is O(*n*) and each one O(1) on average.
package struct LiveSet: Sendable {
  /// 0 where no member is.
  ///
  /// Its count is a power of two, and at most half of it is taken.
  private var slots: [UInt64]
  /// How many members there are.
  package private(set) var count = 0

  /// Makes an empty set.
  package init() { slots = Array(repeating: 0, count: 1024) }

  /// Whether the key is a member.
  ///
  /// Complexity: O(1) on average.
  package func contains(_ key: LiveKey) -> Bool { slots[slot(of: key.bits)] != 0 }

  /// Makes the key a member; `false` if it was one.
  ///
  /// Complexity: O(1) on average.
  package mutating func insert(_ key: LiveKey) -> Bool {
    let index = slot(of: key.bits)
    guard slots[index] == 0 else { return false }
    slots[index] = key.bits
    count += 1
    if count * 2 > slots.count { grow() }
    return true
  }

  /// Takes a member out; `false` if the key is none.
  ///
  /// Complexity: O(1) on average.
  package mutating func remove(_ key: LiveKey) -> Bool {
    var hole = slot(of: key.bits)
    guard slots[hole] != 0 else { return false }
    // Later members of the run move back over the hole, unless that were before their home.
    var index = next(hole)
    while slots[index] != 0 {
      if distance(from: home(of: slots[index]), to: index) >= distance(from: hole, to: index) {
        slots[hole] = slots[index]
        hole = index
      }
      index = next(index)
    }
    slots[hole] = 0
    count -= 1
    return true
  }

  private var mask: Int { slots.count - 1 }

  private func next(_ index: Int) -> Int { (index + 1) & mask }

  private func distance(from start: Int, to end: Int) -> Int { (end - start) & mask }

  private func home(of bits: UInt64) -> Int {
    Int(truncatingIfNeeded: WorkloadRandom.mix(bits)) & mask
  }

  /// Where the member is, or the empty slot where it would be put.
  ///
  /// Half of the slots are empty.
  private func slot(of bits: UInt64) -> Int {
    var index = home(of: bits)
    while slots[index] != 0, slots[index] != bits { index = next(index) }
    return index
  }

  private mutating func grow() {
    let members = slots
    slots = Array(repeating: 0, count: members.count * 2)
    for bits in members where bits != 0 { slots[slot(of: bits)] = bits }
  }
}
