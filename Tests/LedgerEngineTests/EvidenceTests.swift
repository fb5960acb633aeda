import LedgerEngine
import LedgerHash
import LedgerTestSupport
import ReactionModel
import Testing

/// What proves a record and its users.
@Suite("Evidence of records") struct EvidenceTests {
  @Test(
    "Every record of random ledgers: the first mentions are those that a scan finds",
    arguments: 1...6 as ClosedRange<UInt64>)
  func firstMentions(seed: UInt64) throws {
    let test = try TestLedger()
    var source = CommandSource(seed: seed)
    _ = try test.ledger.append((0..<200).map { _ in source.next() })
    let head = try test.ledger.treeHead()
    let records = try CopyTests.records(of: test.ledger)
    let leaves = try test.leaves()
    var firstMentions: [UserNumber: UInt64] = [:]
    for record in records {
      for introduction in record.introductions {
        firstMentions[introduction.number] = record.entry.sequence
      }
    }
    for (index, logged) in records.enumerated() {
      let evidence = try test.evidence(of: logged.entry.sequence)
      let record = logged.entry.record
      var numbers = record.user == 0 ? [] : [record.user]
      if let actor = record.actor, actor != record.user { numbers.append(actor) }
      #expect(evidence.users.map(\.number) == numbers)
      #expect(
        evidence.users.map(\.opening?.id)
          == numbers.map {
            $0 == record.user ? logged.entry.user : logged.entry.actor
          })
      var expected = [logged.entry.sequence]
      for number in numbers {
        let first = try #require(firstMentions[number])
        if !expected.contains(first) { expected.append(first) }
      }
      let given = [evidence.record] + evidence.introductions
      #expect(given.map(\.sequence) == expected, "seed \(seed), record \(index + 1)")
      for leaf in given {
        let hash = SHA256().leaf(leaf.entry.span)
        #expect(hash == leaves.hashes[Int(leaf.sequence) - 1])
        try MerkleProof.verifyInclusion(
          leaf: hash, index: leaf.sequence - 1, size: head.size, proof: leaf.path,
          root: head.root, using: SHA256())
      }
    }
  }

  @Test("Once a user is erased, the record is proven and nothing opens the commitment")
  func erased() throws {
    let test = try TestLedger()
    _ = try test.ledger.append(.add("👍", to: .m1, by: "alice", actor: "bot"))
    #expect(try test.evidence(of: 2).users.map(\.opening?.id) == ["alice", "bot"])
    _ = try test.ledger.append(.erase("alice"))
    #expect(try test.evidence(of: 2).users.map(\.opening?.id) == [nil, "bot"])
    #expect(try test.evidence(of: 2).users.map(\.number) == [1, 2])
  }

  @Test("A log that lacks the first mention is damaged")
  func lacking() throws {
    let test = try TestLedger()
    _ = try test.ledger.append(.add("👍", to: .m1, by: "alice"))
    _ = try test.ledger.append(.add("🎉", to: .m1, by: "alice"))
    let pairs = try test.pairs("events")
    var body = Array(pairs[1].value.dropLast(40))
    body[3] &= ~16
    let forged = body + SHA256().leaf(body.span).bytes.prefix(8)
    try test.reopen {
      try RawLedger.put(forged, for: pairs[1].key, in: "events", at: test.path)
    }
    do {
      _ = try test.evidence(of: 3)
      Issue.record("no error")
    } catch .damaged(let finding) {
      #expect(finding.rule == .userOrder)
    } catch {
      Issue.record("\(error)")
    }
  }
}
