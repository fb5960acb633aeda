/// The root of a Merkle tree whose leaves come one at a time, from at most 64 hashes.
///
/// It keeps the hash of one full subtree for each bit of the size that is set; each leaf costs two
/// hashes on average. The first leaf need not be the log's first: a range that a node of the tree
/// covers has that node's hash as its root.
public struct CompactRange: Sendable {
  /// How many leaves were appended.
  public private(set) var size: UInt64
  /// The hashes of the full subtrees from left to right, the largest first.
  public private(set) var subtrees: [Digest]

  /// Makes a range without leaves.
  public init() {
    size = 0
    subtrees = []
  }

  /// Goes on from a stored state.
  ///
  /// - Parameters:
  ///   - size: How many leaves were appended.
  ///   - subtrees: As ``subtrees`` was; `nil` results unless there is one for each bit of `size`.
  public init?(size: UInt64, subtrees: [Digest]) {
    guard size < .max, subtrees.count == size.nonzeroBitCount else { return nil }
    self.size = size
    self.subtrees = subtrees
  }

  /// Appends a leaf.
  ///
  /// - Parameters:
  ///   - leaf: The leaf's hash (``SHA256/leaf(_:)``).
  ///   - sha256: Computes the hashes.
  ///   - completed: Called with each full subtree that the leaf completes, itself first; the places
  ///     count from the first leaf of this range.
  ///
  /// Complexity: O(1) hashes on average, O(log size) at most. The 2⁶⁴th leaf is misuse and traps.
  public mutating func append(
    _ leaf: Digest, using sha256: SHA256, completed: (Subtree, Digest) -> Void = { _, _ in }
  ) {
    precondition(size < .max, "a tree has fewer than 2^64 leaves")
    var node = leaf
    var place = Subtree(level: 0, index: size)
    completed(place, node)
    while place.index & 1 == 1, let left = subtrees.popLast() {
      node = sha256.node(left, node)
      place = Subtree(level: place.level + 1, index: place.index >> 1)
      completed(place, node)
    }
    subtrees.append(node)
    size += 1
  }

  /// The root; of no leaves ``SHA256/emptyRoot``.
  ///
  /// Complexity: O(log size) hashes.
  public func root(using sha256: SHA256) -> Digest {
    Self.root(of: subtrees, using: sha256) ?? SHA256.emptyRoot
  }

  /// The root over subtrees given from left to right; `nil` if there are none.
  static func root(of subtrees: [Digest], using sha256: SHA256) -> Digest? {
    guard var node = subtrees.last else { return nil }
    for left in subtrees.dropLast().reversed() { node = sha256.node(left, node) }
    return node
  }
}
