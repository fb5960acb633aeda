internal import ReactionCodec

/// Sorts keys by their bytes, in the order of the store, without moving them.
package enum KeyOrder {
  private struct Item {
    /// Seven bytes of the key from some depth on, then how many there were: 8 if more follow.
    var word: UInt64
    var number: UInt32
  }

  /// How many bytes of a key are compared at once.
  private static let stepByteCount = 7

  /// The numbers below `count` in the order of their keys, which must differ.
  ///
  /// Memory: 20 bytes for each. Complexity: O(*n* log *n*), and O(*n*) for each seven bytes that many
  /// keys have in common.
  package static func sorted(count: Int, _ word: (_ number: UInt32, _ depth: Int) -> UInt64)
    -> [UInt32]
  {
    var items = (0..<count).map { Item(word: 0, number: UInt32($0)) }
    var pending: [(range: Range<Int>, depth: Int)] = [(0..<count, 0)]
    while let (range, depth) = pending.popLast() {
      for index in range { items[index].word = word(items[index].number, depth) }
      // Sound: nothing keeps the buffer, and the range is within it. An array's own slice would be
      // copied to be sorted.
      unsafe items.withUnsafeMutableBufferPointer { items in
        unsafe items[range].sort { $0.word < $1.word }
      }
      var start = range.lowerBound
      while start < range.upperBound {
        let first = items[start].word
        var end = start + 1
        while end < range.upperBound, items[end].word == first { end += 1 }
        if end - start > 1, first & 0xFF > UInt64(stepByteCount) {
          pending.append((start..<end, depth + stepByteCount))
        }
        start = end
      }
    }
    return items.map(\.number)
  }

  /// What is compared of a key at a depth, which is not beyond its end.
  package static func word(_ key: Span<UInt8>, _ depth: Int) -> UInt64 {
    let rest = key.count &- depth
    if rest > stepByteCount { return key.word(at: depth) & ~0xFF | 8 }
    var word: UInt64 = 0
    for index in depth..<key.count { word = word << 8 | UInt64(key[index]) }
    return word << UInt64(8 &* (8 &- rest)) | UInt64(rest)
  }
}
