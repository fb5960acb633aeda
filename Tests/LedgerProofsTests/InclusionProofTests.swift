import LedgerHash
import LedgerProofs
import Testing

@Suite("Offline proofs (C2SP tlog-proof)")
struct InclusionProofTests {
  private func key() throws -> VerifierKey { try VerifierKey(parsing: Vectors.key) }

  @Test("The file of index 5, byte for byte")
  func golden() throws {
    let header = """
      c2sp.org/tlog-proof@v1
      extra aGVsbG8=
      index 5
      vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=
      yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=
      037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=


      """
    let proof = try Vectors.proof(of: 5, extra: Array("hello".utf8))
    #expect(String(decoding: proof.bytes, as: UTF8.self) == header + Vectors.checkpoint)
  }

  @Test("Every index is proven, and read as it was written", arguments: Vectors.entries.indices)
  func proven(index: Int) throws {
    for extra in [nil, [], [1, 2, 3, 4]] as [[UInt8]?] {
      let proof = try Vectors.proof(of: index, extra: extra)
      let read = try InclusionProof(parsing: proof.bytes)
      #expect(read == proof)
      let checkpoint = try read.verify(leaf: Vectors.leaf(index), by: try key())
      #expect(checkpoint.head.size == 8)
    }
  }

  @Test("Changed in one place, a proof is refused", arguments: [0, 5])
  func mutated(index: Int) throws {
    let (leaf, key) = (Vectors.leaf(index), try key())
    for (place, bytes) in mutations(try Vectors.proof(of: index).bytes) {
      #expect(throws: ProofError.self, "byte \(place)") {
        try InclusionProof(parsing: bytes).verify(leaf: leaf, by: key)
      }
    }
  }

  @Test("Cut short, a proof is refused")
  func cut() throws {
    let bytes = try Vectors.proof(of: 3).bytes
    for count in bytes.indices {
      #expect(throws: ProofError.self) { try InclusionProof(parsing: Array(bytes[..<count])) }
    }
  }

  @Test("Another leaf, index or key")
  func others() throws {
    let proof = try Vectors.proof(of: 5)
    for index in Vectors.entries.indices where index != 5 {
      #expect(throws: ProofError.self) {
        try proof.verify(leaf: Vectors.leaf(index), by: try key())
      }
    }
    let moved = InclusionProof(index: 8, hashes: proof.hashes, checkpoint: proof.checkpoint)
    #expect(throws: ProofError(.notProven(.indexNotBelowSize(index: 8, size: 8)))) {
      try moved.verify(leaf: Vectors.leaf(5), by: try key())
    }
    #expect(throws: ProofError(.noTrustedSignature)) {
      try proof.verify(leaf: Vectors.leaf(5), by: try VerifierKey(parsing: Vectors.goKey))
    }
  }

  @Test("Each reason and its line")
  func reasons() throws {
    let version = "c2sp.org/tlog-proof@v1"
    let hash = CheckpointTests.root
    let index = ProofError.Reason.expected("\"index \" and a decimal number without leading zeros")
    let many = String(repeating: hash + "\n", count: 65)
    let table: [(String, ProofError)] = [
      ("", ProofError(.expected(version), line: 1)),
      ("\(version)0\n", ProofError(.expected(version), line: 1)),
      (version, ProofError(.noFinalNewline, line: 1)),
      ("\(version)\n", ProofError(index, line: 2)),
      ("\(version)\nindex 01\n", ProofError(index, line: 2)),
      ("\(version)\nindex\n", ProofError(index, line: 2)),
      ("\(version)\nextra A\n", ProofError(.invalidBase64, line: 2)),
      ("\(version)\nextra AA==\nextra AA==\n", ProofError(index, line: 3)),
      ("\(version)\nindex 5\nextra AA==\n", ProofError(.invalidBase64, line: 3)),
      ("\(version)\nindex 5\nAAAA\n", ProofError(.byteCount(found: 3, expected: 32), line: 3)),
      ("\(version)\nindex 5\n\(hash)\n", ProofError(.expected("a hash or a blank line"), line: 4)),
      ("\(version)\nindex 5\n\(many)\n", ProofError(.tooManyHashes, line: 67)),
      ("\(version)\nindex 5\n\n", ProofError(.noFinalNewline, line: 4)),
      ("\(version)\nindex 5\n\na\n\n— k A\n", ProofError(.invalidBase64, line: 6)),
    ]
    for (text, error) in table {
      #expect(throws: error) { try InclusionProof(parsing: Array(text.utf8)) }
    }
    #expect(throws: ProofError(.tooManyBytes(count: 1_000_001))) {
      try InclusionProof(parsing: Array(repeating: 0x61, count: 1_000_001))
    }
  }

  @Test("A wrong signature is reported with its line in the file")
  func lines() throws {
    let text = Vectors.checkpoint.replacing("\n8\n", with: "\n9\n")
    let proof = InclusionProof(
      index: 0, hashes: [Vectors.leaf(1)], checkpoint: try SignedNote(parsing: Array(text.utf8)),
      extra: [])
    #expect(throws: ProofError(.wrongSignature(keyName: "example.com/reactions"), line: 10)) {
      try proof.verify(leaf: Vectors.leaf(0), by: try key())
    }
  }
}
