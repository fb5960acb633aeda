internal import ReactionModel

/// A bounded map from ids to user numbers, in one piece of memory: no reference is counted and nothing
/// allocated by a look-up or an insertion.
///
/// Each id has two places, by its hash; a new one takes the first and moves what was there to the
/// second. Ids of more than 40 bytes are not remembered. Complexity: O(bytes of the id).
struct UserNumberCache {
  /// Places of six words each: the number and the id's length, 0 in an empty one, then the id.
  private var words: [UInt64]
  private let placeCount: Int
  private let seed: UInt64
  private var isEmpty = true

  private static let placeWordCount = 6
  private static let longestIDByteCount = (placeWordCount - 1) * 8

  /// An id as words, the last one filled up with zeros.
  private struct Key {
    var words = InlineArray<5, UInt64>(repeating: 0)
    let byteCount: Int

    var wordCount: Int { (byteCount + 7) / 8 }

    /// `nil` if the id is too long to be remembered.
    init?(_ id: Span<UInt8>) {
      guard id.count <= longestIDByteCount else { return nil }
      byteCount = id.count
      let wholeCount = byteCount / 8
      for index in 0..<wholeCount {
        // Sound: any eight bytes are an integer; whether they are inside is checked.
        words[index] = unsafe id.bytes.unsafeLoadUnaligned(
          fromByteOffset: index * 8, as: UInt64.self)
      }
      for index in wholeCount * 8..<byteCount {
        words[wholeCount] = words[wholeCount] << 8 | UInt64(id[index])
      }
    }
  }

  /// Makes a cache of at most `capacity` users, but two at least: 48 bytes for each.
  init(capacity: Int) {
    var count = 2
    while count * 2 <= capacity { count *= 2 }
    placeCount = count
    words = [UInt64](repeating: 0, count: count * Self.placeWordCount)
    seed = UInt64.random(in: 0...UInt64.max)
  }

  /// The number of an id, if it is remembered.
  func number(of id: Span<UInt8>) -> UserNumber? {
    guard let key = Key(id) else { return nil }
    let first = place(of: key)
    return number(at: first, key) ?? number(at: first ^ 1, key)
  }

  /// Brings the place of an id into the processor's caches: calls that follow each other do not wait for
  /// the memory one after the other, as look-ups with work in between do.
  ///
  /// - Returns: What is in the place, so that the read is not left out.
  func touch(_ id: Span<UInt8>) -> UInt64 {
    Key(id).map { words[place(of: $0) * Self.placeWordCount] } ?? 0
  }

  /// Remembers the number of an id.
  mutating func insert(_ number: UserNumber, for id: Span<UInt8>) {
    guard let key = Key(id) else { return }
    isEmpty = false
    let first = place(of: key)
    let (start, other) = (first * Self.placeWordCount, (first ^ 1) * Self.placeWordCount)
    for index in 0..<Self.placeWordCount { words[other + index] = words[start + index] }
    words[start] = UInt64(number) << 32 | UInt64(key.byteCount)
    for index in key.words.indices { words[start + 1 + index] = key.words[index] }
  }

  /// Forgets everything.
  mutating func removeAll() {
    guard !isEmpty else { return }
    for index in words.indices { words[index] = 0 }
    isEmpty = true
  }

  private func number(at place: Int, _ key: Key) -> UserNumber? {
    let start = place * Self.placeWordCount
    let head = words[start]
    guard head & 0xffff_ffff == UInt64(key.byteCount) else { return nil }
    for index in 0..<key.wordCount where words[start + 1 + index] != key.words[index] { return nil }
    let number = UserNumber(head >> 32)
    return number == 0 ? nil : number
  }

  /// Multiplies the words in, from a random start, and folds.
  private func place(of key: Key) -> Int {
    var hash = seed ^ UInt64(key.byteCount)
    for index in 0..<key.wordCount {
      hash = (hash ^ key.words[index]) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
    }
    return Int(truncatingIfNeeded: hash) & (placeCount - 1)
  }
}
