package import ReactionModel

/// The sequence of the first record of each command that had an id.
///
/// Memory: 24 bytes for each, and 5 to 11 bytes of slots.
package struct CommandTable: Sendable {
  /// A command id, and the sequence of the first record that has it.
  package struct Entry: Sendable {
    package let id: CommandID
    /// The sequence, and in the highest bit whether the entry is marked.
    private var word: UInt64

    init(id: CommandID, first: UInt64) {
      self.id = id
      word = first
    }

    package var first: UInt64 { word & ~Self.mark }
    /// Whether the pair in the store was seen.
    var isMarked: Bool {
      get { word & Self.mark != 0 }
      set { word = first | (newValue ? Self.mark : 0) }
    }

    private static let mark: UInt64 = 1 << 63
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
    if entries.count &* 4 > slots.count &* 3 { grow(to: slots.count &* 2) }
    return nil
  }

  /// The half of an id's hash that says where its slot is.
  func half(_ id: CommandID) -> UInt32 { UInt32(truncatingIfNeeded: hash(id.high, id.low)) }

  /// The index of an id's entry.
  func index(of id: CommandID) -> Int? {
    let found = slots[slot(of: id)]
    return found == 0 ? nil : Int(found &- 1)
  }

  /// Notes that the pair of an entry was seen in the store.
  mutating func mark(_ index: Int) { entries[index].isMarked = true }

  /// Takes the room for so many ids beforehand.
  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
    var slotCount = slots.count
    while count &* 4 > slotCount &* 3 { slotCount &*= 2 }
    if slotCount > slots.count { grow(to: slotCount) }
  }

  /// The bytes in use.
  var byteCount: Int { entries.byteCount &+ slots.byteCount }

  /// Takes room for more ids, so that adding them moves nothing.
  mutating func grow(by count: Int, _ room: inout TableRoom) {
    room.grow(&entries, by: count)
    if let slotCount = room.slotCount(
      for: entries.count &+ count, insteadOf: slots.count, byteCount: 4)
    {
      grow(to: slotCount)
    }
  }

  private func slot(of id: CommandID) -> Int {
    let mask = slots.count &- 1
    var index = Int(half(id)) & mask
    while case let found = slots[index], found != 0, entries[Int(found &- 1)].id != id {
      index = (index &+ 1) & mask
    }
    return index
  }

  private mutating func grow(to slotCount: Int) {
    slots = Array(repeating: 0, count: slotCount)
    for index in entries.indices {
      slots[slot(of: entries[index].id)] = UInt32(truncatingIfNeeded: index &+ 1)
    }
  }
}
