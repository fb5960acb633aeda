import LedgerEngine
import LedgerHash
import LedgerInterchange
import LedgerProofs
import LedgerTestSupport
import ReactionModel
import Testing

/// The file of a reaction's proof.
@Suite("The form of a reaction's proof") struct ReactionProofFormTests {
  /// A proof of a ledger, and the key that it holds by.
  private struct Sample {
    let proof: ReactionProof
    let key: VerifierKey

    /// Proves record 3, alice's, asked for by a bot whom record 2 mentions first.
    init(erasing user: UserID? = nil) throws {
      let folder = try TemporaryFolder()
      let ledger = try Ledger.create(at: folder.file("L"))
      defer { ledger.close() }
      let message = try MessageKey(.group("g1"), "m1")
      _ = try ledger.append(.add("👍", to: message, by: "bob", actor: "bot"))
      _ = try ledger.append(.add("🎉", to: message, by: "alice", actor: "bot"))
      if let user { _ = try ledger.append(.erase(user)) }
      let signer = try SignerKey(name: KeyName("example.com/r"), seed: Array(1...32))
      let head = try ledger.treeHead()
      let note = try Checkpoint(origin: signer.verifier.name, head: head).signed(by: signer)
      let evidence = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.evidence(of: 3, size: head.size)
      }
      proof = ReactionProof(
        proofs: ([evidence.record] + evidence.introductions).map {
          InclusionProof(
            index: $0.sequence - 1, hashes: $0.path, checkpoint: note, extra: $0.entry)
        }, users: evidence.users)
      key = signer.verifier
    }

    var bytes: [UInt8] {
      var writer = JSONWriter()
      writer.document(of: proof)
      return writer.bytes
    }
  }

  private func read(_ bytes: [UInt8]) throws -> ReactionProof {
    try ReactionProof(json: try JSONParser.parse(bytes))
  }

  @Test("What is written is read again, before and after an erasure")
  func roundTrip() throws {
    let sample = try Sample()
    #expect(try read(sample.bytes) == sample.proof)
    let proven = try sample.proof.verify(by: sample.key)
    #expect(proven.entry.user == "alice" && proven.entry.actor == "bot")
    #expect(sample.proof.proofs.map(\.index) == [2, 1])
    let text = String(decoding: sample.bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"format":"reaction-ledger/proof@v1","proofs":["c2sp.org/tlog-"#))
    #expect(text.hasSuffix(#","id":"bot"}]}"# + "\n"))

    let erased = try Sample(erasing: "alice")
    #expect(try read(erased.bytes) == erased.proof)
    let rest = try erased.proof.verify(by: erased.key)
    #expect(rest.entry.user == nil && rest.entry.actor == "bot" && rest.entry.sequence == 3)
  }

  @Test("Every byte changed, left out or repeated: refused, or the very same is proved")
  func mutations() throws {
    let sample = try Sample()
    let (bytes, key) = (sample.bytes, sample.key)
    let proven = try sample.proof.verify(by: key)
    var numbers = SeededGenerator(seed: 3)
    for place in bytes.indices {
      var flipped = bytes
      flipped[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &numbers)
      var replaced = bytes
      replaced[place] = UInt8.random(in: 0x20..<0x7f, using: &numbers)
      let without = Array(bytes[..<place] + bytes[(place + 1)...])
      let twice = Array(bytes[...place] + bytes[place...])
      for mutation in [flipped, replaced, without, twice] {
        guard let proof = try? read(mutation) else { continue }
        guard let result = try? proof.verify(by: key) else { continue }
        #expect(result == proven, "byte \(place)")
      }
    }
  }

  @Test("What is no proof") func refused() throws {
    let text = String(decoding: try Sample().bytes, as: UTF8.self)
    for (from, to) in [
      ("proof@v1\",", "proof@v2\","), ("\"format\"", "\"formats\""), ("\"users\":", "\"user\":"),
      ("}]}", "}],\"more\":1}"), ("\"number\":", "\"extra\":1,\"number\":"),
      ("\"id\":\"bot\"", "\"name\":\"bot\""), (",\"id\":\"bot\"", ""),
      ("\"id\":\"bot\"", "\"id\":\"\""),
      ("\"salt\":\"", "\"salt\":\"0"), ("\"number\":3", "\"number\":0"),
      ("\"proofs\":[", "\"proofs\":[1,"), ("\"proofs\":[", "\"proofs\":[\"\","),
      ("\"users\":[", "\"users\":[{},"), ("\"users\":[", "\"users\":[1,"),
    ] {
      let changed = text.replacing(from, with: to)
      #expect(changed != text, "\(from)")
      #expect(throws: FormError.self, "\(to)") { try read(Array(changed.utf8)) }
    }
    #expect(throws: FormError.self) { try read(Array("[]".utf8)) }
  }
}
