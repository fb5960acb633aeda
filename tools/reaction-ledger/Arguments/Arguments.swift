import LedgerEngine
import ReactionModel

/// The arguments of a command by name, and as what they mean.
struct Arguments: Sendable {
  /// What was given by place.
  let operands: [String: [String]]
  /// What was given by name; an empty text for a flag.
  let values: [String: [String]]

  /// Whether a flag was given.
  func has(_ flag: String) -> Bool { values[flag] != nil }

  /// The value of an option that may be left out.
  func text(_ option: String) -> String? { values[option]?.first }

  /// The value of an option that must be given.
  func required(_ option: String) throws(Failure) -> String {
    guard let text = text(option) else { throw .usage("--\(option) is missing: add it") }
    return text
  }

  /// An argument that must be given.
  func operand(_ name: String) throws(Failure) -> String {
    guard let text = operands[name]?.first else { throw .usage("\(name) is missing: add it") }
    return text
  }

  /// The ledger's folder.
  func ledgerPath() throws(Failure) -> String {
    let path = try operand("L")
    guard !path.isEmpty else { throw .usage("L is empty: give the folder of a ledger") }
    return path
  }
}

extension Arguments {
  /// An integer in a range.
  func integer<Integer: FixedWidthInteger>(
    _ option: String, in range: ClosedRange<Integer>
  ) throws(Failure) -> Integer? {
    guard let text = text(option) else { return nil }
    guard let value = Integer(text), range.contains(value) else {
      throw .usage(
        "--\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not \"\(text)\"")
    }
    return value
  }

  /// A number of bytes, as it is or in units of 1,024 (K), their squares (M) or cubes (G).
  func byteCount(_ option: String) throws(Failure) -> Int? {
    guard let text = text(option) else { return nil }
    let shift = ["K": 10, "M": 20, "G": 30][String(text.suffix(1))] ?? 0
    let digits = shift == 0 ? text[...] : text.dropLast()
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(digits), count > 0,
      count <= Int.max >> shift
    else { throw .usage("--\(option) must be a size like 512M or 2G, not \"\(text)\"") }
    return count << shift
  }

  /// One of several words; `words` are in the order of the message.
  func choice<Value>(
    _ option: String, _ words: KeyValuePairs<String, Value>
  ) throws(Failure) -> Value? {
    guard let text = text(option) else { return nil }
    guard let word = words.first(where: { $0.key == text }) else {
      throw .usage(
        "--\(option) must be \(words.map(\.key).joined(separator: ", ")), not \"\(text)\"")
    }
    return word.value
  }

  /// A user's id.
  func user(_ option: String) throws(Failure) -> UserID? {
    try text(option).map { (text) throws(Failure) in try identifier(text, option) }
  }

  /// A message's id.
  func messageID(_ option: String) throws(Failure) -> MessageID? {
    try text(option).map { (text) throws(Failure) in try identifier(text, option) }
  }

  /// The messages that `--conversation` and `--message` name, in the order given.
  func messages() throws(Failure) -> [MessageKey] {
    let text = try required("conversation")
    let conversation: Conversation
    do throws(IdentifierError) {
      conversation = try Conversation(parsing: text)
    } catch {
      throw .usage("--conversation: \(error)")
    }
    return try values["message", default: []].map { (text) throws(Failure) in
      let id: MessageID = try identifier(text, "message")
      do throws(IdentifierError) {
        return try MessageKey(conversation, id)
      } catch {
        throw .usage("--conversation and --message: \(error)")
      }
    }
  }

  /// The one message that `--conversation` and `--message` name.
  func message() throws(Failure) -> MessageKey {
    guard let message = try messages().first else { throw .usage("--message is missing: add it") }
    return message
  }

  private func identifier<Kind>(
    _ text: String, _ option: String
  ) throws(Failure) -> Identifier<Kind> {
    do throws(IdentifierError) {
      return try Identifier(text)
    } catch {
      throw .usage("--\(option): \(error)")
    }
  }

  /// A moment.
  func time(_ option: String) throws(Failure) -> Timestamp? {
    guard let text = text(option) else { return nil }
    guard let time = Timestamp(parsing: text) else {
      throw .usage(
        "--\(option): \"\(text)\" is no time in ISO 8601: write it like 2026-06-29T12:34:56Z")
    }
    return time
  }

  /// A command's id.
  func commandID(_ option: String) throws(Failure) -> CommandID? {
    guard let text = text(option) else { return nil }
    guard let id = CommandID(parsing: text) else {
      throw .usage(
        "--\(option): \"\(text)\" is no UUID: write 8-4-4-4-12 hexadecimal digits")
    }
    return id
  }

  /// The cause of a command.
  func cause(_ option: String) throws(Failure) -> Cause? {
    guard let text = text(option) else { return nil }
    guard let cause = Cause(name: text) else {
      let names = Cause.allCases.map(\.name).joined(separator: ", ")
      throw .usage("--\(option) must be one of \(names), not \"\(text)\"")
    }
    return cause
  }

  /// A moment of the ledger's history: a sequence, or a time.
  func moment(_ option: String) throws(Failure) -> Moment? {
    guard let text = text(option) else { return nil }
    if let sequence = UInt64(text) { return .sequence(sequence) }
    guard let time = Timestamp(parsing: text) else {
      throw .usage(
        "--\(option): \"\(text)\" is neither a sequence nor a time in ISO 8601 like "
          + "2026-06-29T12:34:56Z")
    }
    return .time(time)
  }

  /// A reaction.
  func reaction(_ option: String) throws(Failure) -> Reaction {
    let text = try required(option)
    do throws(InvalidReaction) {
      return try Reaction(text)
    } catch {
      throw .usage("--\(option): \(error)")
    }
  }
}
