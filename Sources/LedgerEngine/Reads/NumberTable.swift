internal import ReactionModel

/// A bounded map from the numbers of users.
///
/// Numbers given early are those of busy users, so a table indexed by the low bits of the number
/// serves. It grows with the highest number that was learnt, up to its capacity. Complexity: O(1).
struct NumberTable<Value> {
  private struct Slot {
    /// 0 in an empty slot: no user has that number.
    var number: UserNumber = 0
    var value: Value?
  }

  private var slots: [Slot] = []
  private let mask: Int

  /// Makes a table of at most `capacity` values, rounded down to a power of two.
  init(capacity: Int) {
    var count = 1
    while count <= capacity / 2 { count *= 2 }
    mask = count - 1
  }

  /// The most values that it holds.
  var capacity: Int { mask + 1 }

  /// How many values there is room for at present.
  var slotCount: Int { slots.count }

  /// The value of a number, if it is remembered.
  subscript(number: UserNumber) -> Value? {
    let index = Int(number) & mask
    guard index < slots.count, slots[index].number == number else { return nil }
    return slots[index].value
  }

  /// Copies the values of numbers to the same places of a list, from one place on, up to the first
  /// number that is not remembered; returns its place.
  func copy(
    of numbers: [UserNumber], from start: Int, to values: inout [Value]
  ) -> Int {
    let (slots, numbers) = (slots.span, numbers.span)
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
    let slots = slots.span
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
    if index >= slots.count {
      // Every number below the count has a slot of its own, so nothing moves.
      let count = min(capacity, max(index + 1, 2 * slots.count))
      slots.append(contentsOf: repeatElement(Slot(), count: count - slots.count))
    }
    slots[index] = Slot(number: number, value: value)
  }
}
