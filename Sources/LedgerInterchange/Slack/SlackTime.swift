internal import ReactionModel

/// Slack's times: seconds since 1970 as a decimal number in a string, which is the message's id too.
enum SlackTime {
  /// The moment that a text names, exactly; digits after the sixth of the fraction are cut off.
  ///
  /// - Parameter text: Digits, and possibly a point and further digits.
  /// - Returns: The moment; `nil` if the text is anything else or after the year 9999.
  static func timestamp(_ text: String) -> Timestamp? {
    var microseconds: Int64 = 0
    var fractionDigits: Int?
    var isEmpty = true
    for byte in text.utf8 {
      if byte == UInt8(ascii: "."), fractionDigits == nil, !isEmpty {
        (fractionDigits, isEmpty) = (0, true)
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      isEmpty = false
      if let count = fractionDigits {
        guard count < 6 else { continue }
        fractionDigits = count + 1
      }
      microseconds = microseconds * 10 + Int64(digit)
      // Far below overflow in the next step, and past the year 9999 already.
      guard microseconds <= Timestamp.range.upperBound else { return nil }
    }
    guard !isEmpty else { return nil }
    for _ in (fractionDigits ?? 0)..<6 {
      microseconds *= 10
      guard microseconds <= Timestamp.range.upperBound else { return nil }
    }
    return Timestamp(microseconds: microseconds)
  }
}
