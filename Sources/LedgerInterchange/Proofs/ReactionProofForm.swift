public import LedgerProofs
internal import ReactionModel

// The file of a reaction's proof, one JSON document:
//   `format`: "reaction-ledger/proof@v1",
//   `proofs`: texts of `.tlog-proof` files, that of the record first,
//   `users`: for each user of the record `number` and, unless erased, `salt` and `id`.
// The salt is hexadecimal, as in an export.

private let format: StaticString = "reaction-ledger/proof@v1"

extension JSONWriter {
  /// Writes a reaction's proof as a document.
  public mutating func document(of proof: ReactionProof) {
    object { writer in
      writer.member("format", "\(format)")
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
  public init(json: JSONView) throws(FormError) {
    var reader = try FormReader(json, "a proof")
    guard try reader.string("format").equals(format) else {
      throw FormError("\"format\" must be \"\(format)\"")
    }
    let (proofs, users) = (try reader.array("proofs"), try reader.array("users"))
    try reader.finish()
    self.init(proofs: try Self.proofs(proofs), users: try Self.users(users))
  }

  private static func proofs(_ list: JSONView) throws(FormError) -> [InclusionProof] {
    var (proofs, next): ([InclusionProof], JSONView?) = ([], list.first)
    while let element = next {
      guard proofs.count < maximumProofCount else {
        throw FormError("\"proofs\" must have at most \(maximumProofCount) elements")
      }
      guard let text = element.string else {
        throw FormError("\"proofs\" must hold strings, not \(element.kind)")
      }
      do throws(ProofError) {
        proofs.append(try InclusionProof(parsing: [UInt8](text)))
      } catch {
        throw FormError("\"proofs\": \(error)")
      }
      next = element.following(in: list)
    }
    return proofs
  }

  private static func users(_ list: JSONView) throws(FormError) -> [LoggedRecord.Introduction] {
    var (users, next): ([LoggedRecord.Introduction], JSONView?) = ([], list.first)
    while let element = next {
      guard users.count < maximumProofCount - 1 else {
        throw FormError("\"users\" must have at most \(maximumProofCount - 1) elements")
      }
      users.append(try LoggedRecord.Introduction(proof: element))
      next = element.following(in: list)
    }
    return users
  }
}

extension LoggedRecord.Introduction {
  fileprivate init(proof json: JSONView) throws(FormError) {
    var reader = try FormReader(json, "a user")
    let number = try reader.integer("number", in: 1...UInt64(UserNumber.max))
    let salt = try reader.parsedIfPresent("salt", "32 hexadecimal digits") {
      Hexadecimal.sixteenBytes($0)
    }
    let bytes = try reader.identifierIfPresent("id")
    try reader.finish()
    guard (salt == nil) == bytes.isEmpty else {
      throw FormError("\"salt\" and \"id\" must be given both or not at all")
    }
    var opening: Opening?
    if let salt {
      do throws(IdentifierError) {
        opening = Opening(salt: salt, id: try UserID(utf8: bytes))
      } catch {
        throw FormError("\"id\": \(error)")
      }
    }
    self.init(number: UserNumber(truncatingIfNeeded: number), opening: opening)
  }
}
