/// Standard Base64 with padding (RFC 4648, section 4), in which each byte string has one text only.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of bytes.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    var (pending, bitCount): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      (pending, bitCount) = (pending << 8 | UInt32(byte), bitCount + 8)
      while bitCount >= 6 {
        bitCount -= 6
        text.append(digits[Int(pending >> bitCount & 63)])
      }
    }
    if bitCount > 0 { text.append(digits[Int(pending << (6 - bitCount) & 63)]) }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; `nil` if it is not what ``text(_:)`` gives for any bytes.
  static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var content = text
    for _ in 0..<2 where content.last == UInt8(ascii: "=") { content.removeLast() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count * 3 / 4)
    var (pending, bitCount): (UInt32, UInt32) = (0, 0)
    for character in content {
      guard let value = value(character) else { return nil }
      (pending, bitCount) = (pending << 6 | value, bitCount + 6)
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> bitCount))
      }
    }
    // What is left over must be less than a character, and zeros.
    guard bitCount < 6, pending & (1 << bitCount - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
