import LedgerHash
import LedgerProofs
import ReactionCodec
import ReactionModel
import Testing

@Suite("Proofs of a record and its users")
struct ReactionProofTests {
  private typealias Log = SampleLog

  /// The users by number, those whose commitment is opened positive.
  private func users(_ numbers: [Int]) -> [LoggedRecord.Introduction] {
    numbers.map { number in
      number > 0 ? Log.opened(UserNumber(number)) : Log.closed(UserNumber(-number))
    }
  }

  @Test("What is proved of each record of a log")
  func proven() throws {
    let log = try SampleLog()
    let proofs: [(sequences: [UInt64], users: [Int], user: UserID?, actor: UserID?)] = [
      ([1], [], nil, nil),
      ([2], [1, 2], "alice", "bot"),
      ([2], [-1, 2], nil, "bot"),
      ([2], [-1, -2], nil, nil),
      ([3], [3], "bob", nil),
      ([4, 2], [1], "alice", nil),
      ([5, 3, 2], [3, 1], "bob", "alice"),
      ([5, 3, 2], [-3, 1], nil, "alice"),
      ([6, 3], [3, 4], "bob", "carol"),
      ([7, 3], [-3], nil, nil),
    ]
    for (sequences, numbers, user, actor) in proofs {
      let proof = try log.proof(sequences, users(numbers))
      let proven = try proof.verify(by: log.signer.verifier)
      #expect(proven.entry.sequence == sequences[0])
      #expect(proven.entry.user == user && proven.entry.actor == actor)
      #expect(proven.checkpoint.head.size == 7)
      var bytes: [UInt8] = []
      RecordFormat.encode(proven.entry.record, into: &bytes)
      #expect(bytes == log.entries[Int(sequences[0]) - 1])
    }
  }

  @Test("Parts that are missing, too many, of others or in another order")
  func parts() throws {
    let log = try SampleLog()
    let parts: [(sequences: [UInt64], users: [Int])] = [
      ([], []), ([], [1]), ([1], [1]), ([2], []), ([2], [1]), ([2], [2, 1]), ([2], [1, 2, 3]),
      ([2, 2], [1, 2]), ([2, 3], [1, 2]), ([4], [1]), ([4, 3], [1]), ([4, 2, 3], [1]),
      ([4, 2], [3]), ([4, 2], [1, 2]), ([5, 2, 3], [3, 1]), ([5, 3], [3, 1]), ([5, 3, 2], [1, 3]),
      ([5, 3, 2, 1], [3, 1]), ([6, 3, 6], [3, 4]), ([6, 3, 2], [3, 4]), ([7, 3], []),
    ]
    for (sequences, numbers) in parts {
      let proof = try log.proof(sequences, users(numbers))
      #expect(throws: ProofError.self, "\(sequences) \(numbers)") {
        try proof.verify(by: log.signer.verifier)
      }
    }
  }

  @Test("Another salt or id does not open the commitment")
  func openings() throws {
    let log = try SampleLog()
    let wrong: [LoggedRecord.Introduction.Opening] = [
      .init(salt: SixteenBytes(high: 1, low: 12), id: "alice"),
      .init(salt: SixteenBytes(high: 1, low: 11), id: "alicf"),
      .init(salt: SixteenBytes(high: 2, low: 12), id: "bot"),
    ]
    for opening in wrong {
      let user = LoggedRecord.Introduction(number: 1, opening: opening)
      let proof = try log.proof([4, 2], [user])
      #expect(throws: ProofError(.wrongOpening(user: 1))) {
        try proof.verify(by: log.signer.verifier)
      }
    }
  }

  @Test("A later record that mentions a user first does not tell whose an earlier one was")
  func laterMention() throws {
    var log = try SampleLog()
    // Record 4 is alice's; in its place one of carol's, whom record 6 mentions first.
    log.entries[3][15] = 4
    let proof = try log.proof([4, 6], [Log.opened(4)])
    #expect(throws: ProofError(.notIntroduced(user: 4))) {
      try proof.verify(by: log.signer.verifier)
    }
  }

  @Test("Two checkpoints, a record that is none, no record, another key")
  func others() throws {
    let log = try SampleLog()
    var longer = log
    longer.entries.append(log.entries[0])
    let mixed = ReactionProof(
      proofs: [try log.inclusion(4), try longer.inclusion(2)], users: [Log.opened(1)])
    #expect(throws: ProofError(.checkpointsDiffer)) { try mixed.verify(by: log.signer.verifier) }
    var noise = log
    noise.entries[0] = [0, 9, 9]
    let noRecord = try noise.proof([1], [])
    #expect(throws: ProofError.self) { try noRecord.verify(by: log.signer.verifier) }
    noise.entries[0] = []
    let empty = try noise.proof([1], [])
    #expect(throws: ProofError.self) { try empty.verify(by: log.signer.verifier) }
    let first = try log.inclusion(1)
    let bare = InclusionProof(index: 0, hashes: first.hashes, checkpoint: first.checkpoint)
    #expect(throws: ProofError(.noRecord)) {
      try ReactionProof(proofs: [bare], users: []).verify(by: log.signer.verifier)
    }
    let other = try SignerKey(name: log.signer.verifier.name, seed: Array(1...32))
    let proof = try log.proof([1], [])
    #expect(throws: ProofError.self) { try proof.verify(by: other.verifier) }
  }
}
