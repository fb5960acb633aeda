public import ReactionModel

// A line of an export: a record with all that the ledger knows of it, from which the very same bytes
// can be made again. It has the keys of the record's JSON form and besides
//   `previous`: the sequence of the last event on the same message, 0 for its first,
//   `operation`, and `index` and `count` where its command has several records,
//   `actorNumber` where there is an actor,
//   `introduces`: for each user mentioned here first `number`, `commitment` and, unless erased since,
//     `salt` and `id`, with `closing` where the erasure was under way,
//   `seal`.
// Hashes and salts are hexadecimal.

extension JSONWriter {
  /// Writes a line of an export.
  ///
  /// - Parameters:
  ///   - logged: The record.
  ///   - format: The version of the ledger's format, for the notice *created*.
  public mutating func line(of logged: LoggedRecord, format: Int) {
    let record = logged.entry.record
    object { writer in
      writer.members(of: logged.entry, format: format)
      if case .change(let change) = record.content {
        writer.member("previous", change.previous)
      }
      writer.member("actorNumber", ifPresent: record.actor)
      writer.member("operation", record.place.operation.name)
      if record.place.count > 1 {
        writer.member("index", record.place.index)
        writer.member("count", record.place.count)
      }
      if !logged.introductions.isEmpty {
        writer.array("introduces") { writer in
          for introduction in logged.introductions {
            writer.object { $0.members(of: introduction, in: record) }
          }
        }
      }
      writer.member("seal", Hexadecimal.text(logged.seal))
    }
    endLine()
  }

  private mutating func members(
    of introduction: LoggedRecord.Introduction, in record: Record
  ) {
    let commitment =
      introduction.number == record.user ? record.userCommitment : record.actorCommitment
    member("number", introduction.number)
    if let words = commitment?.words {
      member(
        "commitment",
        [words.0, words.1, words.2, words.3].map { Hexadecimal.text($0) }.joined())
    }
    guard let opening = introduction.opening else { return }
    member("salt", Hexadecimal.text(opening.salt.high) + Hexadecimal.text(opening.salt.low))
    member("id", opening.id.text)
    if opening.isClosing { member("closing", true) }
  }
}

/// Hexadecimal digits of 64-bit words, all sixteen, in lower case.
enum Hexadecimal {
  static func text(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The bytes whose 32 digits, in lower case, a text is; `nil` if it is anything else.
  static func sixteenBytes(_ text: Span<UInt8>) -> SixteenBytes? {
    guard text.count == 32, let high = word(text, at: 0), let low = word(text, at: 16) else {
      return nil
    }
    return SixteenBytes(high: high, low: low)
  }

  /// The word whose 16 digits, in lower case, are at an offset; `nil` if there is anything else.
  static func word(_ text: Span<UInt8>, at offset: Int) -> UInt64? {
    var word: UInt64 = 0
    for index in offset..<offset + 16 {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(byte - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(byte - 87)
      default: return nil
      }
    }
    return word
  }
}
