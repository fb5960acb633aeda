/// Why a Merkle proof proves nothing.
public enum ProofFault: Error, Hashable, Sendable {
  /// The tree has no leaf with this index.
  case indexNotBelowSize(index: UInt64, size: UInt64)
  /// The old tree would be larger than the new one.
  case sizesReversed(oldSize: UInt64, newSize: UInt64)
  /// The proof has this many hashes, fewer than its sizes ask for.
  case tooFewHashes(count: Int)
  /// The proof has this many hashes, more than its sizes ask for.
  case tooManyHashes(count: Int)
  /// The leaf and the proof lead to another root than the tree's.
  case rootDiffers(computed: Digest)
  /// The proof leads to another root than the old tree's.
  case oldRootDiffers(computed: Digest)
  /// The proof leads to another root than the new tree's.
  case newRootDiffers(computed: Digest)
}

extension ProofFault: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .indexNotBelowSize(let index, let size):
      "a tree of \(size) leaves has no leaf with index \(index)"
    case .sizesReversed(let oldSize, let newSize):
      "a tree of \(newSize) leaves cannot extend one of \(oldSize)"
    case .tooFewHashes(let count): "the proof has too few hashes: \(count)"
    case .tooManyHashes(let count): "the proof has too many hashes: \(count)"
    case .rootDiffers(let computed): "the proof leads to another root: \(computed)"
    case .oldRootDiffers(let computed): "the proof leads to another old root: \(computed)"
    case .newRootDiffers(let computed): "the proof leads to another new root: \(computed)"
    }
  }
}
