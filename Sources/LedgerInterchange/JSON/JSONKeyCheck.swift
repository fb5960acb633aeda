internal import ReactionModel

/// Finds the first key of an object that an earlier one has too.
///
/// Complexity: O(*k* log *k*) in the keys; of a few keys that differ in length or ends, O(*k*).
struct JSONKeyCheck {
  /// The node of the first key.
  private let first: Int
  private var count = 0
  /// A bit for each length and ends that a key had.
  private var seen: UInt64 = 0
  private var duplicate: Int?

  /// Up to so many keys are compared with each other, more are sorted.
  private static let comparedCount = 16

  init(first: Int) { self.first = first }

  /// Takes in the next key, a node of the scanner.
  @inline(__always)
  mutating func take(_ key: Int, _ scanner: JSONScanner, _ bytes: Span<UInt8>) {
    let node = scanner.nodes[key]
    let bit = Self.bit(node, scanner, bytes)
    if seen & bit != 0, count < Self.comparedCount, duplicate == nil {
      search(key, scanner, bytes)
    }
    seen |= bit
    count += 1
  }

  /// Throws if a key was there twice; the object is complete.
  @inline(__always)
  func finish(_ scanner: JSONScanner, _ bytes: Span<UInt8>) throws(JSONError) {
    let found =
      duplicate ?? (count > Self.comparedCount ? duplicateAmongMany(scanner, bytes) : nil)
    guard let found else { return }
    let node = scanner.nodes[found]
    let key = scanner.withText(of: node, bytes) { String(copying: $0) }
    throw JSONError(.duplicateKey(key), at: Int(node.offset))
  }

  @inline(__always)
  private static func bit(
    _ node: JSONNode, _ scanner: JSONScanner, _ bytes: Span<UInt8>
  ) -> UInt64 {
    guard node.start < node.end else { return 1 }
    let (start, end) = (Int(node.start), Int(node.end))
    let isDecoded = node.kind == .decodedString
    let first = isDecoded ? scanner.decoded[start] : bytes[start]
    let last = isDecoded ? scanner.decoded[end &- 1] : bytes[end &- 1]
    return 1 &<< UInt64((end &- start &+ Int(first) &* 5 &+ Int(last) &* 3) & 63)
  }

  private mutating func search(_ key: Int, _ scanner: JSONScanner, _ bytes: Span<UInt8>) {
    var earlier = first
    while earlier < key {
      if scanner.areEqual(earlier, key, bytes) {
        duplicate = key
        return
      }
      earlier = Int(scanner.nodes[earlier + 1].next)
    }
  }

  private func duplicateAmongMany(_ scanner: JSONScanner, _ bytes: Span<UInt8>) -> Int? {
    var keys: [Int] = []
    keys.reserveCapacity(count)
    var next = first
    for _ in 0..<count {
      keys.append(next)
      next = Int(scanner.nodes[next + 1].next)
    }
    // Sorted rather than hashed: keys can be chosen so that they all have one hash.
    keys.sort { a, b in
      if scanner.precedes(a, b, bytes) { return true }
      return a < b && scanner.areEqual(a, b, bytes)
    }
    var least: Int?
    for (a, b) in zip(keys, keys.dropFirst()) where scanner.areEqual(a, b, bytes) {
      least = min(least ?? b, b)
    }
    return least
  }
}

extension JSONScanner {
  /// Runs `body` with the text of a string.
  func withText<R>(of node: JSONNode, _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> R) -> R {
    node.kind == .decodedString
      ? body(decoded.span.extracting(node.range)) : body(bytes.extracting(node.range))
  }

  fileprivate func areEqual(_ a: Int, _ b: Int, _ bytes: Span<UInt8>) -> Bool {
    compare(a, b, bytes) { UTF8Bytes.areEqual($0, $1) }
  }

  fileprivate func precedes(_ a: Int, _ b: Int, _ bytes: Span<UInt8>) -> Bool {
    compare(a, b, bytes) { UTF8Bytes.precedes($0, $1) }
  }

  private func compare(
    _ a: Int, _ b: Int, _ bytes: Span<UInt8>, _ body: (Span<UInt8>, Span<UInt8>) -> Bool
  ) -> Bool {
    withText(of: nodes[a], bytes) { first in
      withText(of: nodes[b], bytes) { second in body(first, second) }
    }
  }
}
