/// A bounded map that forgets what was not asked for lately.
///
/// It holds two generations of at most half its capacity each: what is found in the older one moves
/// to the newer, and when that is full the older one is dropped. Complexity: O(1), amortised.
struct TwoGenerationCache<Key: Hashable, Value> {
  private var newer: [Key: Value] = [:]
  private var older: [Key: Value] = [:]
  private let generationCount: Int

  /// Makes a cache of at most `capacity` entries.
  init(capacity: Int) { generationCount = max(1, capacity / 2) }

  /// How many entries there are, those counted twice that are in both generations.
  var count: Int { newer.count + older.count }

  /// The value of a key, if it is remembered.
  mutating func value(for key: Key) -> Value? {
    if let value = newer[key] { return value }
    guard let value = older[key] else { return nil }
    insert(value, for: key)
    return value
  }

  /// Remembers a value.
  mutating func insert(_ value: Value, for key: Key) {
    if newer.count >= generationCount, newer[key] == nil {
      swap(&newer, &older)
      newer.removeAll(keepingCapacity: true)
    }
    newer[key] = value
  }

  /// Forgets everything.
  mutating func removeAll() {
    newer.removeAll(keepingCapacity: true)
    older.removeAll(keepingCapacity: true)
  }
}
