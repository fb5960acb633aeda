import LedgerHash
import LedgerProofs
import ReactionCodec
import ReactionModel

/// A small log made by hand, signed by the key of ``Vectors``.
///
/// 1 created; 2 alice (1) adds 👍, asked for by bot (2); 3 bob (3) adds; 4 alice removes hers;
/// 5 bob's is removed, asked for by alice; 6 the same again, by a clear of carol's (4), which no
/// replay would let pass; 7 bob is erased.
struct SampleLog {
  var entries: [[UInt8]] = []
  let signer: SignerKey

  static let salts: [UserNumber: SixteenBytes] = [
    1: SixteenBytes(high: 1, low: 11), 2: SixteenBytes(high: 2, low: 12),
    3: SixteenBytes(high: 3, low: 13), 4: SixteenBytes(high: 4, low: 14),
  ]
  static let ids: [UserNumber: UserID] = [1: "alice", 2: "bot", 3: "bob", 4: "carol"]

  init() throws {
    signer = try SignerKey(parsing: Vectors.secret)
    append(
      .create, user: 0,
      .created(ledger: SixteenBytes(high: 7, low: 7), policy: .standard))
    append(.add, user: 1, actor: 2, introducing: [1, 2], try Self.change(.added, previous: 0))
    append(.add, user: 3, introducing: [3], try Self.change(.added, previous: 2))
    append(.remove, user: 1, try Self.change(.removed(ends: 2), previous: 3))
    append(.remove, user: 3, actor: 1, try Self.change(.removed(ends: 3), previous: 4))
    append(
      .clearMessage, user: 3, actor: 4, introducing: [4],
      try Self.change(.removed(ends: 3), previous: 5))
    append(.erase, user: 3, .userErased)
  }

  private static func change(
    _ kind: Record.Change.Kind, previous: UInt64
  ) throws -> Record.Content {
    .change(
      Record.Change(
        kind, message: try MessageKey(.group("g1"), "m1"), reaction: try Reaction("👍"),
        previous: previous))
  }

  private mutating func append(
    _ operation: Record.Operation, user: UserNumber, actor: UserNumber? = nil,
    introducing: [UserNumber] = [], _ content: Record.Content
  ) {
    let record = Record(
      recordedAt: Timestamp(microseconds: Int64(entries.count)), cause: .user,
      place: Record.Place(operation), user: user, actor: actor,
      userCommitment: introducing.contains(user) ? Self.commitment(user) : nil,
      actorCommitment: actor.flatMap { introducing.contains($0) ? Self.commitment($0) : nil },
      content: content)
    var bytes: [UInt8] = []
    RecordFormat.encode(record, into: &bytes)
    entries.append(bytes)
  }

  private static func commitment(_ number: UserNumber) -> Commitment? {
    guard let salt = salts[number], let id = ids[number] else { return nil }
    let bytes = UserRow.opening(salt: salt, id: id.text.utf8Span.span)
    return Commitment(SHA256().hash(prefix: 2, bytes.span).words)
  }

  /// What opens the commitment to a user.
  static func opened(_ number: UserNumber) -> LoggedRecord.Introduction {
    guard let salt = salts[number], let id = ids[number] else { return closed(number) }
    return LoggedRecord.Introduction(number: number, opening: .init(salt: salt, id: id))
  }

  /// A user of whom nothing is told.
  static func closed(_ number: UserNumber) -> LoggedRecord.Introduction {
    LoggedRecord.Introduction(number: number, opening: nil)
  }

  /// The signed checkpoint.
  func checkpoint() throws -> SignedNote {
    var range = CompactRange()
    for entry in entries { range.append(SHA256().leaf(entry.span), using: SHA256()) }
    let head = TreeHead(size: UInt64(entries.count), root: range.root(using: SHA256()))
    return try Checkpoint(origin: signer.verifier.name, head: head).signed(by: signer)
  }

  /// The proof of inclusion of a record.
  func inclusion(_ sequence: UInt64) throws -> InclusionProof {
    guard let plan = ProofPlan(inclusionOf: sequence - 1, size: UInt64(entries.count)) else {
      throw ProofError(.expected("a sequence of the log"))
    }
    var stream = ProofStream(plan, using: SHA256())
    for entry in entries { stream.append(SHA256().leaf(entry.span)) }
    return InclusionProof(
      index: sequence - 1, hashes: stream.hashes ?? [], checkpoint: try checkpoint(),
      extra: entries[Int(sequence) - 1])
  }

  /// A proof of the first of some records by the rest of them.
  func proof(
    _ sequences: [UInt64], _ users: [LoggedRecord.Introduction]
  ) throws -> ReactionProof {
    ReactionProof(
      proofs: try sequences.map { sequence in try inclusion(sequence) }, users: users)
  }
}
