/// Numbers as these formats write them: each in one way only.
enum Numbers {
  /// A decimal number without sign and leading zeros; `nil` for anything else.
  static func decimal(_ text: ArraySlice<UInt8>) -> UInt64? {
    guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1 else { return nil }
    var number: UInt64 = 0
    for character in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isSumTooLarge) = product.addingReportingOverflow(
        UInt64(character - UInt8(ascii: "0")))
      guard !isTooLarge, !isSumTooLarge else { return nil }
      number = sum
    }
    return number
  }

  /// Eight hexadecimal digits in lower case; `nil` for anything else.
  static func hexadecimal(_ text: ArraySlice<UInt8>) -> UInt32? {
    guard text.count == 8 else { return nil }
    var number: UInt32 = 0
    for character in text {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = number << 4 | UInt32(character - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        number = number << 4 | UInt32(character - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return number
  }
}

extension UInt32 {
  /// Eight hexadecimal digits in lower case.
  var eightDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  /// The four bytes, the highest first.
  var bigEndianBytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
  }

  /// The number of bytes, the highest first.
  init(bigEndianBytes bytes: some Collection<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
