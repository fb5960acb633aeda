public import ReactionModel

extension LoggedRecord {
  /// Reads a line of an export.
  ///
  /// That the record could follow those before it is for the restoration to say.
  ///
  /// - Parameter json: An object with the keys of the form and no others.
  /// - Throws: ``FormError``, which names the key.
  public init(json: JSONValue) throws(FormError) {
    var reader = try FormReader(json, "a record")
    let sequence = try reader.integer("sequence", in: 1...Self.sequenceCeiling)
    let content = try reader.content()
    let recordedAt = try reader.parsed("recordedAt", "a time") { Timestamp(parsing: $0) }
    let clientTime = try reader.parsedIfPresent("reactedAt", "a time") { Timestamp(parsing: $0) }
    let user: UserID? = try reader.identifierIfPresent("user")
    let actor: UserID? = try reader.identifierIfPresent("actor")
    let userNumber = try reader.userNumber("userNumber")
    let actorNumber = try reader.userNumber("actorNumber")
    let cause = try reader.parsed("cause", "a cause") { Cause(name: $0) }
    let id = try reader.parsedIfPresent("commandId", "a UUID") { CommandID(parsing: $0) }
    let place = try reader.place()
    let introductions = try reader.introductions()
    let seal = try reader.parsed("seal", "16 hexadecimal digits") {
      Hexadecimal.words($0, count: 1)?[0]
    }
    try reader.finish()
    let commitments = introductions.reduce(into: [:]) { $0[$1.introduction.number] = $1.commitment }
    let record = Record(
      recordedAt: recordedAt, cause: cause, place: place, clientTime: clientTime,
      user: userNumber ?? 0, actor: actorNumber, commandID: id,
      userCommitment: userNumber.flatMap { commitments[$0] },
      actorCommitment: actorNumber.flatMap { commitments[$0] }, content: content)
    self.init(
      entry: Entry(sequence: sequence, record: record, user: user, actor: actor), seal: seal,
      introductions: introductions.map(\.introduction))
  }

  /// Sequences have 48 bits.
  fileprivate static let sequenceCeiling: UInt64 = (1 << 48) - 1
}

extension FormReader {
  fileprivate mutating func content() throws(FormError) -> Record.Content {
    let kind = try string("kind")
    switch kind {
    case "added", "removed": return .change(try change(isAdded: kind == "added"))
    case "created":
      let ledger = try parsed("ledger", "a UUID") { LedgerID(parsing: $0) }
      let format = try integer("format", in: 0...UInt64(UInt16.max))
      guard format == 0 else { throw FormError("format \(format) is not known: it is newer") }
      return .created(ledger: ledger, policy: try Policy(json: try required("policy")))
    case "policyChanged": return .policyChanged(try Policy(json: try required("policy")))
    case "userErased": return .userErased
    default: throw FormError("\"kind\" is not known: \"\(kind)\"")
    }
  }

  private mutating func change(isAdded: Bool) throws(FormError) -> Record.Change {
    let message = try message()
    let parent: MessageID? = try identifierIfPresent("parent")
    let text = try string("reaction")
    let previous = try integer("previous", in: 0...LoggedRecord.sequenceCeiling)
    let reaction: Reaction
    do throws(InvalidReaction) {
      reaction = try Reaction(text)
    } catch {
      throw FormError("\"reaction\": \(error)")
    }
    guard UTF8Bytes.areEqual(reaction.text, text) else {
      throw FormError("\"reaction\" is not in canonical form: \"\(text)\"")
    }
    let kind: Record.Change.Kind =
      isAdded ? .added : .removed(ends: try integer("ends", in: 1...LoggedRecord.sequenceCeiling))
    return Record.Change(
      kind, message: message, parent: parent, reaction: reaction, previous: previous)
  }

  fileprivate mutating func userNumber(_ key: String) throws(FormError) -> UserNumber? {
    try integerIfPresent(key, in: 1...UInt64(UserNumber.max)).map { UserNumber($0) }
  }

  fileprivate mutating func place() throws(FormError) -> Record.Place {
    let operation = try parsed("operation", "an operation") { text in
      Record.Operation.allCases.first { $0.word == text }
    }
    let ceiling = UInt64(Record.Place.countCeiling)
    let index = try integerIfPresent("index", in: 0...ceiling)
    let count = try integerIfPresent("count", in: 1...ceiling)
    guard (index == nil) == (count == nil) else {
      throw FormError("\"index\" and \"count\" belong together")
    }
    return Record.Place(operation, index: Int(index ?? 0), count: Int(count ?? 1))
  }

  fileprivate mutating func introductions() throws(FormError) -> [(
    introduction: LoggedRecord.Introduction, commitment: Commitment
  )] {
    guard let value = value("introduces") else { return [] }
    guard case .array(let elements) = value else {
      throw FormError("\"introduces\" must be an array, not \(value.kind)")
    }
    var introductions: [(introduction: LoggedRecord.Introduction, commitment: Commitment)] = []
    for element in elements {
      var reader = try FormReader(element, "an introduction")
      introductions.append(try reader.introduction())
      try reader.finish()
    }
    return introductions
  }

  private mutating func introduction() throws(FormError) -> (
    introduction: LoggedRecord.Introduction, commitment: Commitment
  ) {
    guard let number = try userNumber("number") else { throw FormError("\"number\" is missing") }
    let commitment = try parsed("commitment", "64 hexadecimal digits") { text in
      Hexadecimal.words(text, count: 4).map { Commitment(($0[0], $0[1], $0[2], $0[3])) }
    }
    let salt = try parsedIfPresent("salt", "32 hexadecimal digits") { text in
      Hexadecimal.words(text, count: 2).map { SixteenBytes(high: $0[0], low: $0[1]) }
    }
    let id: UserID? = try identifierIfPresent("id")
    let isClosing = value("closing")?.bool ?? false
    guard (salt == nil) == (id == nil), !isClosing || id != nil else {
      throw FormError("\"salt\" and \"id\" belong together, and \"closing\" to them")
    }
    var opening: LoggedRecord.Introduction.Opening?
    if let salt, let id { opening = .init(salt: salt, id: id, isClosing: isClosing) }
    return (LoggedRecord.Introduction(number: number, opening: opening), commitment)
  }
}
