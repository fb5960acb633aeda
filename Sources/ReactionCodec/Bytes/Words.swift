// Bytes eight at a time. Inlinable since the replay calls them several times for each record, and so
// public: of what is `package` other modules inline nothing.
extension Span<UInt8> {
  /// The eight bytes from `offset` on as one number, the first byte the highest; they must be there.
  @inlinable public func word(at offset: Int) -> UInt64 {
    // Sound: the load is checked against the bounds, and any eight bytes are a number.
    UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The four bytes from `offset` on as one number, the first byte the highest; they must be there.
  @inlinable public func halfWord(at offset: Int) -> UInt32 {
    // Sound: as above.
    UInt32(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Whether two spans hold the same bytes.
  ///
  /// - Complexity: O(count / 8).
  @inlinable public func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else {
      for index in indices where self[index] != other[index] { return false }
      return true
    }
    // Sound: each word ends at the last byte or before, of both since they are as long.
    let (bytes, others) = unsafe (bytes, other.bytes)
    let last = count &- 8
    var (offset, difference): (Int, UInt64) = (0, 0)
    while offset < last, difference == 0 {
      difference =
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        ^ others.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    return unsafe difference == 0
      && bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: last, as: UInt64.self)
        == others.unsafeLoadUnaligned(fromUncheckedByteOffset: last, as: UInt64.self)
  }
}
