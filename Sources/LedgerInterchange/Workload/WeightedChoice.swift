/// A choice among indices, each as likely as its weight says.
///
/// Memory: 8 bytes for each index, and 16 KiB. Copies share it.
package struct WeightedChoice: Sendable {
  /// The weights added up, each with all before it; never decreasing.
  private let sums: [Double]
  /// Where to search: a number from *k* / 4096 up to (*k* + 1) / 4096 leads to an index from
  /// `guide[k]` to `guide[k + 1]`.
  private let guide: [UInt32]

  /// A power of two: so the fractions are exact, and because rounding keeps order, no search would
  /// end outside of its range.
  private static let guideCount = 4096

  /// Makes a choice among as many indices as there are weights.
  ///
  /// Complexity: O(*n*) in the weights.
  ///
  /// - Parameter weights: At least one, none negative, and a sum above 0; traps otherwise.
  package init(weights: some Sequence<Double>) {
    var total = 0.0
    let sums = weights.map { weight in
      precondition(weight >= 0, "a weight is negative")
      total += weight
      return total
    }
    precondition(total > 0, "no weight is above 0")
    var index = 0
    guide = (0...Self.guideCount).map { part in
      let target = Double(part) / Double(Self.guideCount) * total
      while index < sums.count - 1, sums[index] <= target { index += 1 }
      return UInt32(index)
    }
    self.sums = sums
  }

  /// How many indices there are to choose from.
  package var count: Int { sums.count }

  /// Chooses an index.
  ///
  /// One draw; O(log *n*) in the indices, and some five steps among the users.
  package func choose(using random: inout WorkloadRandom) -> Int {
    index(at: random.uniform())
  }

  /// The first index whose share and those before it add up to more than a fraction of the sum.
  ///
  /// - Parameter fraction: From 0 up to, but not including, 1; traps otherwise.
  /// - Returns: The index; the last if rounding leaves none.
  package func index(at fraction: Double) -> Int {
    let part = Int(fraction * Double(Self.guideCount))
    var (low, high) = (Int(guide[part]), Int(guide[part + 1]))
    let target = fraction * sums[sums.count - 1]
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > target { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
