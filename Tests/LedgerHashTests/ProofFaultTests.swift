import LedgerHash
import Testing

@Suite("Merkle proofs: what is refused, and why")
struct ProofFaultTests {
  let sha256 = SHA256()
  let tree = NaiveTree(size: 40)

  private func root(_ size: Int) -> Digest {
    var memory: [Range<Int>: Digest] = [:]
    return tree.root(0..<size, &memory)
  }

  private func head(_ size: Int) -> TreeHead { TreeHead(size: UInt64(size), root: root(size)) }

  private func proof(_ plan: ProofPlan?) throws -> [Digest] {
    var stream = ProofStream(try #require(plan), using: sha256)
    for leaf in tree.leaves { stream.append(leaf) }
    return try #require(stream.hashes)
  }

  /// The proofs that differ from a true one in one bit, are one shorter, or one longer.
  private func mutations(_ proof: [Digest]) -> [[Digest]] {
    var mutations = [proof + [sha256.node(root(1), root(1))], Array(proof.dropLast())]
    if proof.isEmpty { mutations.removeLast() }
    for index in proof.indices {
      var mutation = proof
      let words = mutation[index].words
      mutation[index] = Digest((words.0, words.1 ^ 1, words.2, words.3))
      mutations.append(mutation)
    }
    return mutations
  }

  @Test("A changed inclusion proof, leaf, index, size or root")
  func inclusion() throws {
    for size in 1...20 {
      for index in 0..<size {
        let (place, count) = (UInt64(index), UInt64(size))
        let proven = try proof(ProofPlan(inclusionOf: place, size: count))
        let leaf = tree.leaves[index]
        var changed = mutations(proven).map { (leaf, place, $0, root(size)) }
        changed.append((root(2), place, proven, root(size)))
        changed.append((leaf, place, proven, root((size + 1) % 40)))
        if size > 1 { changed.append((leaf, place ^ 1, proven, root(size))) }
        for (leaf, place, proof, root) in changed {
          #expect(throws: ProofFault.self) {
            try MerkleProof.verifyInclusion(
              leaf: leaf, index: place, size: count, proof: proof, root: root, using: sha256)
          }
        }
      }
    }
  }

  @Test("A changed consistency proof or root")
  func consistency() throws {
    for new in 1...20 {
      for old in 0...new {
        let proven = try proof(ProofPlan(consistencyFrom: UInt64(old), to: UInt64(new)))
        var changed = mutations(proven).map { (head(old), head(new), $0) }
        changed.append((TreeHead(size: UInt64(old), root: root((old + 1) % 40)), head(new), proven))
        if old > 0 {
          changed.append((head(old), TreeHead(size: UInt64(new), root: root(new - 1)), proven))
        }
        for (old, new, proof) in changed {
          #expect(throws: ProofFault.self) {
            try MerkleProof.verifyConsistency(from: old, to: new, proof: proof, using: sha256)
          }
        }
      }
    }
  }

  @Test("Each reason")
  func reasons() throws {
    let leaf = tree.leaves[2]
    let path = try proof(ProofPlan(inclusionOf: 2, size: 5))
    func inclusion(_ index: UInt64, _ proof: [Digest], _ root: Digest) throws(ProofFault) {
      try MerkleProof.verifyInclusion(
        leaf: leaf, index: index, size: 5, proof: proof, root: root, using: sha256)
    }
    try inclusion(2, path, root(5))
    #expect(throws: ProofFault.indexNotBelowSize(index: 5, size: 5)) {
      try inclusion(5, path, root(5))
    }
    #expect(throws: ProofFault.tooFewHashes(count: 2)) {
      try inclusion(2, Array(path.prefix(2)), root(5))
    }
    #expect(throws: ProofFault.tooManyHashes(count: 6)) { try inclusion(2, path + path, root(5)) }
    #expect(throws: ProofFault.rootDiffers(computed: root(5))) { try inclusion(2, path, root(6)) }
    func consistency(_ old: TreeHead, _ new: TreeHead, _ proof: [Digest]) throws(ProofFault) {
      try MerkleProof.verifyConsistency(from: old, to: new, proof: proof, using: sha256)
    }
    #expect(throws: ProofFault.sizesReversed(oldSize: 6, newSize: 5)) {
      try consistency(head(6), head(5), [])
    }
    #expect(throws: ProofFault.oldRootDiffers(computed: SHA256.emptyRoot)) {
      try consistency(TreeHead(size: 0, root: leaf), head(5), [])
    }
    #expect(throws: ProofFault.newRootDiffers(computed: leaf)) {
      try consistency(TreeHead(size: 5, root: leaf), head(5), [])
    }
    #expect(throws: ProofFault.tooFewHashes(count: 0)) { try consistency(head(3), head(5), []) }
    #expect(ProofPlan(inclusionOf: 5, size: 5) == nil)
    #expect(ProofPlan(inclusionOf: 0, size: 0) == nil)
    #expect(ProofPlan(consistencyFrom: 6, to: 5) == nil)
  }

  static let largestSizes: [UInt64] = [.max, .max - 1, 1 << 63, 1 << 63 + 1]

  @Test("The largest numbers do not trap", arguments: largestSizes)
  func largest(size: UInt64) throws {
    let leaf = tree.leaves[0]
    for index in [0, 1, size / 2, size - 1, size] {
      let plan = ProofPlan(inclusionOf: index, size: size)
      #expect((plan == nil) == (index == size))
      if let plan {
        let proof = plan.hashes(using: sha256) { _ in leaf }
        _ = try MerkleProof.root(leaf: leaf, index: index, size: size, proof: proof, using: sha256)
      }
      let consistency = try #require(ProofPlan(consistencyFrom: index, to: size))
      let proof = consistency.hashes(using: sha256) { _ in leaf }
      for count in 0...65 {
        let hashes = Array((proof + Array(repeating: leaf, count: 65)).prefix(count))
        _ = try? MerkleProof.verifyConsistency(
          from: TreeHead(size: index, root: leaf), to: TreeHead(size: size, root: leaf),
          proof: hashes, using: sha256)
      }
    }
  }

  @Test("A hash from bytes, and its bytes and digits")
  func digests() throws {
    let bytes = Array(UInt8(0)..<32)
    let made = Digest(bytes.span)
    let digest = try #require(made)
    #expect(digest.bytes == bytes)
    #expect(digest.description.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
    for count in [0, 31, 33] {
      let bytes: [UInt8] = Array(repeating: 0, count: count)
      let none = Digest(bytes.span)
      #expect(none == nil)
    }
  }
}
