/// A value of 16 bytes written as a UUID: what command ids and ledger ids are made of.
public struct SixteenBytes: Hashable, Comparable, Sendable {
  /// The first eight bytes, read big-endian.
  public let high: UInt64
  /// The last eight bytes, read big-endian.
  public let low: UInt64

  /// Makes the value from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses the 36 characters of a UUID, in either case.
  ///
  /// - Parameter text: 8-4-4-4-12 hexadecimal digits; `nil` results if it is anything else.
  public init?(parsing text: String) { self.init(utf8: text.utf8Span.span) }

  /// Parses the 36 bytes of a UUID, in either case.
  ///
  /// - Parameter bytes: 8-4-4-4-12 hexadecimal digits; `nil` results if they are anything else.
  public init?(utf8 bytes: Span<UInt8>) {
    guard bytes.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in bytes.indices {
      let byte = bytes[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.hexadecimalDigit(byte) else { return nil }
      (high, low) = (high << 4 | low >> 60, low << 4 | digit)
    }
    self.init(high: high, low: low)
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The order of the bytes.
  public static func < (a: Self, b: Self) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension SixteenBytes: CustomStringConvertible {
  /// The UUID in lower case.
  public var description: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the UUID in lower case.
  package func appendText(to bytes: inout [UInt8]) {
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        bytes.append(UInt8(ascii: "-"))
      }
      let half = index < 16 ? high : low
      bytes.append(hexadecimal: half &>> UInt64(60 - index % 16 * 4))
    }
  }
}

extension [UInt8] {
  /// Appends the lowest four bits of a number as a digit, in lower case.
  package mutating func append(hexadecimal value: UInt64) {
    let digit = UInt8(truncatingIfNeeded: value & 15)
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
  }
}

/// The id that a caller gives a command so that it can be asked again safely: 16 bytes, a UUID.
///
/// Use ids in order of time (UUID version 7): random ones make a write 2.2 to 2.7 times as dear.
public typealias CommandID = SixteenBytes

/// The id of a ledger, drawn at random when it is created and kept by backup and restore.
public typealias LedgerID = SixteenBytes
