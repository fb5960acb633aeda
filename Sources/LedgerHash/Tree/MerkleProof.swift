/// Verification of Merkle proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
///
/// Any input gives an answer: nothing traps, and the work is one or two hashes for each of a proof's.
public enum MerkleProof {
  /// The root that a leaf and its inclusion proof lead to, by RFC 9162, section 2.1.3.2.
  ///
  /// - Parameters:
  ///   - leaf: The leaf's hash.
  ///   - index: Which leaf it is, counted from 0.
  ///   - size: How many leaves the tree has.
  ///   - proof: The hashes, the leaf's sibling first.
  ///   - sha256: Computes the hashes.
  /// - Returns: The root, for the caller to compare.
  /// - Throws: ``ProofFault`` if index, size and number of hashes do not fit each other.
  public static func root(
    leaf: Digest, index: UInt64, size: UInt64, proof: [Digest], using sha256: SHA256
  ) throws(ProofFault) -> Digest {
    guard index < size else { throw .indexNotBelowSize(index: index, size: size) }
    var (position, last) = (index, size - 1)
    var root = leaf
    for hash in proof {
      guard last > 0 else { throw .tooManyHashes(count: proof.count) }
      if position & 1 == 1 || position == last {
        root = sha256.node(hash, root)
        skipLoneLevels(&position, &last)
      } else {
        root = sha256.node(root, hash)
      }
      (position, last) = (position >> 1, last >> 1)
    }
    guard last == 0 else { throw .tooFewHashes(count: proof.count) }
    return root
  }

  /// Checks that a tree has a leaf.
  ///
  /// - Parameters:
  ///   - leaf: The leaf's hash.
  ///   - index: Which leaf it is, counted from 0.
  ///   - size: How many leaves the tree has.
  ///   - proof: The hashes, the leaf's sibling first.
  ///   - root: The tree's root.
  ///   - sha256: Computes the hashes.
  /// - Throws: ``ProofFault`` if it is not proven.
  public static func verifyInclusion(
    leaf: Digest, index: UInt64, size: UInt64, proof: [Digest], root: Digest, using sha256: SHA256
  ) throws(ProofFault) {
    let computed = try Self.root(
      leaf: leaf, index: index, size: size, proof: proof, using: sha256)
    guard computed == root else { throw .rootDiffers(computed: computed) }
  }

  /// Checks that a tree begins with all leaves of an older one.
  ///
  /// Every tree extends the empty one, whose root must be ``SHA256/emptyRoot``; from it, and between
  /// equal sizes, the proof must be empty.
  ///
  /// - Parameters:
  ///   - old: Size and root of the older tree.
  ///   - new: Size and root of the newer tree.
  ///   - proof: The hashes in the order of RFC 6962, section 2.1.2.
  ///   - sha256: Computes the hashes.
  /// - Throws: ``ProofFault`` if it is not proven.
  public static func verifyConsistency(
    from old: TreeHead, to new: TreeHead, proof: [Digest], using sha256: SHA256
  ) throws(ProofFault) {
    guard old.size <= new.size else {
      throw .sizesReversed(oldSize: old.size, newSize: new.size)
    }
    guard old.size > 0, old.size < new.size else { return try verifyTrivially(old, new, proof) }
    // A full old tree is a node of the new one: its root stands for the proof's first hash.
    let isFull = old.size.nonzeroBitCount == 1
    guard let first = isFull ? old.root : proof.first else { throw .tooFewHashes(count: 0) }
    var (position, last) = (old.size - 1, new.size - 1)
    while position & 1 == 1 { (position, last) = (position >> 1, last >> 1) }
    var (oldRoot, newRoot) = (first, first)
    for hash in isFull ? proof[...] : proof.dropFirst() {
      guard last > 0 else { throw .tooManyHashes(count: proof.count) }
      if position & 1 == 1 || position == last {
        (oldRoot, newRoot) = (sha256.node(hash, oldRoot), sha256.node(hash, newRoot))
        skipLoneLevels(&position, &last)
      } else {
        newRoot = sha256.node(newRoot, hash)
      }
      (position, last) = (position >> 1, last >> 1)
    }
    guard last == 0 else { throw .tooFewHashes(count: proof.count) }
    guard oldRoot == old.root else { throw .oldRootDiffers(computed: oldRoot) }
    guard newRoot == new.root else { throw .newRootDiffers(computed: newRoot) }
  }

  /// From the empty tree, or between trees of one size.
  private static func verifyTrivially(
    _ old: TreeHead, _ new: TreeHead, _ proof: [Digest]
  ) throws(ProofFault) {
    guard proof.isEmpty else { throw .tooManyHashes(count: proof.count) }
    if old.size == 0, old.root != SHA256.emptyRoot {
      throw .oldRootDiffers(computed: SHA256.emptyRoot)
    }
    if old.size == new.size, old.root != new.root { throw .newRootDiffers(computed: old.root) }
  }

  /// A last node without a sibling is its parent: goes up to where it is a right child.
  private static func skipLoneLevels(_ position: inout UInt64, _ last: inout UInt64) {
    while position & 1 == 0, position > 0 { (position, last) = (position >> 1, last >> 1) }
  }
}

/// How many leaves a Merkle tree has, and its root.
public struct TreeHead: Hashable, Sendable {
  /// The number of leaves.
  public let size: UInt64
  /// The root.
  public let root: Digest

  /// Makes a head.
  public init(size: UInt64, root: Digest) {
    self.size = size
    self.root = root
  }
}
