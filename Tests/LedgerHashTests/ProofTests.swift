import LedgerHash
import Testing

@Suite("Merkle proofs: every size up to 300 against the definition (RFC 6962, RFC 9162)")
struct ProofTests {
  static let size = 300
  let sha256 = SHA256()

  /// The hashes of all full subtrees of the leaves, and the root of every size.
  private func grown(_ leaves: [Digest]) -> ([Subtree: Digest], [Digest]) {
    var (subtrees, range): ([Subtree: Digest], CompactRange) = ([:], CompactRange())
    var roots = [range.root(using: sha256)]
    for leaf in leaves {
      range.append(leaf, using: sha256) { place, hash in subtrees[place] = hash }
      roots.append(range.root(using: sha256))
    }
    return (subtrees, roots)
  }

  @Test("Roots and inclusion of every leaf in every size")
  func inclusion() throws {
    let tree = NaiveTree(size: Self.size)
    var memory: [Range<Int>: Digest] = [:]
    let (subtrees, roots) = grown(tree.leaves)
    for size in 0...Self.size {
      #expect(roots[size] == tree.root(0..<size, &memory))
      for index in 0..<size {
        let plan = try #require(ProofPlan(inclusionOf: UInt64(index), size: UInt64(size)))
        let proof = plan.hashes(using: sha256) { subtrees[$0] ?? SHA256.emptyRoot }
        guard proof == tree.path(index, 0..<size, &memory) else {
          Issue.record("another proof of index \(index) in size \(size)")
          continue
        }
        try MerkleProof.verifyInclusion(
          leaf: tree.leaves[index], index: UInt64(index), size: UInt64(size), proof: proof,
          root: roots[size], using: sha256)
      }
    }
  }

  @Test("Consistency of every two sizes")
  func consistency() throws {
    let tree = NaiveTree(size: Self.size)
    var memory: [Range<Int>: Digest] = [:]
    let (subtrees, roots) = grown(tree.leaves)
    for new in 0...Self.size {
      for old in 0...new {
        let plan = try #require(ProofPlan(consistencyFrom: UInt64(old), to: UInt64(new)))
        let proof = plan.hashes(using: sha256) { subtrees[$0] ?? SHA256.emptyRoot }
        guard proof == (old == 0 ? [] : tree.subproof(old, 0..<new, true, &memory)) else {
          Issue.record("another proof from \(old) to \(new)")
          continue
        }
        try MerkleProof.verifyConsistency(
          from: TreeHead(size: UInt64(old), root: roots[old]),
          to: TreeHead(size: UInt64(new), root: roots[new]), proof: proof, using: sha256)
      }
    }
  }

  @Test("One pass over the leaves gives the same hashes", arguments: [1, 2, 7, 8, 64, 100, 129])
  func stream(size: Int) throws {
    let tree = NaiveTree(size: size)
    let (subtrees, _) = grown(tree.leaves)
    for place in 0..<UInt64(size) {
      let plans = [
        ProofPlan(inclusionOf: place, size: UInt64(size)),
        ProofPlan(consistencyFrom: place, to: UInt64(size)),
      ]
      for plan in try plans.map({ try #require($0) }) {
        var stream = ProofStream(plan, using: sha256)
        for leaf in tree.leaves { stream.append(leaf) }
        #expect(stream.hashes == plan.hashes(using: sha256) { subtrees[$0] ?? SHA256.emptyRoot })
      }
    }
  }

  @Test("A range goes on from its state, and refuses one that is none")
  func stored() throws {
    let leaves = NaiveTree(size: 100).leaves
    let (_, roots) = grown(leaves)
    var range = CompactRange()
    for (index, leaf) in leaves.enumerated() {
      range = try #require(CompactRange(size: range.size, subtrees: range.subtrees))
      range.append(leaf, using: sha256)
      #expect(range.root(using: sha256) == roots[index + 1])
    }
    #expect(CompactRange(size: 3, subtrees: [leaves[0]]) == nil)
    #expect(CompactRange(size: .max, subtrees: Array(repeating: leaves[0], count: 64)) == nil)
  }
}
