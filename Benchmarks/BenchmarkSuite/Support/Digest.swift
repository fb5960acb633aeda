/// A digest of a result (FNV-1a), so that a wrong answer does not go unseen.
struct Digest: Equatable {
  private(set) var value: UInt64

  /// Of nothing, or as another process told it.
  init(value: UInt64 = 0xcbf2_9ce4_8422_2325) { self.value = value }

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  mutating func add(_ number: Int) {
    var rest = UInt64(truncatingIfNeeded: number)
    repeat {
      add(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    } while rest > 0
  }

  /// Adds text and its end.
  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff)
  }

  /// Adds the bytes of a text and its end.
  mutating func add(_ text: Span<UInt8>) {
    for index in text.indices { add(text[index]) }
    add(0xff)
  }

  /// Sixteen hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
