/// Counts the bytes of a reducer's tables, and lets them grow only as far as a limit allows.
///
/// What an array has taken beyond its elements is address space that was never touched, so it counts
/// its elements only; while it moves into larger room, twice. Slots of hash tables count in full.
package struct TableRoom: Sendable {
  /// The most bytes.
  let limit: Int
  /// The bytes in use.
  private(set) var byteCount: Int
  /// The most bytes that were in use at once.
  private(set) var peakByteCount: Int
  /// Whether something needed more than the limit allows.
  private(set) var isExceeded = false

  init(_ byteCount: Int, limit: Int) {
    self.byteCount = byteCount
    self.limit = limit
    peakByteCount = byteCount
    isExceeded = byteCount > limit
  }

  /// Takes bytes for a moment; whether they are there to be had.
  mutating func take(_ count: Int) -> Bool {
    peakByteCount = max(peakByteCount, byteCount + count)
    guard byteCount + count <= limit else {
      isExceeded = true
      return false
    }
    return true
  }

  /// Makes room for `count` more elements.
  @inline(__always)
  mutating func grow<Element>(_ array: inout [Element], by count: Int) {
    if array.count &+ count > array.capacity { move(&array, by: count) }
  }

  @inline(never)
  private mutating func move<Element>(_ array: inout [Element], by count: Int) {
    guard take(array.byteCount) else { return }
    array.reserveCapacity(max(array.count + count, 2 * array.capacity))
  }

  /// Makes open addressing with room for `count` keys of what has `slotCount` slots.
  ///
  /// - Returns: How many slots to have instead, or `nil` to leave it.
  @inline(__always)
  mutating func slotCount(
    for count: Int, insteadOf slotCount: Int, byteCount: Int
  ) -> Int? {
    guard count &* 4 > slotCount &* 3 else { return nil }
    var wanted = max(64, slotCount)
    while count &* 4 > wanted &* 3 { wanted &*= 2 }
    guard take(wanted * byteCount) else { return nil }
    self.byteCount += (wanted - slotCount) * byteCount
    return wanted
  }
}

extension Array {
  /// The bytes of its elements.
  @inline(__always)
  var byteCount: Int { count &* MemoryLayout<Element>.stride }
}
