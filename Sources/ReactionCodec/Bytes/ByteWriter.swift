extension [UInt8] {
  /// Appends the low `byteCount` bytes of a number, the highest first; 1 to 8 of them.
  package mutating func append(bigEndian value: UInt64, byteCount: Int) {
    precondition(byteCount >= 1 && byteCount <= 8, "a number has 1 to 8 bytes")
    let word = (value &<< UInt64(truncatingIfNeeded: 64 &- 8 &* byteCount)).bigEndian
    // Sound: the bytes are the first of a word that is alive.
    unsafe Swift.withUnsafeBytes(of: word) {
      unsafe append(contentsOf: UnsafeRawBufferPointer(start: $0.baseAddress, count: byteCount))
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

  /// Writes the low `byteCount` bytes of a number in place, the highest first: 2, 4 or 6 of them.
  mutating func set(bigEndian value: UInt64, byteCount: Int, at offset: Int) {
    var span = mutableSpan
    // Sound: any bytes are elements; whether they are inside is checked.
    var bytes = unsafe span.mutableBytes
    let low = UInt16(truncatingIfNeeded: value).bigEndian
    switch byteCount {
    case 6:
      let high = UInt32(truncatingIfNeeded: value &>> 16).bigEndian
      bytes.storeBytes(of: high, toByteOffset: offset, as: UInt32.self)
      bytes.storeBytes(of: low, toByteOffset: offset + 4, as: UInt16.self)
    case 4:
      let all = UInt32(truncatingIfNeeded: value).bigEndian
      bytes.storeBytes(of: all, toByteOffset: offset, as: UInt32.self)
    case 2: bytes.storeBytes(of: low, toByteOffset: offset, as: UInt16.self)
    default: preconditionFailure("no field of a row has \(byteCount) bytes")
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
    case 8: return part.word(at: 0)
    case 6: return UInt64(part.halfWord(at: 0)) << 16 | UInt64(part.quarterWord(at: 4))
    case 4: return UInt64(part.halfWord(at: 0))
    case 2: return UInt64(part.quarterWord(at: 0))
    default:
      var value: UInt64 = 0
      for index in 0..<byteCount { value = value << 8 | UInt64(part[index]) }
      return value
    }
  }
}
