public import LedgerProofs
internal import ReactionModel

// The file of a reaction's proof, one JSON document:
//   `format`: "reaction-ledger/proof@v1",
//   `proofs`: texts of `.tlog-proof` files, that of the record first,
//   `users`: for each user of the record `number` and, unless erased, `salt` and `id`.
// The salt is hexadecimal, as in an export.

private let format = "reaction-ledger/proof@v1"

extension JSONWriter {
  /// Writes a reaction's proof as a document.
  public mutating func document(of proof: ReactionProof) {
    object { writer in
      writer.member("format", format)
      writer.member(
        "proofs", strings: proof.proofs.map { String(decoding: $0.bytes, as: UTF8.self) })
      writer.array("users") { writer in
        for user in proof.users { writer.object { $0.members(of: user) } }
      }
    }
    endLine()
  }

  private mutating func members(of user: LoggedRecord.Introduction) {
    member("number", user.number)
    guard let opening = user.opening else { return }
    member("salt", Hexadecimal.text(opening.salt.high) + Hexadecimal.text(opening.salt.low))
    member("id", opening.id.text)
  }
}

extension ReactionProof {
  /// Reads a document; that it proves something is for ``LedgerProofs/ReactionProof/verify(by:)`` to
  /// say.
  ///
  /// - Throws: ``FormError`` if it is anything else than what a writer gives, or has a key that is not
  ///   known.
  public init(json: JSONValue) throws(FormError) {
    var reader = try FormReader(json, "a proof")
    guard try reader.string("format") == format else {
      throw FormError("\"format\" must be \"\(format)\"")
    }
    let proofs = try reader.array("proofs", atMost: Self.maximumProofCount)
      .map { (value) throws(FormError) in try InclusionProof(json: value) }
    let users = try reader.array("users", atMost: Self.maximumProofCount - 1)
      .map { (value) throws(FormError) in try LoggedRecord.Introduction(proof: value) }
    try reader.finish()
    self.init(proofs: proofs, users: users)
  }
}

extension InclusionProof {
  fileprivate init(json: JSONValue) throws(FormError) {
    guard let text = json.string else {
      throw FormError("\"proofs\" must hold strings, not \(json.kind)")
    }
    do throws(ProofError) {
      try self.init(parsing: Array(text.utf8))
    } catch {
      throw FormError("\"proofs\": \(error)")
    }
  }
}

extension LoggedRecord.Introduction {
  fileprivate init(proof json: JSONValue) throws(FormError) {
    var reader = try FormReader(json, "a user")
    let number = try reader.integer("number", in: 1...UInt64(UserNumber.max))
    let salt = try reader.parsedIfPresent("salt", "32 hexadecimal digits") {
      Hexadecimal.words($0, count: 2)
    }
    let id: UserID? = try reader.identifierIfPresent("id")
    try reader.finish()
    guard (salt == nil) == (id == nil) else {
      throw FormError("\"salt\" and \"id\" must be given both or not at all")
    }
    var opening: Opening?
    if let salt, let id {
      opening = Opening(salt: SixteenBytes(high: salt[0], low: salt[1]), id: id)
    }
    self.init(number: UserNumber(truncatingIfNeeded: number), opening: opening)
  }
}
