/// A moment: whole microseconds since 1970-01-01 00:00 UTC, leap seconds not counted.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01 00:00 UTC; negative before.
  public let microseconds: Int64

  /// The earliest and the latest moment that have four digits of year: years 0000 to 9999.
  public static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

  /// Makes a moment, clamped to the years 0000 to 9999.
  public init(microseconds: Int64) {
    self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// Whether this moment is earlier than another.
  public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601 in UTC with microseconds, as `2026-06-29T12:34:56.789012Z`.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the 27 bytes of ``description``.
  package func appendText(to bytes: inout [UInt8]) {
    let day = Self.floorDivide(microseconds, Self.microsecondsPerDay)
    var rest = microseconds - day * Self.microsecondsPerDay
    let (year, month, dayOfMonth) = Self.civil(fromDay: day)
    let fraction = rest % 1_000_000
    rest /= 1_000_000
    Self.append(year, 4, "-", &bytes)
    Self.append(month, 2, "-", &bytes)
    Self.append(dayOfMonth, 2, "T", &bytes)
    Self.append(rest / 3600, 2, ":", &bytes)
    Self.append(rest / 60 % 60, 2, ":", &bytes)
    Self.append(rest % 60, 2, ".", &bytes)
    Self.append(fraction, 6, "Z", &bytes)
  }

  /// Appends `width` digits and what ends them.
  private static func append(
    _ value: Int64, _ width: Int, _ end: Unicode.Scalar, _ bytes: inout [UInt8]
  ) {
    var divisor: Int64 = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
    bytes.append(UInt8(ascii: end))
  }
}

extension Timestamp {
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  /// Parses ISO 8601: `YYYY-MM-DDThh:mm:ss`, a fraction if there is one, then `Z` or `±hh:mm`.
  ///
  /// Digits of the fraction after the sixth are cut off; a space may stand for the `T`.
  ///
  /// - Parameter text: The moment; `nil` results if it is anything else or no real date.
  public init?(parsing text: String) { self.init(utf8: text.utf8Span.span) }

  /// Parses the bytes of such a text.
  ///
  /// - Parameter bytes: The moment; `nil` results if it is anything else or no real date.
  public init?(utf8 bytes: Span<UInt8>) {
    var reader = DigitReader(bytes)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skip("T") || reader.skip(" "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2)
    else { return nil }
    var fraction: Int64 = 0
    if reader.skip(".") {
      guard let value = reader.fraction() else { return nil }
      fraction = value
    }
    guard let offset = reader.zone(), reader.isAtEnd, (1...12).contains(month),
      (1...Self.dayCount(ofMonth: month, year: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let days = Self.day(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    let total = seconds * 1_000_000 + fraction
    guard Self.range.contains(total) else { return nil }
    self.init(microseconds: total)
  }

  private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    a >= 0 ? a / b : -((b - 1 - a) / b)
  }

  private static func dayCount(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // Days since 1970-01-01 and back, in years that begin in March so that leap days come last
  // (the proleptic Gregorian calendar; method of Howard Hinnant's "chrono-compatible algorithms").
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = floorDivide(y, 400)
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let z = day + 719_468
    let era = floorDivide(z, 146_097)
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private struct DigitReader: ~Escapable {
    let bytes: Span<UInt8>
    var index = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    @_lifetime(self: copy self)
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    @_lifetime(self: copy self)
    mutating func digit() -> Int64? {
      guard index < bytes.count, case let value = bytes[index] &- 48, value < 10 else { return nil }
      index += 1
      return Int64(value)
    }

    @_lifetime(self: copy self)
    mutating func number(_ width: Int) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<width {
        guard let next = digit() else { return nil }
        value = value * 10 + next
      }
      return value
    }

    /// One to six digits as microseconds; further digits are cut off.
    @_lifetime(self: copy self)
    mutating func fraction() -> Int64? {
      var (value, width): (Int64, Int) = (0, 0)
      while let next = digit() {
        if width < 6 { value = value * 10 + next }
        width += 1
      }
      guard width > 0 else { return nil }
      for _ in min(width, 6)..<6 { value *= 10 }
      return value
    }

    /// The offset from UTC in seconds.
    @_lifetime(self: copy self)
    mutating func zone() -> Int64? {
      if skip("Z") { return 0 }
      let sign: Int64 = skip("-") ? -1 : 1
      guard sign == -1 || skip("+"), let hours = number(2), skip(":"), let minutes = number(2),
        hours < 24, minutes < 60
      else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
