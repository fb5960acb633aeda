/// Text as its UTF-8 bytes: the store compares bytes, so everything that must agree with it does too.
///
/// Swift's `==` on strings is canonical equivalence ("é" composed equals "é" decomposed); these
/// functions never use it.
package enum UTF8Bytes {
  /// Whether two texts have the same bytes.
  package static func areEqual(_ a: String, _ b: String) -> Bool {
    areEqual(a.utf8Span.span, b.utf8Span.span)
  }

  /// Whether two spans hold the same bytes.
  package static func areEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool { a.equals(b) }

  /// Whether `a` comes before `b` in the order of unsigned bytes, a prefix first (LMDB's order).
  package static func precedes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    let common = min(a.count, b.count)
    for index in 0..<common where a[index] != b[index] { return a[index] < b[index] }
    return a.count < b.count
  }
}

extension [UInt8] {
  /// Appends the bytes of a span.
  package mutating func append(_ bytes: Span<UInt8>) {
    // Sound: the buffer is used only while the span that it points into is alive.
    unsafe bytes.withUnsafeBufferPointer { unsafe self.append(contentsOf: $0) }
  }

  /// The bytes of a span.
  package init(_ bytes: Span<UInt8>) {
    self.init()
    self.append(bytes)
  }
}

extension Span<UInt8> {
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
