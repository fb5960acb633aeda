/// Which nodes of a Merkle tree a proof is made of, each as the leaves below it.
///
/// The ranges do not overlap, so that one pass over the log's leaves gives all of a proof's hashes
/// (``ProofStream``); where hashes of full subtrees are stored, ``hashes(using:subtree:)`` takes
/// O(log² size) of them.
public struct ProofPlan: Hashable, Sendable {
  /// The leaves below each node, in the order of the proof; at most 64.
  public let ranges: [Range<UInt64>]

  /// The proof that a tree has a leaf: PATH of RFC 6962, section 2.1.1, the leaf's sibling first.
  ///
  /// - Parameters:
  ///   - index: The leaf, counted from 0; `nil` results unless it is below `size`.
  ///   - size: How many leaves the tree has.
  public init?(inclusionOf index: UInt64, size: UInt64) {
    guard index < size else { return nil }
    var ranges: [Range<UInt64>] = []
    var node = 0..<size
    while node.upperBound - node.lowerBound > 1 {
      let middle = Self.middle(of: node)
      let (left, right) = (node.lowerBound..<middle, middle..<node.upperBound)
      ranges.append(index < middle ? right : left)
      node = index < middle ? left : right
    }
    self.ranges = ranges.reversed()
  }

  /// The proof that a tree begins with all leaves of a smaller one: PROOF of RFC 6962, section 2.1.2.
  ///
  /// Between equal sizes, and from size 0, the proof is empty.
  ///
  /// - Parameters:
  ///   - oldSize: The size of the smaller tree; `nil` results if it is above `newSize`.
  ///   - newSize: The size of the larger tree.
  public init?(consistencyFrom oldSize: UInt64, to newSize: UInt64) {
    guard oldSize <= newSize else { return nil }
    var ranges: [Range<UInt64>] = []
    var node = 0..<newSize
    while oldSize > 0, node.upperBound != oldSize {
      let middle = Self.middle(of: node)
      let (left, right) = (node.lowerBound..<middle, middle..<node.upperBound)
      ranges.append(oldSize <= middle ? right : left)
      node = oldSize <= middle ? left : right
    }
    // The old tree itself, whose root the verifier has, is not sent; a part of it is.
    if oldSize > 0, node.lowerBound > 0 { ranges.append(node) }
    self.ranges = ranges.reversed()
  }

  /// Where a node of two leaves or more is divided: after the largest power of two of leaves that
  /// is below its size.
  private static func middle(of node: Range<UInt64>) -> UInt64 {
    let last = node.upperBound - node.lowerBound - 1
    return node.lowerBound + (1 << UInt64(63 - last.leadingZeroBitCount))
  }

  /// The proof's hashes from hashes of full subtrees.
  ///
  /// - Parameters:
  ///   - sha256: Computes the hashes.
  ///   - subtree: Gives the hash of a full subtree of the log.
  /// - Returns: The hashes in the order of ``ranges``.
  /// - Throws: What `subtree` throws.
  public func hashes<Failure: Error>(
    using sha256: SHA256, subtree: (Subtree) throws(Failure) -> Digest
  ) throws(Failure) -> [Digest] {
    var hashes: [Digest] = []
    for range in ranges {
      var parts: [Digest] = []
      for place in Subtree.covering(range) { parts.append(try subtree(place)) }
      hashes.append(CompactRange.root(of: parts, using: sha256) ?? SHA256.emptyRoot)
    }
    return hashes
  }
}
