/// Bytes of a file read as little-endian integers; places outside them read as 0.
struct PageBytes {
  var bytes: [UInt8] = []

  var count: Int { bytes.count }

  /// 16 bits.
  func half(_ offset: Int) -> Int { bytes.span.half(offset) }

  /// 64 bits.
  func word(_ offset: Int) -> UInt64 { bytes.span.word(offset) }
}

extension Span<UInt8> {
  /// 16 bits, little-endian; 0 outside the bytes.
  @inline(__always)
  func half(_ offset: Int) -> Int {
    guard offset >= 0, count &- offset >= 2 else { return 0 }
    // Sound: the bytes are there, and any bytes are a number.
    return Int(
      UInt16(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// 64 bits, little-endian; 0 outside the bytes.
  @inline(__always)
  func word(_ offset: Int) -> UInt64 {
    guard offset >= 0, count &- offset >= 8 else { return 0 }
    // Sound: as above.
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Less than 0, 0 or more than 0, as the bytes come before others, are they, or come after.
  @inline(__always)
  func order(_ other: Span<UInt8>) -> Int {
    let common = Swift.min(count, other.count)
    var offset = 0
    while common &- offset >= 8 {
      let (x, y) = (word(offset), other.word(offset))
      if x != y { return x.byteSwapped < y.byteSwapped ? -1 : 1 }
      offset &+= 8
    }
    if common >= 8 {
      // The last eight: those of them that were compared are equal.
      let (x, y) = (word(common &- 8), other.word(common &- 8))
      if x != y { return x.byteSwapped < y.byteSwapped ? -1 : 1 }
    } else {
      for index in 0..<common where self[index] != other[index] {
        return self[index] < other[index] ? -1 : 1
      }
    }
    return count &- other.count
  }
}
