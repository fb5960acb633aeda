internal import ReactionModel

extension JSONScanner {
  /// Reads the string whose opening quote is at the offset.
  @inline(__always)
  mutating func string(_ bytes: Span<UInt8>) throws(JSONError) {
    let quote = offset
    offset += 1
    try skipRun(bytes, openedAt: quote)
    guard bytes[offset] == UInt8(ascii: "\"") else {
      return try decode(bytes, openedAt: quote)
    }
    append(.string, from: quote, quote + 1..<offset)
    offset += 1
  }

  /// Decodes the string whose first escape is at the offset.
  private mutating func decode(
    _ bytes: Span<UInt8>, openedAt quote: Int
  ) throws(JSONError) {
    let start = decoded.count
    var runStart = quote + 1
    while bytes[offset] != UInt8(ascii: "\"") {
      decoded.append(bytes.extracting(runStart..<offset))
      try escape(bytes, openedAt: quote)
      runStart = offset
      try skipRun(bytes, openedAt: quote)
    }
    decoded.append(bytes.extracting(runStart..<offset))
    // Each run was checked and each escape gives a whole scalar: together they are UTF-8.
    append(.decodedString, from: quote, start..<decoded.count)
    offset += 1
  }

  /// Moves to the next quote or backslash, and checks that what is before it is UTF-8.
  @inline(__always)
  private mutating func skipRun(
    _ bytes: Span<UInt8>, openedAt quote: Int
  ) throws(JSONError) {
    let start = offset
    var (index, union): (Int, UInt8) = (offset, 0)
    while true {
      guard index < bytes.count else { throw JSONError(.unterminatedString, at: quote) }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      guard byte >= 0x20 else { throw JSONError(.controlCharacter, at: index) }
      union |= byte
      index &+= 1
    }
    offset = index
    if union >= 0x80 { try Self.checkUTF8(start..<index, of: bytes) }
  }

  private static func checkUTF8(_ range: Range<Int>, of bytes: Span<UInt8>) throws(JSONError) {
    do {
      _ = try UTF8Span(validating: bytes.extracting(range))
    } catch {
      throw JSONError(.invalidUTF8, at: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  /// Reads the escape whose backslash is at the offset.
  private mutating func escape(
    _ bytes: Span<UInt8>, openedAt quote: Int
  ) throws(JSONError) {
    let start = offset
    guard start + 1 < bytes.count else { throw JSONError(.unterminatedString, at: quote) }
    offset += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      decoded.append(bytes[start + 1])
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0c)
    case UInt8(ascii: "n"): decoded.append(0x0a)
    case UInt8(ascii: "r"): decoded.append(0x0d)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      guard let first = fourDigits(bytes) else { throw JSONError(.invalidEscape, at: start) }
      let scalar = try scalar(first, escapedAt: start, bytes)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { decoded.append(byte) }
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
