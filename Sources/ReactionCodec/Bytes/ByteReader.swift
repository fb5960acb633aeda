/// Reads big-endian fields one after another; every read past the end is a typed error.
struct ByteReader: ~Escapable {
  private let bytes: Span<UInt8>
  private(set) var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  var remainingCount: Int { bytes.count - offset }

  /// The next `byteCount` bytes as one number.
  @_lifetime(self: copy self)
  private mutating func number(
    _ byteCount: Int, _ field: StaticString
  ) throws(CodecError) -> UInt64 {
    guard remainingCount >= byteCount else { throw .endsInside(field.description) }
    var value: UInt64 = 0
    for index in offset..<offset + byteCount { value = value << 8 | UInt64(bytes[index]) }
    offset += byteCount
    return value
  }

  @_lifetime(self: copy self)
  mutating func u8(_ field: StaticString) throws(CodecError) -> UInt8 {
    UInt8(truncatingIfNeeded: try number(1, field))
  }

  @_lifetime(self: copy self)
  mutating func u16(_ field: StaticString) throws(CodecError) -> UInt16 {
    UInt16(truncatingIfNeeded: try number(2, field))
  }

  @_lifetime(self: copy self)
  mutating func u32(_ field: StaticString) throws(CodecError) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(4, field))
  }

  @_lifetime(self: copy self)
  mutating func u48(_ field: StaticString) throws(CodecError) -> UInt64 { try number(6, field) }

  @_lifetime(self: copy self)
  mutating func u64(_ field: StaticString) throws(CodecError) -> UInt64 { try number(8, field) }

  @_lifetime(self: copy self)
  @_lifetime(copy self)
  mutating func take(_ byteCount: Int, _ field: StaticString) throws(CodecError) -> Span<UInt8> {
    guard byteCount >= 0, remainingCount >= byteCount else { throw .endsInside(field.description) }
    let part = bytes.extracting(offset..<offset + byteCount)
    offset += byteCount
    return part
  }

  func requireEnd() throws(CodecError) {
    guard remainingCount == 0 else { throw .trailingBytes(count: remainingCount) }
  }
}
