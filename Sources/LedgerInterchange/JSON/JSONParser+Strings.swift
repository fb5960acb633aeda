internal import ReactionModel

extension JSONParser {
  /// Reads the string whose opening quote is at the offset.
  mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    let quote = offset
    offset += 1
    let start = offset
    try skipPlain(bytes, openedAt: quote)
    if bytes[offset] == UInt8(ascii: "\"") {
      let text = try text(start..<offset, of: bytes)
      offset += 1
      return text
    }
    var unescaped: [UInt8] = []
    var runStart = start
    while bytes[offset] != UInt8(ascii: "\"") {
      try append(runStart..<offset, of: bytes, to: &unescaped)
      try escape(bytes, openedAt: quote, to: &unescaped)
      runStart = offset
      try skipPlain(bytes, openedAt: quote)
    }
    try append(runStart..<offset, of: bytes, to: &unescaped)
    offset += 1
    // Each run was checked and each escape gives a whole scalar, so nothing is repaired here.
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// Moves to the next quote or backslash.
  private mutating func skipPlain(
    _ bytes: Span<UInt8>, openedAt quote: Int
  ) throws(JSONError) {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
      guard byte >= 0x20 else { throw error(.controlCharacter) }
      offset += 1
    }
    throw JSONError(.unterminatedString, at: quote)
  }

  /// The text of some bytes.
  func text(_ range: Range<Int>, of bytes: Span<UInt8>) throws(JSONError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes.extracting(range)))
    } catch {
      throw JSONError(.invalidUTF8, at: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  private func append(
    _ range: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8]
  ) throws(JSONError) {
    do {
      _ = try UTF8Span(validating: bytes.extracting(range))
    } catch {
      throw JSONError(.invalidUTF8, at: range.lowerBound + error.byteOffsets.lowerBound)
    }
    text.append(bytes.extracting(range))
  }

  /// Reads the escape whose backslash is at the offset.
  private mutating func escape(
    _ bytes: Span<UInt8>, openedAt quote: Int, to text: inout [UInt8]
  ) throws(JSONError) {
    let start = offset
    guard start + 1 < bytes.count else { throw JSONError(.unterminatedString, at: quote) }
    offset += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[start + 1])
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let first = fourDigits(bytes) else { throw JSONError(.invalidEscape, at: start) }
      let scalar = try scalar(first, escapedAt: start, bytes)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { text.append(byte) }
    default: throw JSONError(.invalidEscape, at: start)
    }
  }

  /// The scalar of an escape whose first four digits were read; of a surrogate pair reads both.
  private mutating func scalar(
    _ first: UInt32, escapedAt start: Int, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Unicode.Scalar {
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { throw JSONError(.loneSurrogate, at: start) }
    offset += 2
    guard let second = fourDigits(bytes) else { throw JSONError(.invalidEscape, at: offset - 2) }
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw JSONError(.loneSurrogate, at: start) }
    return scalar
  }

  /// Four hexadecimal digits, or `nil` without moving if they are not there.
  private mutating func fourDigits(_ bytes: Span<UInt8>) -> UInt32? {
    guard bytes.count - offset >= 4 else { return nil }
    var value: UInt32 = 0
    for index in offset..<offset + 4 {
      let digit: UInt8
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    offset += 4
    return value
  }
}
