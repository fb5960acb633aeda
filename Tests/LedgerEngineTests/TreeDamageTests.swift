import LedgerEngine
import LedgerHash
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// Damaged bytes give no head and no proof.
@Suite("Damage under the tree") struct TreeDamageTests {
  @Test("Every byte of a stored hash: it is refused by T1, never signed")
  func storedHash() throws {
    let test = try TestLedger.withRecords(300)
    let head = try test.ledger.treeHead()
    let pair = try test.pairs("tree")[0]
    for byte in pair.value.indices {
      var value = pair.value
      value[byte] ^= UInt8(1 << (byte % 8))
      try test.reopen { try RawLedger.put(value, for: pair.key, in: "tree", at: test.path) }
      #expect(rule { () throws(LedgerError) in _ = try test.ledger.treeHead() } == .treeNode)
      #expect(rule { () throws(LedgerError) in _ = try test.inclusion(of: 300) } == .treeNode)
      #expect(rule { () throws(LedgerError) in _ = try test.consistency(299, 300) } == .treeNode)
    }
    for value in [[], Array(pair.value.dropLast()), pair.value + [0]] as [[UInt8]] {
      try test.reopen { try RawLedger.put(value, for: pair.key, in: "tree", at: test.path) }
      #expect(rule { () throws(LedgerError) in _ = try test.ledger.treeHead() } == .treeNode)
    }
    _ = try test.ledger.rebuild()
    #expect(try test.ledger.treeHead() == head)
  }

  @Test("A hash under another key is refused: its check is of the key too")
  func movedHash() throws {
    let test = try TestLedger.withRecords(600)
    _ = try test.ledger.treeHead()
    let pairs = try test.pairs("tree")
    try test.reopen {
      try RawLedger.put(pairs[1].value, for: pairs[0].key, in: "tree", at: test.path)
    }
    #expect(rule { () throws(LedgerError) in _ = try test.ledger.treeHead() } == .treeNode)
  }

  @Test("A damaged record gives no root, but its rule and sequence", arguments: [3, 260])
  func record(sequence: Int) throws {
    let test = try TestLedger.withRecords(300)
    let pair = try test.pairs("events")[sequence - 1]
    for byte in [0, 5, pair.value.count - 1] {
      var value = pair.value
      value[byte] ^= 1
      try test.reopen { try RawLedger.put(value, for: pair.key, in: "events", at: test.path) }
      expectDamage(.seal, UInt64(sequence)) { () throws(LedgerError) in
        _ = try test.ledger.treeHead()
      }
      #expect(
        rule { () throws(LedgerError) in _ = try test.evidence(of: UInt64(sequence)) } == .seal)
    }
    try test.reopen { try RawLedger.put([1, 2], for: pair.key, in: "events", at: test.path) }
    #expect(rule { () throws(LedgerError) in _ = try test.ledger.treeHead() } == .recordDecodes)
    try test.reopen { try RawLedger.delete(pair.key, in: "events", at: test.path) }
    #expect(rule { () throws(LedgerError) in _ = try test.ledger.treeHead() } == .gapless)
  }

  @Test("A log cut inside a command has no head")
  func cutCommand() throws {
    let test = try TestLedger(policy: try Policy(selection: .single))
    _ = try test.ledger.append(.add("👍", to: .m1, by: "u1"))
    _ = try test.ledger.append(.add("🎉", to: .m1, by: "u1"))
    let last = try test.pairs("events")[3]
    try test.reopen { try RawLedger.delete(last.key, in: "events", at: test.path) }
    expectDamage(.commandBoundary, 3) { () throws(LedgerError) in _ = try test.ledger.treeHead() }
  }

  @Test("A record that is changed and sealed again no longer fits what was proved of it")
  func resealed() throws {
    let test = try TestLedger.withRecords(300)
    let head = try test.ledger.treeHead()
    let pair = try test.pairs("events")[9]
    var body = Array(pair.value.dropLast(8))
    body[body.count - 1] ^= 1
    let forged = body + SHA256().leaf(body.span).bytes.prefix(8)
    try test.reopen { try RawLedger.put(forged, for: pair.key, in: "events", at: test.path) }
    let evidence = try test.evidence(of: 10)
    #expect(evidence.record.entry == body)
    #expect(throws: ProofFault.self) {
      try MerkleProof.verifyInclusion(
        leaf: SHA256().leaf(body.span), index: 9, size: head.size, proof: evidence.record.path,
        root: head.root, using: SHA256())
    }
    // Without the stored hashes the log has another root.
    try test.reopen {
      for pair in try RawLedger.pairs("tree", at: test.path) {
        try RawLedger.delete(pair.key, in: "tree", at: test.path)
      }
    }
    let forgedHead = try test.ledger.treeHead()
    #expect(forgedHead.size == head.size && forgedHead.root != head.root)
    let proof = try test.consistency(20, 300)
    #expect(throws: ProofFault.self) {
      try MerkleProof.verifyConsistency(
        from: try test.head(at: 20), to: head, proof: proof, using: SHA256())
    }
  }

  private func rule(_ body: () throws(LedgerError) -> Void) -> Rule? {
    do throws(LedgerError) {
      try body()
      return nil
    } catch .damaged(let finding) {
      return finding.rule
    } catch {
      return nil
    }
  }

  private func expectDamage(
    _ rule: Rule, _ sequence: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(LedgerError) -> Void
  ) {
    do throws(LedgerError) {
      try body()
      Issue.record("no error", sourceLocation: sourceLocation)
    } catch .damaged(let finding) {
      #expect(finding.rule == rule, "\(finding)", sourceLocation: sourceLocation)
      #expect(finding.sequence == sequence, "\(finding)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }
}

extension TestLedger {
  fileprivate func inclusion(of sequence: UInt64) throws(LedgerError) -> [Digest] {
    try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.inclusion(of: sequence, size: try snapshot.head)
    }
  }

  fileprivate func consistency(
    _ old: UInt64, _ new: UInt64
  ) throws(LedgerError) -> [Digest] {
    try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.consistency(from: old, to: new)
    }
  }

  /// What proves a record in the whole log.
  func evidence(of sequence: UInt64) throws(LedgerError) -> RecordEvidence {
    try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.evidence(of: sequence, size: try snapshot.head)
    }
  }
}
