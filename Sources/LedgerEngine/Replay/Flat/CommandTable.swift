package import ReactionModel

/// The sequence of the first record of each command that had an id.
///
/// Memory: 24 bytes for each, and 5 to 11 bytes of slots.
package struct CommandTable: Sendable {
  /// A command id, and the sequence of the first record that has it.
  package struct Entry: Sendable {
    package let id: CommandID
    package let first: UInt64
  }

  /// The commands in order of their records.
  package private(set) var entries: [Entry] = []
  /// Open addressing: the index plus one, 0 where nothing is.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private let hash: KeyHash

  init(_ hash: KeyHash) { self.hash = hash }

  /// Adds a command id, or gives the sequence that it has already.
  mutating func add(_ id: CommandID, at sequence: UInt64) -> UInt64? {
    let index = slot(of: id)
    if slots[index] != 0 { return entries[Int(slots[index] &- 1)].first }
    entries.append(Entry(id: id, first: sequence))
    slots[index] = UInt32(entries.count)
    if entries.count &* 4 > slots.count &* 3 { grow() }
    return nil
  }

  private func slot(of id: CommandID) -> Int {
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: hash(id.high, id.low)) & mask
    while case let found = slots[index], found != 0, entries[Int(found &- 1)].id != id {
      index = (index &+ 1) & mask
    }
    return index
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count &* 2)
    for index in entries.indices {
      slots[slot(of: entries[index].id)] = UInt32(truncatingIfNeeded: index &+ 1)
    }
  }
}
