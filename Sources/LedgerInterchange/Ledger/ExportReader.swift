internal import ReactionCodec
public import ReactionModel

/// Reads the lines of an export, one after another, into the bytes of their records.
///
/// The memory is used again for the next line: nothing is allocated for an event. For one thread at
/// a time.
public struct ExportReader {
  /// The record of the line that was read last, with its seal.
  public private(set) var record = RecordBytes()
  /// What the line's introductions say the commitments are.
  private var commitments: [Commitment] = []
  private var lastReaction: [UInt8] = []

  /// Makes a reader.
  public init() {}

  /// Reads a line.
  ///
  /// That the record could follow those before it is for the restoration to say.
  ///
  /// - Parameter json: An object with the keys of the form and no others.
  /// - Throws: ``FormError``, which names the key; ``record`` is then of no use.
  public mutating func read(_ json: JSONView) throws(FormError) {
    record.clear()
    commitments.removeAll(keepingCapacity: true)
    var reader = try FormReader(json, "a record")
    record.sequence = try reader.integer("sequence", in: 1...Self.sequenceCeiling)
    let word = try reader.string("kind")
    if word.equals("added") || word.equals("removed") {
      let change = try reader.change(isAdded: word.equals("added"), &lastReaction)
      var fields = try reader.fields(&record, &commitments)
      (fields.previous, fields.ends) = (change.previous, change.ends)
      let seal = try reader.seal()
      try encode(change, fields)
      record.bytes.append(u64: seal)
    } else {
      let content = try reader.notice(word)
      let fields = try reader.fields(&record, &commitments)
      let seal = try reader.seal()
      try encode(content, fields)
      record.bytes.append(u64: seal)
    }
  }

  private mutating func encode(_ change: ChangeLine, _ fields: EventFields) throws(FormError) {
    do throws(CodecError) {
      guard change.message.kind != .room else { throw .badValue("conversation kind") }
      try RecordFormat.verify(fields)
    } catch {
      throw Self.noRecord(error)
    }
    RecordFormat.encode(
      fields, change.message.kind, conversation: change.message.conversation,
      message: change.message.message, reaction: change.reaction, parent: change.parent,
      into: &record.bytes)
  }

  private mutating func encode(
    _ content: Record.Content, _ fields: EventFields
  ) throws(FormError) {
    let notice = Record(
      recordedAt: fields.recordedAt, cause: fields.cause, place: fields.place,
      clientTime: fields.clientTime, user: fields.user, actor: fields.actor,
      commandID: fields.commandID, userCommitment: fields.userCommitment,
      actorCommitment: fields.actorCommitment, content: content)
    do throws(CodecError) {
      try RecordFormat.verify(notice)
    } catch {
      throw Self.noRecord(error)
    }
    RecordFormat.encode(notice, into: &record.bytes)
  }

  private static func noRecord(_ error: CodecError) -> FormError {
    FormError("there is no such record: \(error)")
  }

  /// Sequences have 48 bits.
  fileprivate static let sequenceCeiling: UInt64 = (1 << 48) - 1
}

/// What of a line is a change, and in no notice.
private struct ChangeLine: ~Escapable {
  let message: MessageKeyView
  let parent: Span<UInt8>
  let reaction: Span<UInt8>
  let previous: UInt64
  let ends: UInt64?

  @_lifetime(copy message, copy parent, copy reaction)
  init(
    _ message: consuming MessageKeyView, parent: Span<UInt8>, reaction: Span<UInt8>,
    previous: UInt64, ends: UInt64?
  ) {
    self.message = message
    self.parent = parent
    self.reaction = reaction
    self.previous = previous
    self.ends = ends
  }
}

extension FormReader {
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  fileprivate mutating func change(
    isAdded: Bool, _ lastReaction: inout [UInt8]
  ) throws(FormError) -> ChangeLine {
    let message = try message()
    let parent = try identifierIfPresent("parent")
    let reaction = try string("reaction")
    let previous = try integer("previous", in: 0...ExportReader.sequenceCeiling)
    // Mostly the last one again.
    if !UTF8Bytes.areEqual(reaction, lastReaction.span) {
      try Self.verify(reaction)
      lastReaction.removeAll(keepingCapacity: true)
      lastReaction.append(reaction)
    }
    let ends = isAdded ? nil : try integer("ends", in: 1...ExportReader.sequenceCeiling)
    return ChangeLine(message, parent: parent, reaction: reaction, previous: previous, ends: ends)
  }

  private static func verify(_ reaction: Span<UInt8>) throws(FormError) {
    let isCanonical: Bool
    do throws(InvalidReaction) {
      isCanonical = try Reaction.verify(utf8: reaction)
    } catch {
      throw FormError("\"reaction\": \(error)")
    }
    guard isCanonical else {
      throw FormError("\"reaction\" is not in canonical form: \"\(String(copying: reaction))\"")
    }
  }

  @_lifetime(self: copy self)
  fileprivate mutating func notice(_ word: Span<UInt8>) throws(FormError) -> Record.Content {
    if word.equals("userErased") { return .userErased }
    if word.equals("policyChanged") {
      return .policyChanged(try Policy(json: try required("policy")))
    }
    guard word.equals("created") else {
      throw FormError("\"kind\" is not known: \"\(String(copying: word))\"")
    }
    let ledger = try parsed("ledger", "a UUID") { LedgerID(utf8: $0) }
    let format = try integer("format", in: 0...UInt64(UInt16.max))
    guard format == 0 else { throw FormError("format \(format) is not known: it is newer") }
    return .created(ledger: ledger, policy: try Policy(json: try required("policy")))
  }

  /// What all records have.
  @_lifetime(self: copy self)
  fileprivate mutating func fields(
    _ record: inout RecordBytes, _ commitments: inout [Commitment]
  ) throws(FormError) -> EventFields {
    let recordedAt = try parsed("recordedAt", "a time") { Timestamp(utf8: $0) }
    let clientTime = try parsedIfPresent("reactedAt", "a time") { Timestamp(utf8: $0) }
    _ = try identifierIfPresent("user")
    _ = try identifierIfPresent("actor")
    let user = try userNumber("userNumber")
    let actor = try userNumber("actorNumber")
    let cause = try parsed("cause", "a cause") { Cause(utf8: $0) }
    let id = try parsedIfPresent("commandId", "a UUID") { CommandID(utf8: $0) }
    let place = try place()
    try introductions(&record, &commitments)
    func commitment(of number: UserNumber?) -> Commitment? {
      guard let index = record.introductions.lastIndex(where: { $0.number == number }) else {
        return nil
      }
      return commitments[index]
    }
    return EventFields(
      recordedAt: recordedAt, cause: cause, place: place, clientTime: clientTime,
      user: user ?? 0, actor: actor, commandID: id, userCommitment: commitment(of: user),
      actorCommitment: commitment(of: actor))
  }

  @_lifetime(self: copy self)
  private mutating func userNumber(_ key: StaticString) throws(FormError) -> UserNumber? {
    try integerIfPresent(key, in: 1...UInt64(UserNumber.max)).map { UserNumber($0) }
  }

  @_lifetime(self: copy self)
  private mutating func place() throws(FormError) -> Record.Place {
    let operation = try parsed("operation", "an operation") { Record.Operation(utf8: $0) }
    let ceiling = UInt64(Record.Place.countCeiling)
    let index = try integerIfPresent("index", in: 0...ceiling)
    let count = try integerIfPresent("count", in: 1...ceiling)
    guard (index == nil) == (count == nil) else {
      throw FormError("\"index\" and \"count\" belong together")
    }
    return Record.Place(operation, index: Int(index ?? 0), count: Int(count ?? 1))
  }

  @_lifetime(self: copy self)
  private mutating func introductions(
    _ record: inout RecordBytes, _ commitments: inout [Commitment]
  ) throws(FormError) {
    guard let list = value("introduces") else { return }
    guard list.isArray else {
      throw FormError("\"introduces\" must be an array, not \(list.kind)")
    }
    var next = list.first
    while let element = next {
      var reader = try FormReader(element, "an introduction")
      try reader.introduction(&record, &commitments)
      try reader.finish()
      next = element.following(in: list)
    }
  }

  @_lifetime(self: copy self)
  private mutating func introduction(
    _ record: inout RecordBytes, _ commitments: inout [Commitment]
  ) throws(FormError) {
    guard let number = try userNumber("number") else { throw FormError("\"number\" is missing") }
    commitments.append(
      try parsed("commitment", "64 hexadecimal digits") { text in
        guard text.count == 64, let first = Hexadecimal.word(text, at: 0),
          let second = Hexadecimal.word(text, at: 16), let third = Hexadecimal.word(text, at: 32),
          let fourth = Hexadecimal.word(text, at: 48)
        else { return nil }
        return Commitment((first, second, third, fourth))
      })
    let salt = try parsedIfPresent("salt", "32 hexadecimal digits") {
      Hexadecimal.sixteenBytes($0)
    }
    let id = try identifierIfPresent("id")
    let isClosing = value("closing")?.bool ?? false
    guard (salt == nil) == id.isEmpty, !isClosing || !id.isEmpty else {
      throw FormError("\"salt\" and \"id\" belong together, and \"closing\" to them")
    }
    let start = record.openings.count
    if let salt {
      record.openings.append(u64: salt.high)
      record.openings.append(u64: salt.low)
      record.openings.append(id)
    }
    record.introductions.append(
      .init(number: number, opening: start..<record.openings.count, isClosing: isClosing))
  }

  @_lifetime(self: copy self)
  fileprivate mutating func seal() throws(FormError) -> UInt64 {
    let seal = try parsed("seal", "16 hexadecimal digits") { text in
      text.count == 16 ? Hexadecimal.word(text, at: 0) : nil
    }
    try finish()
    return seal
  }
}
