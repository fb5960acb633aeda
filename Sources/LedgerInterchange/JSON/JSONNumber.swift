internal import ReactionModel

/// A JSON number as it is written, so that no digit is lost; read as a machine number when asked.
///
/// Two numbers are equal exactly if they are written alike: `1`, `1.0` and `1e0` are three.
public struct JSONNumber: Sendable, CustomStringConvertible {
  /// The number as it is written.
  public let text: String

  /// Makes a number from a text that is known to be one.
  init(trusted text: String) { self.text = text }

  /// Makes a number from a text.
  ///
  /// - Parameter text: A number as JSON writes it; `nil` results if it is anything else.
  public init?(_ text: String) {
    var scanner = JSONNumberScanner(offset: 0)
    let bytes = text.utf8Span.span
    guard (try? scanner.scan(bytes)) != nil, scanner.offset == bytes.count else { return nil }
    self.text = text
  }

  /// Makes a number from an integer.
  public init(_ value: some FixedWidthInteger) { text = String(value) }

  /// Makes a number from a floating-point one, in the fewest digits that give it back.
  ///
  /// - Parameter value: The number; `nil` results if it is infinite or not a number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// The number, if it is written without fraction and exponent and fits.
  public var int64: Int64? { Int64(text) }
  /// The number, if it is written without fraction and exponent and fits; `-0` is 0.
  public var uint64: UInt64? { UInt64(text) }
  /// The nearest number in binary floating point, if there is a finite one.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The number as it is written.
  public var description: String { text }
}

extension JSONNumber: Equatable {
  /// Whether two numbers are written alike.
  public static func == (a: Self, b: Self) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }
}

/// Finds the end of a number.
struct JSONNumberScanner {
  /// The next byte to look at; after a scan the first one behind the number.
  var offset: Int

  /// Moves behind the number that begins at the offset.
  mutating func scan(_ bytes: Span<UInt8>) throws(JSONError) {
    _ = skip(UInt8(ascii: "-"), in: bytes)
    if skip(UInt8(ascii: "0"), in: bytes) {
      guard !isDigit(bytes) else { throw JSONError(.leadingZero, at: offset - 1) }
    } else {
      try digits(bytes)
    }
    if skip(UInt8(ascii: "."), in: bytes) { try digits(bytes) }
    if skip(UInt8(ascii: "e"), in: bytes) || skip(UInt8(ascii: "E"), in: bytes) {
      if !skip(UInt8(ascii: "+"), in: bytes) { _ = skip(UInt8(ascii: "-"), in: bytes) }
      try digits(bytes)
    }
  }

  private func isDigit(_ bytes: Span<UInt8>) -> Bool {
    offset < bytes.count && bytes[offset] &- UInt8(ascii: "0") < 10
  }

  private mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func digits(_ bytes: Span<UInt8>) throws(JSONError) {
    guard isDigit(bytes) else { throw JSONError(.expectedDigit, at: offset) }
    while isDigit(bytes) { offset += 1 }
  }
}
