extension Sampler {
  /// Bytes of any kind, up to 80 of them.
  mutating func anyBytes() -> [UInt8] {
    (0..<below(81)).map { _ in UInt8(truncatingIfNeeded: word()) }
  }

  /// Valid bytes that something happened to, or bytes that never were valid.
  mutating func damaged(_ samples: [[UInt8]]) -> [UInt8] {
    var bytes = pick(samples)
    guard !bytes.isEmpty else { return anyBytes() }
    switch below(9) {
    case 0: return anyBytes()
    case 1: bytes.removeLast(below(bytes.count) + 1)
    case 2: bytes += anyBytes()
    case 3: bytes.removeSubrange(range(in: bytes))
    case 4: bytes.insert(contentsOf: bytes[range(in: bytes)], at: below(bytes.count))
    case 5:
      let other = pick(samples)
      bytes = bytes.prefix(below(bytes.count)) + other.suffix(below(other.count + 1))
    case 6: bytes[below(bytes.count)] = pick([0, 1, 2, 3, 0x7F, 0x80, 0xC0, 0xFE, 0xFF])
    case 7: for _ in 0...below(4) { flipBit(of: &bytes, below: bytes.count) }
    default: flipBit(of: &bytes, below: min(bytes.count, 40))
    }
    return bytes
  }

  private mutating func range(in bytes: [UInt8]) -> Range<Int> {
    let start = below(bytes.count)
    return start..<min(bytes.count, start + below(9) + 1)
  }

  private mutating func flipBit(of bytes: inout [UInt8], below limit: Int) {
    bytes[below(limit)] ^= 1 << UInt8(below(8))
  }
}
