/// The place of a full subtree in a Merkle tree: the leaves `index << level ..< (index + 1) << level`.
///
/// Level 0 is the leaves, and the index counts the subtrees of a level from 0.
public struct Subtree: Hashable, Sendable {
  /// How many levels of nodes are below its root, at most 63.
  public let level: Int
  /// Which subtree of its level it is.
  public let index: UInt64

  /// Makes a place.
  public init(level: Int, index: UInt64) {
    self.level = level
    self.index = index
  }

  /// The full subtrees that `leaves` falls into from left to right, each as large as can be.
  ///
  /// A tree's own ranges (all leaves, or those of one node) give at most 64, the largest first.
  ///
  /// - Parameter leaves: Indices of leaves; an empty range gives nothing.
  /// - Returns: Places whose leaves follow each other.
  public static func covering(_ leaves: Range<UInt64>) -> [Subtree] {
    var subtrees: [Subtree] = []
    var start = leaves.lowerBound
    while start < leaves.upperBound {
      let fitting = 63 - (leaves.upperBound - start).leadingZeroBitCount
      let level = min(fitting, start.trailingZeroBitCount)
      subtrees.append(Subtree(level: level, index: start >> UInt64(level)))
      start += 1 << UInt64(level)
    }
    return subtrees
  }
}
