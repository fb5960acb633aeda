/// Why bytes are not one JSON document, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong at the offset.
  public enum Reason: Hashable, Sendable {
    /// A value had to begin here.
    case expectedValue
    /// Nothing but white space may follow the document.
    case expectedEnd
    /// A key in quotes had to begin here.
    case expectedKey
    /// A colon had to follow the key.
    case expectedColon
    /// A comma or the end of the object had to follow.
    case expectedCommaOrEndOfObject
    /// A comma or the end of the array had to follow.
    case expectedCommaOrEndOfArray
    /// A digit had to follow.
    case expectedDigit
    /// A number other than 0 begins with a zero.
    case leadingZero
    /// The string has no closing quote.
    case unterminatedString
    /// A string holds a control character that is not escaped.
    case controlCharacter
    /// A backslash is followed by none of JSON's escapes.
    case invalidEscape
    /// An escape names half of a surrogate pair without the other half.
    case loneSurrogate
    /// The bytes of a string are not UTF-8.
    case invalidUTF8
    /// Arrays and objects are nested deeper than ``JSONParser/maximumDepth``.
    case tooDeep
    /// The document has 2 GiB or more.
    case tooLong
    /// The object has this key already.
    case duplicateKey(String)
  }

  /// Where in the document, in bytes from its beginning.
  public let offset: Int
  /// What was wrong there.
  public let reason: Reason

  /// Makes an error.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason and the offset in words.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .expectedValue: "expected a value"
    case .expectedEnd: "expected the end of the document"
    case .expectedKey: "expected a key in quotes"
    case .expectedColon: "expected a colon"
    case .expectedCommaOrEndOfObject: "expected a comma or }"
    case .expectedCommaOrEndOfArray: "expected a comma or ]"
    case .expectedDigit: "expected a digit"
    case .leadingZero: "expected no leading zero"
    case .unterminatedString: "expected the closing quote of a string"
    case .controlCharacter: "expected control characters to be escaped"
    case .invalidEscape: "expected one of JSON's escapes"
    case .loneSurrogate: "expected both halves of a surrogate pair"
    case .invalidUTF8: "expected UTF-8"
    case .tooDeep: "expected at most \(JSONParser.maximumDepth) levels of nesting"
    case .tooLong: "expected less than 2 GiB"
    case .duplicateKey(let key): "expected no second key \"\(key)\""
    }
  }
}
