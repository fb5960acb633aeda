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
    // One check of the range: inside the part, the length is known. A sum that overflows is below
    // the offset, and no range.
    let part = extracting(offset..<offset &+ byteCount)
    // Sound: the loads are checked against the bounds, and any bytes are a number.
    switch byteCount {
    case 8: return UInt64(bigEndian: unsafe part.bytes.unsafeLoadUnaligned(as: UInt64.self))
    case 6: return UInt64(part.fourBytes) << 16 | UInt64(part.twoBytes(at: 4))
    case 4: return UInt64(part.fourBytes)
    case 2: return UInt64(part.twoBytes(at: 0))
    default:
      var value: UInt64 = 0
      for index in 0..<byteCount { value = value << 8 | UInt64(part[index]) }
      return value
    }
  }

  @inlinable @inline(__always)
  var fourBytes: UInt32 {
    // Sound: as above.
    UInt32(bigEndian: unsafe bytes.unsafeLoadUnaligned(as: UInt32.self))
  }

  @inlinable @inline(__always)
  func twoBytes(at offset: Int) -> UInt16 {
    // Sound: as above.
    UInt16(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
