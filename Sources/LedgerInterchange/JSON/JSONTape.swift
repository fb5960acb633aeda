internal import ReactionModel

/// One JSON document (RFC 8259) taken apart: its values are ranges of its bytes.
///
/// As strict as ``JSONParser``; nothing traps. The memory is used again for the next document, so
/// that reading many of them allocates nothing. Complexity: as of the parser.
public struct JSONTape: Sendable {
  /// The document's bytes; whoever changes them calls ``takeApart()``.
  var text: [UInt8] = []
  private var scanner = JSONScanner()

  /// Makes a tape that holds `null`.
  public init() { scanner.clear() }

  /// Takes a document apart, in place of the one before.
  ///
  /// - Parameter bytes: The whole document; white space around it is allowed.
  /// - Throws: ``JSONError`` with the first fault; the tape then holds `null`.
  public mutating func read(_ bytes: Span<UInt8>) throws(JSONError) {
    text.removeAll(keepingCapacity: true)
    text.append(bytes)
    try takeApart()
  }

  /// The document's value.
  public var root: JSONView {
    @_lifetime(borrow self)
    get { JSONView(text.span, scanner.decoded.span, scanner.nodes.span, at: 0) }
  }

  /// Holds `null`, in place of the document before.
  mutating func clear() { scanner.clear() }

  /// Takes the document apart whose bytes are in ``text``.
  mutating func takeApart() throws(JSONError) {
    // A reference, not a copy: a span of a property forbids to change the others.
    let text = text
    try scanner.scan(text.span)
  }
}
