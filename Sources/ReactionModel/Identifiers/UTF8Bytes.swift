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
  package static func areEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var offset = 0
    while offset + 8 <= a.count {
      guard word(a, offset) == word(b, offset) else { return false }
      offset += 8
    }
    for index in offset..<a.count where a[index] != b[index] { return false }
    return true
  }

  /// The eight bytes at an offset, in the machine's order.
  private static func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    // Sound: any eight bytes are an integer; whether they are inside is checked.
    unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

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
