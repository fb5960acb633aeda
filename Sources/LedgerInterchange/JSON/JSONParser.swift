internal import ReactionModel

/// Reads one JSON document (RFC 8259) from bytes, strictly.
///
/// Whatever the bytes are, the result is a value or a ``JSONError``: nothing traps. Stricter than
/// the RFC demands: a key may stand only once in an object, escapes of half surrogate pairs and a
/// byte order mark are errors. Complexity: O(*n*) in the bytes, O(*k* log *k*) in the keys of an
/// object.
public struct JSONParser {
  /// How deep arrays and objects may be nested in each other.
  public static let maximumDepth = 128

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
  public static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    var parser = JSONParser()
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
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
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
    _ body: (inout JSONParser, Span<UInt8>) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    guard depth < Self.maximumDepth else { throw error(.tooDeep) }
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

extension JSONParser {
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
