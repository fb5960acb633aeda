internal import ReactionModel

/// A value or a key of a document, as a place among its bytes.
struct JSONNode: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case null, yes, no, number, string
    /// A string that had escapes: its range is one of the decoded bytes.
    case decodedString
    /// The elements follow, one after the other.
    case array
    /// Keys and values follow by turns.
    case object
  }

  let kind: Kind
  /// Where it begins in the document.
  let offset: UInt32
  /// Of a string what is between the quotes, of a number all of it.
  let start: UInt32
  let end: UInt32
  /// The index of the first node that is not inside.
  var next: UInt32

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// Takes a JSON document (RFC 8259) apart, strictly, into memory that the next one uses again.
///
/// It is the only code that reads JSON: values are made of its nodes. Whatever the bytes are, they
/// give nodes or a ``JSONError``. A document is at most ``maximumByteCount`` long.
struct JSONScanner {
  /// The document's value and all that is inside it, in order.
  private(set) var nodes: [JSONNode] = []
  /// The strings that had escapes, without them, one after another.
  var decoded: [UInt8] = []
  /// The next byte to look at.
  var offset = 0
  /// How many arrays and objects are open.
  private var depth = 0

  /// So that every offset, decoded ones too, has 32 bits.
  static let maximumByteCount = Int(Int32.max)

  /// Takes a document apart, in place of the one before; if that fails, holds `null`.
  mutating func scan(_ bytes: Span<UInt8>) throws(JSONError) {
    do throws(JSONError) {
      try document(bytes)
    } catch {
      clear()
      throw error
    }
  }

  private mutating func document(_ bytes: Span<UInt8>) throws(JSONError) {
    nodes.removeAll(keepingCapacity: true)
    decoded.removeAll(keepingCapacity: true)
    (offset, depth) = (0, 0)
    guard bytes.count <= Self.maximumByteCount else { throw error(.tooLong) }
    skipWhiteSpace(bytes)
    try value(bytes)
    skipWhiteSpace(bytes)
    guard offset == bytes.count else { throw error(.expectedEnd) }
  }

  /// Holds `null`, in place of the document before.
  mutating func clear() {
    nodes.removeAll(keepingCapacity: true)
    append(.null, from: 0, 0..<0)
  }

  func error(_ reason: JSONError.Reason) -> JSONError { JSONError(reason, at: offset) }

  @inline(__always)
  mutating func append(_ kind: JSONNode.Kind, from offset: Int, _ range: Range<Int>) {
    nodes.append(
      JSONNode(
        kind: kind, offset: UInt32(truncatingIfNeeded: offset),
        start: UInt32(truncatingIfNeeded: range.lowerBound),
        end: UInt32(truncatingIfNeeded: range.upperBound),
        next: UInt32(truncatingIfNeeded: nodes.count &+ 1)))
  }

  /// The next byte, or 0, which no place in a document allows, at the end.
  @inline(__always)
  private func peek(_ bytes: Span<UInt8>) -> UInt8 {
    offset < bytes.count ? bytes[offset] : 0
  }

  @inline(__always)
  private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0a, 0x0d: offset += 1
      default: return
      }
    }
  }

  // The recursion value → array/object → value is bounded by `maximumDepth`.
  private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) {
    switch peek(bytes) {
    case UInt8(ascii: "\""): try string(bytes)
    case UInt8(ascii: "{"): try container(.object, bytes)
    case UInt8(ascii: "["): try container(.array, bytes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      var scanner = JSONNumberScanner(offset: offset)
      try scanner.scan(bytes)
      append(.number, from: offset, offset..<scanner.offset)
      offset = scanner.offset
    case UInt8(ascii: "t"): try literal("true", .yes, bytes)
    case UInt8(ascii: "f"): try literal("false", .no, bytes)
    case UInt8(ascii: "n"): try literal("null", .null, bytes)
    default: throw error(.expectedValue)
    }
  }

  private mutating func literal(
    _ word: String, _ kind: JSONNode.Kind, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    let start = offset
    for byte in word.utf8 {
      guard peek(bytes) == byte else { throw JSONError(.expectedValue, at: start) }
      offset += 1
    }
    append(kind, from: start, start..<offset)
  }

  private mutating func container(
    _ kind: JSONNode.Kind, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    guard depth < JSONParser.maximumDepth else { throw error(.tooDeep) }
    depth += 1
    let index = nodes.count
    append(kind, from: offset, offset..<offset)
    offset += 1
    if kind == .object { try members(bytes) } else { try elements(bytes) }
    nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
    depth -= 1
  }

  private mutating func elements(_ bytes: Span<UInt8>) throws(JSONError) {
    skipWhiteSpace(bytes)
    if peek(bytes) == UInt8(ascii: "]") {
      offset += 1
      return
    }
    while true {
      skipWhiteSpace(bytes)
      try value(bytes)
      guard try goesOn(bytes, or: UInt8(ascii: "]"), .expectedCommaOrEndOfArray) else { return }
    }
  }

  private mutating func members(_ bytes: Span<UInt8>) throws(JSONError) {
    skipWhiteSpace(bytes)
    if peek(bytes) == UInt8(ascii: "}") {
      offset += 1
      return
    }
    var keys = JSONKeyCheck(first: nodes.count)
    while true {
      skipWhiteSpace(bytes)
      guard peek(bytes) == UInt8(ascii: "\"") else { throw error(.expectedKey) }
      let key = nodes.count
      try string(bytes)
      keys.take(key, self, bytes)
      skipWhiteSpace(bytes)
      guard peek(bytes) == UInt8(ascii: ":") else { throw error(.expectedColon) }
      offset += 1
      skipWhiteSpace(bytes)
      try value(bytes)
      guard try goesOn(bytes, or: UInt8(ascii: "}"), .expectedCommaOrEndOfObject) else {
        return try keys.finish(self, bytes)
      }
    }
  }

  /// Passes over what follows a value inside an array or object: a comma, or the end.
  @inline(__always)
  private mutating func goesOn(
    _ bytes: Span<UInt8>, or end: UInt8, _ reason: JSONError.Reason
  ) throws(JSONError) -> Bool {
    skipWhiteSpace(bytes)
    let byte = peek(bytes)
    guard byte == UInt8(ascii: ",") || byte == end else { throw error(reason) }
    offset += 1
    return byte != end
  }
}
