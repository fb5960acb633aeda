internal import ReactionModel

/// A bounded map from ids to user numbers, in one piece of memory: no reference is counted and nothing
/// allocated by a look-up or an insertion.
///
/// Each id has two places, by its hash; a new one takes the first and moves what was there to the
/// second. Ids of more than 43 bytes are not remembered. Complexity: O(bytes of the id).
struct UserNumberCache {
  /// Places of 48 bytes each: the number, 0 in an empty one, the id's length, the id.
  private var bytes: [UInt8]
  private let placeCount: Int
  private let seed: UInt64
  private var isEmpty = true

  private static let placeByteCount = 48
  private static let idOffset = 5
  private static let longestIDByteCount = placeByteCount - idOffset

  /// Makes a cache of at most `capacity` users, but two at least: 48 bytes for each.
  init(capacity: Int) {
    var count = 2
    while count * 2 <= capacity { count *= 2 }
    placeCount = count
    bytes = [UInt8](repeating: 0, count: count * Self.placeByteCount)
    seed = UInt64.random(in: 0...UInt64.max)
  }

  /// The number of an id, if it is remembered.
  func number(of id: Span<UInt8>) -> UserNumber? {
    let first = place(of: id)
    return number(at: first, id) ?? number(at: first ^ 1, id)
  }

  /// Remembers the number of an id.
  mutating func insert(_ number: UserNumber, for id: Span<UInt8>) {
    guard id.count <= Self.longestIDByteCount else { return }
    isEmpty = false
    let first = place(of: id)
    let (start, other) = (first * Self.placeByteCount, (first ^ 1) * Self.placeByteCount)
    for index in 0..<Self.placeByteCount { bytes[other + index] = bytes[start + index] }
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * (3 - index)))
    }
    bytes[start + 4] = UInt8(id.count)
    for index in id.indices { bytes[start + Self.idOffset + index] = id[index] }
  }

  /// Forgets everything.
  mutating func removeAll() {
    guard !isEmpty else { return }
    for index in bytes.indices { bytes[index] = 0 }
    isEmpty = true
  }

  private func number(at place: Int, _ id: Span<UInt8>) -> UserNumber? {
    let start = place * Self.placeByteCount
    guard Int(bytes[start + 4]) == id.count else { return nil }
    for index in id.indices where bytes[start + Self.idOffset + index] != id[index] { return nil }
    var number: UserNumber = 0
    for index in 0..<4 { number = number << 8 | UserNumber(bytes[start + index]) }
    return number == 0 ? nil : number
  }

  /// FNV-1a over the bytes, from a random start, and folded.
  private func place(of id: Span<UInt8>) -> Int {
    var hash = seed
    for index in id.indices { hash = (hash ^ UInt64(id[index])) &* 0x0000_0100_0000_01b3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 29) >> 3) & (placeCount - 1)
  }
}
