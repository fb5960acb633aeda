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

  /// The two bytes from `offset` on as one number, the first byte the highest; they must be there.
  @inlinable public func quarterWord(at offset: Int) -> UInt16 {
    // Sound: as above.
    UInt16(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
