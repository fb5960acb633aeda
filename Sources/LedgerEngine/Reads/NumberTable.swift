internal import ReactionModel

/// A bounded map from the numbers of users.
///
/// Numbers given early are those of busy users, so a table indexed by the low bits of the number
/// serves. It grows with the highest number that was learnt, up to its capacity. Complexity: O(1).
///
/// Its memory begins with a line of the processor's caches, so that a slot of a short name is one line:
/// in an array each lies on two, and a read of many names waits twice as often.
///
/// Sound: `slots` has `slotCount` values from `init` to `deinit`, every place is compared with that
/// before it is used, and there is one owner.
@safe struct NumberTable<Value>: ~Copyable {
  private struct Slot {
    /// 0 in an empty slot: no user has that number.
    var number: UserNumber = 0
    var value: Value?
  }

  private var slots = unsafe Self.memory(for: 0)
  /// How many values there is room for at present.
  private(set) var slotCount = 0
  private let mask: Int

  private static var lineByteCount: Int { 64 }

  /// Makes a table of at most `capacity` values, rounded down to a power of two.
  init(capacity: Int) {
    var count = 1
    while count <= capacity / 2 { count *= 2 }
    mask = count - 1
  }

  deinit {
    unsafe slots.deinitialize(count: slotCount)
    unsafe slots.deallocate()
  }

  private static func memory(for count: Int) -> UnsafeMutablePointer<Slot> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Slot>.stride,
      alignment: max(lineByteCount, MemoryLayout<Slot>.alignment))
    return unsafe memory.bindMemory(to: Slot.self, capacity: count)
  }

  private var span: Span<Slot> {
    @_lifetime(borrow self)
    get {
      let buffer = unsafe UnsafeBufferPointer(start: slots, count: slotCount)
      return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
    }
  }

  /// The most values that it holds.
  var capacity: Int { mask + 1 }

  /// The value of a number, if it is remembered.
  subscript(number: UserNumber) -> Value? {
    let (slots, index) = (span, Int(number) & mask)
    guard index < slots.count, slots[index].number == number else { return nil }
    return slots[index].value
  }

  /// Copies the values of numbers to the same places of a list, from one place on, up to the first
  /// number that is not remembered; returns its place.
  func copy(
    of numbers: [UserNumber], from start: Int, to values: inout [Value]
  ) -> Int {
    let (slots, numbers) = (span, numbers.span)
    var values = values.mutableSpan
    for place in start..<numbers.count {
      let index = Int(numbers[place]) & mask
      guard index < slots.count, slots[index].number == numbers[place],
        let value = slots[index].value
      else { return place }
      values[place] = value
    }
    return numbers.count
  }

  /// Appends the values of numbers to a list, from as many on as there are in it, up to the first
  /// number that is not remembered.
  func append(valuesOf numbers: Span<UserNumber>, to values: inout OutputSpan<Value>) {
    let slots = span
    for place in values.count..<numbers.count {
      let index = Int(numbers[place]) & mask
      guard index < slots.count, slots[index].number == numbers[place],
        let value = slots[index].value
      else { return }
      values.append(value)
    }
  }

  /// Remembers a value, in place of the one that has its slot.
  mutating func learn(_ value: Value, of number: UserNumber) {
    let index = Int(number) & mask
    if index >= slotCount {
      // Every number below the count has a slot of its own, so nothing moves.
      grow(to: min(capacity, max(index + 1, 2 * slotCount)))
    }
    unsafe slots[index] = Slot(number: number, value: value)
  }

  private mutating func grow(to count: Int) {
    let grown = unsafe Self.memory(for: count)
    unsafe grown.moveInitialize(from: slots, count: slotCount)
    unsafe (grown + slotCount).initialize(repeating: Slot(), count: count - slotCount)
    unsafe slots.deallocate()
    unsafe slots = grown
    slotCount = count
  }
}
