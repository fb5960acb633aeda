import Glibc

/// The workload's source of chance: SplitMix64 with the mixing function of MurmurHash3.
///
/// All draws come from one sequence, so their order is part of what makes two workloads of one
/// seed equal. Logarithms and the like come from the C library, whose last bit may differ between
/// processors; a moment is cut to microseconds, so that such a bit hardly ever shows.
package struct WorkloadRandom: Sendable {
  private var state: UInt64

  /// Starts from a seed; every seed is good.
  package init(seed: UInt64) { state = seed }

  /// What the state, and the seed of a random text, is advanced by.
  static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// Spreads a number over all 64 bits, one to one; 0 stays 0.
  package static func mix(_ number: UInt64) -> UInt64 {
    var x = number
    x ^= x >> 33
    x &*= 0xff51_afd7_ed55_8ccd
    x ^= x >> 33
    x &*= 0xc4ce_b9fe_1a85_ec53
    return x ^ x >> 33
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mix(state)
  }

  /// A number from 0 up to, but not including, 1.
  ///
  /// One draw.
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A whole number from 0 up to, but not including, a bound of at most 2⁵³.
  ///
  /// One draw.
  package mutating func index(below bound: Int) -> Int { Int(uniform() * Double(bound)) }

  /// A waiting time of this mean.
  ///
  /// One draw.
  package mutating func exponential(mean: Double) -> Double { -mean * log(1 - uniform()) }

  /// A number of the standard normal distribution.
  ///
  /// Two draws, the radius before the angle.
  package mutating func normal() -> Double {
    let radius = sqrt(-2 * log(1 - uniform()))
    return radius * cos(2 * .pi * uniform())
  }

  /// A positive number whose logarithm is normally distributed.
  ///
  /// Two draws.
  package mutating func logNormal(median: Double, spread: Double) -> Double {
    median * exp(spread * normal())
  }
}
