import ReactionCodec
import ReactionModel

/// The bytes that hexadecimal digits say; spaces and line ends between them mean nothing.
func bytes(_ text: String) -> [UInt8] {
  var result: [UInt8] = []
  var high: UInt8?
  for character in text where !character.isWhitespace {
    guard let digit = character.hexDigitValue.map({ UInt8($0) }) else {
      preconditionFailure("\(character) is no hexadecimal digit")
    }
    if let first = high {
      result.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  precondition(high == nil, "an odd number of digits")
  return result
}

/// Bytes as hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// A text of so many bytes.
func text(byteCount: Int) -> String { String(repeating: "x", count: byteCount) }

/// A record's bytes with a seal of zeros: the codec carries seals and does not look at them.
func encoded(_ record: Record, seal: UInt64 = 0) -> [UInt8] {
  var result: [UInt8] = []
  RecordFormat.encode(record, into: &result)
  result.append(u64: seal)
  return result
}

/// The record in these bytes, or why there is none.
func decodeRecord(_ bytes: [UInt8]) -> Result<Record, CodecError> {
  do throws(CodecError) {
    return .success(try RecordFormat.decode(bytes.span))
  } catch {
    return .failure(error)
  }
}

extension Result where Failure == CodecError {
  /// Why there is no value.
  var error: CodecError? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension Reaction {
  /// A reaction from bytes as the store has them.
  init(stored text: String) throws(InvalidReaction) { try self.init(canonical: text.utf8Span.span) }
}
