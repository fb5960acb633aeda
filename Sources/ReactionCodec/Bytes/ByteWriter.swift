extension [UInt8] {
  /// Appends the low `byteCount` bytes of a number, the highest first.
  package mutating func append(bigEndian value: UInt64, byteCount: Int) {
    var shift = UInt64(byteCount) &* 8
    while shift > 0 {
      shift &-= 8
      append(UInt8(truncatingIfNeeded: value &>> shift))
    }
  }

  package mutating func append(u16 value: UInt16) { append(bigEndian: UInt64(value), byteCount: 2) }
  package mutating func append(u32 value: UInt32) { append(bigEndian: UInt64(value), byteCount: 4) }
  /// Appends a sequence; it must be below 2^48.
  package mutating func append(u48 value: UInt64) {
    precondition(value < 1 << 48, "sequences end at 2^48")
    append(bigEndian: value, byteCount: 6)
  }
  package mutating func append(u64 value: UInt64) { append(bigEndian: value, byteCount: 8) }

  /// Writes the low `byteCount` bytes of a number in place, the highest first.
  mutating func set(bigEndian value: UInt64, byteCount: Int, at offset: Int) {
    for index in 0..<byteCount {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (byteCount - 1 - index)))
    }
  }
}

extension Span<UInt8> {
  /// The `byteCount` bytes from `offset` on as one number; they must be there.
  ///
  /// Public, as all that is `@inlinable` here: of what is `package` other modules inline nothing.
  @inlinable @inline(__always)
  public func bigEndian(at offset: Int, byteCount: Int) -> UInt64 {
    // Six bytes are read as four and two, for which processors have instructions.
    guard byteCount == 6 else { return word(at: offset, byteCount: byteCount) }
    return word(at: offset, byteCount: 4) << 16 | word(at: offset + 4, byteCount: 2)
  }

  @inlinable @inline(__always)
  func word(at offset: Int, byteCount: Int) -> UInt64 {
    // One check of the range: inside the part, the length is known.
    let part = extracting(offset..<offset + byteCount)
    var value: UInt64 = 0
    for index in 0..<byteCount { value = value << 8 | UInt64(part[index]) }
    return value
  }
}
