internal import LedgerHash
internal import ReactionCodec
public import ReactionModel

/// That a ledger has a record, and whose reaction it is, for whoever trusts the ledger's key.
///
/// A record knows its users by number. So the proof has, besides the inclusion of the record, that of
/// the records which first mention its users and carry a commitment to each, and what opens these:
/// salt and id. Once a user is erased there is nothing to open it with, and a proof made then says
/// that the reaction was recorded and not whose it was.
///
/// It does not prove that the log is sound otherwise: that a number was bound only once, or that the
/// reaction is still there, is for a replay of the whole log to say.
public struct ReactionProof: Hashable, Sendable {
  /// The proof of the record, and then those of the other records that first mention its users, in
  /// the order of these; all end in the same checkpoint, and the extra line of each is its record.
  public let proofs: [InclusionProof]
  /// The users whom the record mentions, its own and then its actor, each once, with what opens the
  /// commitment if it is known.
  public let users: [LoggedRecord.Introduction]

  /// The most proofs: of the record, its user and its actor.
  public static let maximumProofCount = 3

  /// Makes a proof; that it proves something is for ``verify(by:)`` to say.
  public init(proofs: [InclusionProof], users: [LoggedRecord.Introduction]) {
    self.proofs = proofs
    self.users = users
  }

  /// Checks that the ledger with this key has the record, and that its users are who they are said
  /// to be.
  ///
  /// - Parameter key: The ledger's key.
  /// - Returns: What is proved.
  /// - Throws: ``ProofError`` if any of it is not.
  public func verify(by key: VerifierKey) throws(ProofError) -> ProvenRecord {
    guard let first = proofs.first, proofs.count <= Self.maximumProofCount else {
      throw ProofError(.partsDiffer(expected: "one to \(Self.maximumProofCount) proofs"))
    }
    let proven = try ProvenRecord(first, by: key)
    var records = [proven]
    for proof in proofs.dropFirst() {
      guard proof.checkpoint == first.checkpoint else { throw ProofError(.checkpointsDiffer) }
      records.append(try ProvenRecord(proof, by: key))
    }
    let numbers = proven.entry.record.users
    guard users.map(\.number) == numbers else {
      throw ProofError(.partsDiffer(expected: "the users \(numbers), in this order"))
    }
    try checkOpenings(records)
    return ProvenRecord(
      entry: Entry(
        sequence: proven.entry.sequence, record: proven.entry.record,
        user: id(of: proven.entry.record.user), actor: proven.entry.record.actor.flatMap(id)),
      checkpoint: proven.checkpoint)
  }

  /// Checks the users against the records that first mention them.
  private func checkOpenings(_ records: [ProvenRecord]) throws(ProofError) {
    let sequence = records[0].entry.sequence
    var needed = [sequence]
    for user in users {
      let introduction = records.first { $0.entry.record.commitment(to: user.number) != nil }
      guard let entry = introduction?.entry, entry.sequence <= sequence,
        let commitment = entry.record.commitment(to: user.number)
      else { throw ProofError(.notIntroduced(user: user.number)) }
      if !needed.contains(entry.sequence) { needed.append(entry.sequence) }
      if let opening = user.opening, !opening.opens(commitment) {
        throw ProofError(.wrongOpening(user: user.number))
      }
    }
    guard records.map(\.entry.sequence) == needed else {
      throw ProofError(.partsDiffer(expected: "proofs of the records \(needed), in this order"))
    }
  }

  private func id(of number: UserNumber) -> UserID? {
    users.first { $0.number == number }?.opening?.id
  }
}

/// A record of which it is proved that a ledger has it.
public struct ProvenRecord: Equatable, Sendable {
  /// The record, and its users where that is proved.
  public let entry: Entry
  /// The checkpoint whose tree has it.
  public let checkpoint: Checkpoint

  init(entry: Entry, checkpoint: Checkpoint) {
    self.entry = entry
    self.checkpoint = checkpoint
  }

  /// Checks that the ledger with this key has the record on the extra line of a proof.
  ///
  /// - Parameters:
  ///   - proof: The proof; its extra line is the record's bytes without the seal.
  ///   - key: The ledger's key.
  /// - Throws: ``ProofError`` if there is no such line, it is not proved, or it is no record.
  public init(_ proof: InclusionProof, by key: VerifierKey) throws(ProofError) {
    guard var bytes = proof.extra else { throw ProofError(.noRecord) }
    let leaf = SHA256().leaf(bytes.span)
    checkpoint = try proof.verify(leaf: leaf, by: key)
    // The seal is the beginning of the leaf hash.
    bytes += leaf.bytes.prefix(RecordFormat.sealByteCount)
    do throws(CodecError) {
      entry = Entry(
        sequence: proof.index + 1, record: try RecordFormat.decode(bytes.span), user: nil,
        actor: nil)
    } catch {
      throw ProofError(.invalidRecord("\(error)"))
    }
  }
}

extension Record {
  /// The users that the record mentions, its own and then its actor, each once.
  fileprivate var users: [UserNumber] {
    let own = user == 0 ? [] : [user]
    guard let actor, actor != user else { return own }
    return own + [actor]
  }

  /// The commitment to a user, if this record is the first that mentions the user.
  fileprivate func commitment(to number: UserNumber) -> Commitment? {
    if number == user, let userCommitment { return userCommitment }
    return number == actor ? actorCommitment : nil
  }
}

extension LoggedRecord.Introduction.Opening {
  /// Whether SHA-256(0x02 ‖ salt ‖ id) is a commitment.
  fileprivate func opens(_ commitment: Commitment) -> Bool {
    let bytes = UserRow.opening(salt: salt, id: id.text.utf8Span.span)
    return SHA256().hash(prefix: 0x02, bytes.span).words == commitment.words
  }
}
