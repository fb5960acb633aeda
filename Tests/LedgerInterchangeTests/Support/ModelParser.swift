import ReactionModel

@testable import LedgerInterchange

/// A plain JSON parser, which makes a value of each thing as it meets it: what the library's one, which
/// makes ranges of bytes, must agree with in every value and every error.
struct ModelParser {
  /// The next byte to look at.
  var offset = 0
  /// How many arrays and objects are open.
  private var depth = 0
  /// Where the keys of the open objects begin, the innermost object's last.
  private var keyOffsets: [Int] = []

  private init() {}

  /// Reads a document.
  ///
  /// - Parameter bytes: The whole document; white space around it is allowed.
  /// - Returns: The document's value.
  /// - Throws: ``JSONError`` with the first fault.
  static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    var parser = ModelParser()
    parser.skipWhiteSpace(bytes)
    let value = try parser.value(bytes)
    parser.skipWhiteSpace(bytes)
    guard parser.offset == bytes.count else { throw parser.error(.expectedEnd) }
    return value
  }

  /// Reads a document.
  ///
  /// - Parameter bytes: The whole document; white space around it is allowed.
  /// - Returns: The document's value.
  /// - Throws: ``JSONError`` with the first fault.
  static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    try parse(bytes.span)
  }

  func error(_ reason: JSONError.Reason) -> JSONError { JSONError(reason, at: offset) }

  /// The next byte, or 0, which no place in a document allows, at the end.
  private func peek(_ bytes: Span<UInt8>) -> UInt8 {
    offset < bytes.count ? bytes[offset] : 0
  }

  private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0a, 0x0d: offset += 1
      default: return
      }
    }
  }

  // The recursion value → array/object → value is bounded by `maximumDepth`.
  private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    switch peek(bytes) {
    case UInt8(ascii: "\""):
      return .string(try string(bytes))
    case UInt8(ascii: "{"):
      return .object(
        try nested(bytes) { parser, bytes throws(JSONError) in
          try parser.object(bytes)
        })
    case UInt8(ascii: "["):
      return .array(
        try nested(bytes) { parser, bytes throws(JSONError) in
          try parser.array(bytes)
        })
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(try number(bytes))
    case UInt8(ascii: "t"):
      try literal("true", bytes)
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false", bytes)
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null", bytes)
      return .null
    default:
      throw error(.expectedValue)
    }
  }

  private mutating func nested<Result>(
    _ bytes: Span<UInt8>,
    _ body: (inout ModelParser, Span<UInt8>) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    guard depth < JSONParser.maximumDepth else { throw error(.tooDeep) }
    depth += 1
    offset += 1
    let result = try body(&self, bytes)
    depth -= 1
    return result
  }

  private mutating func literal(_ word: String, _ bytes: Span<UInt8>) throws(JSONError) {
    let start = offset
    for byte in word.utf8 {
      guard peek(bytes) == byte else { throw JSONError(.expectedValue, at: start) }
      offset += 1
    }
  }

  private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONNumber {
    var scanner = JSONNumberScanner(offset: offset)
    try scanner.scan(bytes)
    let text = try text(offset..<scanner.offset, of: bytes)
    offset = scanner.offset
    return JSONNumber(trusted: text)
  }

  private mutating func array(_ bytes: Span<UInt8>) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    skipWhiteSpace(bytes)
    if peek(bytes) == UInt8(ascii: "]") {
      offset += 1
      return elements
    }
    while true {
      skipWhiteSpace(bytes)
      elements.append(try value(bytes))
      skipWhiteSpace(bytes)
      switch peek(bytes) {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "]"):
        offset += 1
        return elements
      default: throw error(.expectedCommaOrEndOfArray)
      }
    }
  }
}

extension ModelParser {
  private mutating func object(_ bytes: Span<UInt8>) throws(JSONError) -> JSONObject {
    var members: [JSONObject.Member] = []
    let firstKey = keyOffsets.count
    skipWhiteSpace(bytes)
    if peek(bytes) == UInt8(ascii: "}") {
      offset += 1
      return JSONObject()
    }
    while true {
      skipWhiteSpace(bytes)
      guard peek(bytes) == UInt8(ascii: "\"") else { throw error(.expectedKey) }
      keyOffsets.append(offset)
      let key = try string(bytes)
      skipWhiteSpace(bytes)
      guard peek(bytes) == UInt8(ascii: ":") else { throw error(.expectedColon) }
      offset += 1
      skipWhiteSpace(bytes)
      members.append(.init(key, try value(bytes)))
      skipWhiteSpace(bytes)
      switch peek(bytes) {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "}"):
        offset += 1
        try refuseDuplicates(in: members, firstKey: firstKey)
        keyOffsets.removeLast(members.count)
        return JSONObject(members)
      default: throw error(.expectedCommaOrEndOfObject)
      }
    }
  }

  private func refuseDuplicates(
    in members: [JSONObject.Member], firstKey: Int
  ) throws(JSONError) {
    guard let index = Self.indexOfDuplicate(in: members) else { return }
    throw JSONError(.duplicateKey(members[index].key), at: keyOffsets[firstKey + index])
  }

  /// The least index of a member whose key an earlier member has.
  private static func indexOfDuplicate(in members: [JSONObject.Member]) -> Int? {
    if members.count <= 16 {
      for index in members.indices {
        for earlier in 0..<index where UTF8Bytes.areEqual(members[earlier].key, members[index].key)
        {
          return index
        }
      }
      return nil
    }
    // Sorted rather than hashed: Swift hashes canonically equivalent strings alike, so that keys
    // chosen for it would all fall into one bucket.
    let order = members.indices.sorted { a, b in
      let (first, second) = (members[a].key, members[b].key)
      if UTF8Bytes.precedes(first.utf8Span.span, second.utf8Span.span) { return true }
      return a < b && UTF8Bytes.areEqual(first, second)
    }
    var least: Int?
    for (a, b) in zip(order, order.dropFirst())
    where UTF8Bytes.areEqual(members[a].key, members[b].key) {
      least = min(least ?? b, b)
    }
    return least
  }
}
extension ModelParser {
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
