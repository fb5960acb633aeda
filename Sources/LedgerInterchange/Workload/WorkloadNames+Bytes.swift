extension WorkloadNames {
  static let longestIDByteCount = 26
  private static let shortIDByteCount = 20
  /// Crockford's digits of base 32 in lower case.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  static func appendConversationID(_ index: UInt32, to bytes: inout [UInt8]) {
    appendRandomText(shortIDByteCount, seed: 1 << 40 | UInt64(index), to: &bytes)
  }

  static func appendUserID(_ index: UInt32, to bytes: inout [UInt8]) {
    appendRandomText(shortIDByteCount, seed: 2 << 40 | UInt64(index), to: &bytes)
  }

  func appendMessageID(_ message: WorkloadMessage, to bytes: inout [UInt8]) {
    switch messageIDs {
    case .timeOrdered: Self.appendDecimal(message.number, to: &bytes)
    case .random:
      Self.appendRandomText(Self.longestIDByteCount, seed: message.number, to: &bytes)
    }
  }

  /// Appends characters that look random and sort randomly; 12 come from each draw of 64 bits.
  private static func appendRandomText(_ count: Int, seed: UInt64, to bytes: inout [UInt8]) {
    var random = WorkloadRandom(seed: seed)
    var bits: UInt64 = 0
    for position in 0..<count {
      if position % 12 == 0 { bits = random.next() }
      bytes.append(digits[Int(bits & 31)])
      bits >>= 5
    }
  }

  static func appendDecimal(_ number: UInt64, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }
}
