internal import ReactionModel

// Bytes eight at a time. Inlinable since the replay calls them several times for each record.
extension Span<UInt8> {
  /// The eight bytes from `offset` on as one number, the first byte the highest; they must be there.
  @inlinable package func word(at offset: Int) -> UInt64 {
    // Sound: the load is checked against the bounds, and any eight bytes are a number.
    UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The four bytes from `offset` on as one number, the first byte the highest; they must be there.
  @inlinable package func halfWord(at offset: Int) -> UInt32 {
    // Sound: as above.
    UInt32(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Whether two spans hold the same bytes.
  ///
  /// - Complexity: O(count / 8).
  @inlinable package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else {
      for index in indices where self[index] != other[index] { return false }
      return true
    }
    let last = count &- 8
    var offset = 0
    while offset < last {
      if word(at: offset) != other.word(at: offset) { return false }
      offset &+= 8
    }
    return word(at: last) == other.word(at: last)
  }

  /// Whether the bytes are UTF-8.
  ///
  /// - Complexity: O(count); of ASCII alone, O(count / 8).
  func isUTF8() -> Bool {
    if isASCII() { return true }
    do {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }

  private func isASCII() -> Bool {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    guard count >= 8 else {
      var union: UInt8 = 0
      for index in indices { union |= self[index] }
      return union < 0x80
    }
    let last = count &- 8
    var (offset, union) = (0, word(at: last))
    while offset < last {
      union |= word(at: offset)
      offset &+= 8
    }
    return union & highBits == 0
  }
}
