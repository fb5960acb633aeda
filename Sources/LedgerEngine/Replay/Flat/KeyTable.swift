internal import ReactionCodec
internal import ReactionModel

/// Numbers keys 0, 1, 2 … as they first come, and keeps a value for each.
///
/// A key is two bytes and a rest of at most 65,533. Memory: the key, the value and eight bytes, and
/// 11 to 21 bytes of slots, for each. At most 2^32 - 1 keys.
struct KeyTable<Value: Sendable>: Sendable {
  private struct Entry {
    /// Where the key is in `bytes`, times 2^16, and its length.
    let place: UInt64
    var value: Value
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// Open addressing: the hash's low half, then the number plus one; 0 where nothing is.
  ///
  /// The half hash says where a slot belongs, so growing looks at no key.
  private var slots: [UInt64]
  private var mask: Int
  private let hash: KeyHash

  init(_ hash: KeyHash) {
    self.hash = hash
    slots = Array(repeating: 0, count: 64)
    mask = 63
  }

  var count: Int { entries.count }

  /// The value of a number.
  subscript(_ number: UInt32) -> Value {
    get { entries[Int(number)].value }
    _modify { yield &entries[Int(number)].value }
  }

  /// The key of a number.
  @_lifetime(borrow self)
  borrowing func key(_ number: UInt32) -> Span<UInt8> {
    let place = entries[Int(number)].place
    let start = Int(place >> 16)
    return bytes.span.extracting(start..<start &+ Int(place & 0xFFFF))
  }

  /// The half of a key's hash that says where its slot is.
  func half(_ head: UInt16, _ tail: Span<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(head, tail))
  }

  /// The number of the first key that can be the one with this half hash; if there is none, the
  /// highest number, which no key has.
  func candidate(_ half: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: slots[Int(half) & mask]) &- 1
  }

  /// Takes the room for so many keys beforehand, if there is no key yet.
  mutating func reserve(_ count: Int, keyByteCount: Int) {
    guard entries.isEmpty else { return }
    entries.reserveCapacity(count)
    bytes.reserveCapacity(keyByteCount)
    var slotCount = slots.count
    while count &* 4 > slotCount &* 3 { slotCount &*= 2 }
    slots = Array(repeating: 0, count: slotCount)
    mask = slotCount &- 1
  }

  /// The bytes in use.
  var byteCount: Int { entries.byteCount &+ bytes.byteCount &+ slots.byteCount }

  /// Takes room for more keys, so that adding them moves nothing.
  mutating func grow(by count: Int, keyByteCount: Int, _ room: inout TableRoom) {
    room.grow(&entries, by: count)
    room.grow(&bytes, by: keyByteCount)
    if let slotCount = room.slotCount(
      for: entries.count &+ count, insteadOf: slots.count, byteCount: 8)
    {
      grow(to: slotCount)
    }
  }

  /// The number of a key that is there.
  func number(_ head: UInt16, _ tail: Span<UInt8>) -> UInt32? {
    let half = half(head, tail)
    let slot = slots[slot(half, head, tail)]
    return slot == 0 ? nil : UInt32(truncatingIfNeeded: slot) &- 1
  }

  /// The number of a key; one that is not there gets the next one, and the value.
  mutating func number(
    _ head: UInt16, _ tail: Span<UInt8>, orAdding value: @autoclosure () -> Value
  ) -> UInt32 {
    number(half(head, tail), head, tail, orAdding: value())
  }

  /// The number of a key whose half hash is known.
  mutating func number(
    _ half: UInt32, _ head: UInt16, _ tail: Span<UInt8>, orAdding value: @autoclosure () -> Value
  ) -> UInt32 {
    let index = slot(half, head, tail)
    if slots[index] != 0 { return UInt32(truncatingIfNeeded: slots[index]) &- 1 }
    let number = UInt32(entries.count)
    entries.append(
      Entry(place: UInt64(bytes.count) << 16 | UInt64(tail.count &+ 2), value: value()))
    bytes.append(UInt8(truncatingIfNeeded: head >> 8))
    bytes.append(UInt8(truncatingIfNeeded: head))
    bytes.append(tail)
    slots[index] = UInt64(half) << 32 | UInt64(number &+ 1)
    if entries.count &* 4 > slots.count &* 3 { grow(to: slots.count &* 2) }
    return number
  }

  /// The slot of a key, or the empty one where it belongs.
  private func slot(_ half: UInt32, _ head: UInt16, _ tail: Span<UInt8>) -> Int {
    var index = Int(half) & mask
    while case let slot = slots[index], slot != 0 {
      if UInt32(truncatingIfNeeded: slot >> 32) == half,
        isKey(UInt32(truncatingIfNeeded: slot) &- 1, head, tail)
      {
        return index
      }
      index = (index &+ 1) & mask
    }
    return index
  }

  private func isKey(_ number: UInt32, _ head: UInt16, _ tail: Span<UInt8>) -> Bool {
    let key = key(number)
    return key.count == tail.count &+ 2
      && key[0] == UInt8(truncatingIfNeeded: head >> 8)
      && key[1] == UInt8(truncatingIfNeeded: head)
      && key.extracting(2..<key.count).equals(tail)
  }

  private mutating func grow(to slotCount: Int) {
    let old = slots
    slots = Array(repeating: 0, count: slotCount)
    mask = slots.count &- 1
    for slot in old where slot != 0 {
      var index = Int(slot >> 32) & mask
      while slots[index] != 0 { index = (index &+ 1) & mask }
      slots[index] = slot
    }
  }
}
