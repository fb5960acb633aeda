/// Values by index, made when an index is first asked for and kept, densely, in that order.
///
/// Memory: 4 bytes up to the highest index possible, and one value for each index used.
struct FirstUseTable<Value: Sendable>: Sendable {
  /// 1 + the place among the values; 0 where there is none yet.
  private var places: [UInt32]
  private(set) var values: [Value] = []

  /// Makes a table without values for the indices below a count.
  init(count: Int) { places = Array(repeating: 0, count: count) }

  /// The value of an index, or `nil` if none was made.
  ///
  /// Complexity: O(1); traps if the index is too high.
  subscript(index: UInt32) -> Value? {
    let place = places[Int(index)]
    return place == 0 ? nil : values[Int(place) - 1]
  }

  /// The value of an index, made now if there is none.
  ///
  /// Complexity: O(1); traps if the index is too high.
  mutating func value(at index: UInt32, make: () -> Value) -> Value {
    if let value = self[index] { return value }
    let value = make()
    values.append(value)
    places[Int(index)] = UInt32(values.count)
    return value
  }
}
