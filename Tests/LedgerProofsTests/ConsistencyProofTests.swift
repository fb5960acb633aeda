import LedgerHash
import LedgerProofs
import Testing

@Suite("Proofs of consistency")
struct ConsistencyProofTests {
  private func key() throws -> VerifierKey { try VerifierKey(parsing: Vectors.key) }

  @Test("The file of sizes 4 and 8, byte for byte: after its first line, what a witness is sent")
  func golden() throws {
    let header = """
      reaction-ledger/consistency@v1
      old 4
      a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=


      """
    let proof = try Vectors.consistency(from: 4)
    #expect(String(decoding: proof.bytes, as: UTF8.self) == header + Vectors.checkpoint)
  }

  @Test("From every size, read as it was written", arguments: 0...8)
  func proven(size: Int) throws {
    let proof = try Vectors.consistency(from: size)
    let read = try ConsistencyProof(parsing: proof.bytes)
    #expect(read == proof)
    #expect(try read.verify(old: try Vectors.note(size: size), by: try key()).head.size == 8)
    for other in 0...8 where other != size {
      let old = try Vectors.note(size: other)
      #expect(
        throws: ProofError(.sizeDiffers(found: UInt64(other), expected: UInt64(size)))
      ) {
        try read.verify(old: old, by: try key())
      }
    }
  }

  @Test("Changed in one place, a proof is refused", arguments: [3, 4, 7])
  func mutated(size: Int) throws {
    let (old, key) = (try Vectors.note(size: size), try key())
    for (place, bytes) in mutations(try Vectors.consistency(from: size).bytes) {
      #expect(throws: ProofError.self, "byte \(place)") {
        try ConsistencyProof(parsing: bytes).verify(old: old, by: key)
      }
    }
    for (place, bytes) in mutations(old.bytes) {
      #expect(throws: ProofError.self, "byte \(place)") {
        try Vectors.consistency(from: size).verify(old: SignedNote(parsing: bytes), by: key)
      }
    }
  }

  @Test("Two histories: the older checkpoint of another one is refused")
  func fork() throws {
    let signer = try SignerKey(parsing: Vectors.secret)
    let head = TreeHead(size: 4, root: Vectors.leaf(1))
    let old = try Checkpoint(origin: signer.verifier.name, head: head).signed(by: signer)
    #expect(throws: ProofError.self) {
      try Vectors.consistency(from: 4).verify(old: old, by: signer.verifier)
    }
  }

  @Test("What is wrong, and in which line")
  func faults() throws {
    let text = String(decoding: try Vectors.consistency(from: 3).bytes, as: UTF8.self)
    let faults: [(String, String, String)] = [
      ("@v1", "@v2", "line 1: expected reaction-ledger/consistency@v1"),
      ("old 3", "old 03", "line 2: expected \"old \" and a decimal number without leading zeros"),
      ("old 3", "3", "line 2: expected \"old \" and a decimal number without leading zeros"),
      ("\nAp", "\nA", "line 3: expected standard Base64 with padding"),
      ("\n\nexample.com", "\nexample.com", "line 7: expected standard Base64 with padding"),
    ]
    for (from, to, message) in faults {
      #expect(text.contains(from))
      do {
        _ = try ConsistencyProof(parsing: Array(text.replacing(from, with: to).utf8))
        Issue.record("\(to) was accepted")
      } catch {
        #expect("\(error)" == message)
      }
    }
    let note = text.replacing("\n8\n", with: "\n9\n")
    do {
      _ = try ConsistencyProof(parsing: Array(note.utf8))
        .verify(old: try Vectors.note(size: 3), by: try key())
      Issue.record("a changed checkpoint was accepted")
    } catch {
      // Three lines, four hashes, and the fifth line of the note.
      #expect("\(error)" == "line 12: the signature of example.com/reactions does not fit the text")
    }
  }
}

extension Vectors {
  /// The signed checkpoint of the first entries.
  static func note(size: Int) throws -> SignedNote {
    let signer = try SignerKey(parsing: secret)
    var range = CompactRange()
    for index in 0..<size { range.append(leaf(index), using: SHA256()) }
    let head = TreeHead(size: UInt64(size), root: range.root(using: SHA256()))
    return try Checkpoint(origin: signer.verifier.name, head: head).signed(by: signer)
  }

  /// The proof that the tree of ``entries`` begins with the first of them.
  static func consistency(from size: Int) throws -> ConsistencyProof {
    guard let plan = ProofPlan(consistencyFrom: UInt64(size), to: 8) else {
      throw ProofError(.expected("a size up to 8"))
    }
    var stream = ProofStream(plan, using: SHA256())
    for index in entries.indices { stream.append(leaf(index)) }
    return ConsistencyProof(
      oldSize: UInt64(size), hashes: stream.hashes ?? [],
      checkpoint: try SignedNote(parsing: Array(checkpoint.utf8)))
  }
}
