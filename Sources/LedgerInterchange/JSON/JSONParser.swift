/// Reads one JSON document (RFC 8259) from bytes, strictly.
///
/// Whatever the bytes are, the result is a value or a ``JSONError``: nothing traps. Stricter than
/// the RFC demands: a key may stand only once in an object, escapes of half surrogate pairs and a
/// byte order mark are errors. Complexity: O(*n*) in the bytes, O(*k* log *k*) in the keys of an
/// object.
public enum JSONParser {
  /// How deep arrays and objects may be nested in each other.
  public static let maximumDepth = 128

  /// Reads a document.
  ///
  /// - Parameter bytes: The whole document; white space around it is allowed.
  /// - Returns: The document's value.
  /// - Throws: ``JSONError`` with the first fault.
  public static func parse(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    var scanner = JSONScanner()
    try scanner.scan(bytes)
    return JSONValue(JSONView(bytes, scanner.decoded.span, scanner.nodes.span, at: 0))
  }

  /// Reads a document.
  ///
  /// - Parameter bytes: The whole document; white space around it is allowed.
  /// - Returns: The document's value.
  /// - Throws: ``JSONError`` with the first fault.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    try parse(bytes.span)
  }
}
