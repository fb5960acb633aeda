extension Span<UInt8> {
  /// Whether the bytes are UTF-8.
  ///
  /// - Complexity: O(count); of ASCII alone, O(count / 8).
  package func isUTF8() -> Bool { isUTF8(0..<count) }

  /// Whether the bytes of a range are UTF-8 by themselves; it must lie in the span.
  ///
  /// - Complexity: O(count of the range); of ASCII alone, an eighth of that.
  package func isUTF8(_ range: Range<Int>) -> Bool {
    // Sound: every word that is read below lies in the range, and this says that the range is here.
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "outside the bytes")
    let (bytes, end) = (unsafe bytes, range.upperBound)
    var offset = range.lowerBound
    while offset < end {
      // What is mostly there, two words at a time.
      while end &- offset >= 16 {
        let words = unsafe (
          bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self),
          bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 8, as: UInt64.self)
        )
        guard (words.0 | words.1) & Self.highBits == 0 else { break }
        offset &+= 16
      }
      if offset == end { return true }
      let word =
        end &- offset >= 8
        ? UInt64(
          bigEndian: unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: offset, as: UInt64.self)) : lastWord(offset..<end)
      let asciiCount = (word & Self.highBits).leadingZeroBitCount &>> 3
      if asciiCount > 0 {
        offset &+= asciiCount
        continue
      }
      let byteCount = Self.characterByteCount(word)
      guard byteCount > 0, end &- offset >= byteCount else { return false }
      offset &+= byteCount
    }
    return true
  }

  /// Whether the bytes of a range are ASCII; it must lie in the span, and eight bytes follow it.
  ///
  /// - Complexity: O(count of the range / 8).
  @inline(__always)
  package func isASCII(_ range: Range<Int>) -> Bool {
    // Sound: every word that is read begins in the range, and this says that its end is here.
    precondition(range.lowerBound >= 0 && range.upperBound <= count &- 8, "outside the bytes")
    let bytes = unsafe bytes
    var (offset, union): (Int, UInt64) = (range.lowerBound, 0)
    while range.upperBound &- offset >= 8 {
      union |= unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    let last = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    // What of the last word lies in the range.
    let count = UInt64(truncatingIfNeeded: range.upperBound &- offset)
    let mask = (1 as UInt64) &<< (8 &* count) &- 1
    return (union | UInt64(littleEndian: last) & mask) & Self.highBits == 0
  }

  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Fewer than eight bytes as one number, the first the highest; zeros follow the last.
  @inline(__always)
  private func lastWord(_ range: Range<Int>) -> UInt64 {
    // Where eight bytes are, they are read at once, and those that do not belong here shifted out.
    let missing = UInt64(truncatingIfNeeded: 8 &* (8 &- range.count))
    if count &- range.lowerBound >= 8 {
      return (word(at: range.lowerBound) &>> missing) &<< missing
    }
    var word: UInt64 = 0
    for index in range { word = word << 8 | UInt64(self[index]) }
    return word &<< missing
  }

  /// The length of the character of two to four bytes that a word begins with; 0 if there is none.
  ///
  /// Unicode, table 3-7: shortest forms only, no surrogates, nothing above U+10FFFF.
  @inline(__always)
  private static func characterByteCount(_ word: UInt64) -> Int {
    let top = UInt32(truncatingIfNeeded: word &>> 32)
    if top & 0xF8C0_C0C0 == 0xF080_8080 {
      // The bits above the lowest twelve: planes 1 to 16.
      let high = (top &>> 24 & 0x07) << 6 | top &>> 16 & 0x3F
      return high >= 0x10 && high < 0x110 ? 4 : 0
    }
    if top & 0xF0C0_C000 == 0xE080_8000 {
      let high = (top &>> 24 & 0x0F) << 6 | top &>> 16 & 0x3F
      return high >= 0x20 && high & 0x3E0 != 0x360 ? 3 : 0
    }
    return top & 0xE0C0_0000 == 0xC080_0000 && top >= 0xC200_0000 ? 2 : 0
  }
}

extension UInt8 {
  /// Whether it is a byte of a character of UTF-8 after its first.
  var isInsideCharacter: Bool { self & 0xC0 == 0x80 }
}
