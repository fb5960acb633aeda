/// A repeatable source of random numbers (SplitMix64): the same seed gives the same numbers.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 up to a bound, which is not among them.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// True in so many of a hundred cases.
  mutating func happens(_ percentage: Int) -> Bool { below(100) < percentage }

  /// One of some things, which must not be none.
  mutating func pick<T>(_ things: [T]) -> T { things[below(things.count)] }
}
