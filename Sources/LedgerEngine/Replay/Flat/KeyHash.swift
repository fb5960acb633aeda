internal import ReactionCodec

/// Hashes keys under three secret numbers, so that nobody can choose ids that collide.
///
/// Products of 128 bits, folded: four nanoseconds for a key.
package struct KeyHash: Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64

  /// Draws the secret numbers.
  package init() {
    var generator = SystemRandomNumberGenerator()
    (first, second, third) = (generator.next(), generator.next(), generator.next())
  }

  private init(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
    (self.first, self.second, self.third) = (first, second, third)
  }

  /// A hash that is the same everywhere and always, for checks against mistakes.
  ///
  /// Anybody can make keys that collide under it. Its numbers are the first bits of pi.
  static let known = KeyHash(
    0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0)

  /// The hash of a key: two bytes, then the rest.
  func callAsFunction(_ head: UInt16, _ tail: Span<UInt8>) -> UInt64 {
    let count = tail.count
    var state = first ^ (UInt64(head) << 32 | UInt64(truncatingIfNeeded: count))
    var offset = 0
    while count &- offset > 16 {
      state = Self.fold(tail.word(at: offset) ^ second, tail.word(at: offset &+ 8) ^ state)
      offset &+= 16
    }
    // The last 16 bytes or fewer; they overlap what came before.
    var (a, b): (UInt64, UInt64) = (0, 0)
    if count >= 16 {
      (a, b) = (tail.word(at: count &- 16), tail.word(at: count &- 8))
    } else if count >= 8 {
      (a, b) = (tail.word(at: 0), tail.word(at: count &- 8))
    } else {
      for index in tail.indices { a = a << 8 | UInt64(tail[index]) }
    }
    return self(a, b ^ state)
  }

  /// The hash of two numbers.
  func callAsFunction(_ a: UInt64, _ b: UInt64) -> UInt64 {
    Self.fold(Self.fold(a ^ second, b ^ first) ^ third, second)
  }

  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
