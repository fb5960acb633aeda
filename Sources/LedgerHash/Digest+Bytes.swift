extension Digest {
  /// How many bytes a hash has.
  public static let byteCount = 32

  /// Makes a hash from its bytes.
  ///
  /// - Parameter bytes: 32 bytes; `nil` results if there are more or fewer.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: InlineArray<4, UInt64> = .init(repeating: 0)
    for index in bytes.indices { words[index / 8] = words[index / 8] << 8 | UInt64(bytes[index]) }
    self.init((words[0], words[1], words[2], words[3]))
  }

  /// The 32 bytes.
  public var bytes: [UInt8] { (0..<Self.byteCount).map { byte($0) } }

  /// The byte at an index below ``byteCount``.
  func byte(_ index: Int) -> UInt8 {
    let word =
      switch index / 8 {
      case 0: words.0
      case 1: words.1
      case 2: words.2
      default: words.3
      }
    return UInt8(truncatingIfNeeded: word >> UInt64(56 - index % 8 * 8))
  }
}

extension Digest: CustomStringConvertible {
  /// 64 hexadecimal digits in lower case.
  public var description: String {
    var text = ""
    for byte in bytes {
      if byte < 16 { text.append("0") }
      text.append(String(byte, radix: 16))
    }
    return text
  }
}
