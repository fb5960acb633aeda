internal import ReactionModel

/// Appends JSON documents to bytes, compactly, members in the order in which they are given.
///
/// Several documents may follow each other, each on its line: see ``endLine()``. What would not be
/// JSON (a value without a key inside an object, a key outside of one) is misuse and traps; that a
/// key is given only once is up to the caller.
public struct JSONWriter: Sendable {
  /// What was written.
  public internal(set) var bytes: [UInt8] = []

  private enum Container: UInt8 { case array, object }
  private var open: [Container] = []
  private var needsComma = false
  private var hasKey = false

  /// Makes a writer that has written nothing.
  public init() {}

  /// Forgets what was written, keeping the memory, so that the next document can use it.
  public mutating func removeAll() {
    precondition(open.isEmpty, "a JSON document was left open")
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Ends a document and its line; the next one may follow.
  public mutating func endLine() {
    precondition(open.isEmpty, "a JSON document was left open")
    bytes.append(0x0a)
    needsComma = false
  }
}

extension JSONWriter {
  /// Writes an object.
  ///
  /// - Parameter body: Writes the members into the writer that it is given.
  /// - Throws: What the body throws; the document is then unfinished.
  public mutating func object<E: Error>(
    _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    try container(.object, UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  /// Writes an array.
  ///
  /// - Parameter body: Writes the elements into the writer that it is given.
  /// - Throws: What the body throws; the document is then unfinished.
  public mutating func array<E: Error>(
    _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    try container(.array, UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  private mutating func container<E: Error>(
    _ container: Container, _ opening: UInt8, _ closing: UInt8,
    _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    beginValue()
    bytes.append(opening)
    open.append(container)
    needsComma = false
    let depth = open.count
    try body(&self)
    precondition(open.count == depth && !hasKey, "a JSON object or array was left unfinished")
    open.removeLast()
    bytes.append(closing)
    needsComma = true
  }

  /// Writes the key of the member whose value comes next.
  public mutating func key(_ key: String) {
    beginMember()
    quote(key.utf8Span.span)
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func beginMember() {
    precondition(open.last == .object && !hasKey, "a JSON key has no place here")
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    hasKey = true
  }

  mutating func beginValue() {
    switch open.last {
    case .object:
      precondition(hasKey, "a member of a JSON object needs a key")
      hasKey = false
    case .array:
      if needsComma { bytes.append(UInt8(ascii: ",")) }
    case nil:
      precondition(!needsComma, "a second JSON document needs a line of its own")
    }
    needsComma = true
  }
}

extension JSONWriter {
  /// Writes `null`.
  public mutating func null() {
    beginValue()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a truth value.
  public mutating func value(_ value: Bool) {
    beginValue()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes an integer.
  public mutating func value(_ value: some FixedWidthInteger) {
    beginValue()
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Writes a number as it stands.
  public mutating func value(_ value: JSONNumber) {
    beginValue()
    bytes.append(contentsOf: value.text.utf8)
  }

  /// Writes a string.
  public mutating func value(_ value: String) {
    beginValue()
    quote(value.utf8Span.span)
  }

  /// Writes any value.
  ///
  /// The recursion is as deep as the value.
  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): self.value(value)
    case .number(let value): self.value(value)
    case .string(let value): self.value(value)
    case .array(let elements):
      array { writer in
        for element in elements { writer.value(element) }
      }
    case .object(let object):
      self.object { writer in
        for member in object.members { writer.member(member.key, member.value) }
      }
    }
  }

  /// Writes a string in quotes.
  mutating func quote(_ source: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    escaped(source)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the inside of a string: runs that need no escape in one go.
  mutating func escaped(_ source: Span<UInt8>) {
    var runStart = 0
    for index in source.indices {
      let byte = source[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      bytes.append(source.extracting(runStart..<index))
      escape(byte)
      runStart = index + 1
    }
    bytes.append(source.extracting(runStart..<source.count))
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    case ..<0x20:
      bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
      bytes.append(contentsOf: String(byte, radix: 16).utf8)
    default: bytes.append(byte)
    }
  }
}
