/// What a scalar is to the grammar of emoji.
enum EmojiScalar: UInt8 {
  /// Begins an emoji, and is shown as one by itself.
  case base
  /// Begins an emoji, but is shown as text unless U+FE0F or a skin tone follows.
  case textDefaultBase
  /// A digit, `#` or `*`: an emoji only with U+20E3 after it.
  case keycapBase
  /// A skin tone.
  case modifier
  /// A letter of a flag.
  case regionalIndicator
  /// U+200D.
  case joiner
  /// U+20E3.
  case keycap
  /// A letter in a tag sequence, the flags of regions.
  case tag
  /// The end of a tag sequence.
  case tagEnd
  /// U+FE0E.
  case textSelector
  /// U+FE0F.
  case emojiSelector
  /// No part of any emoji.
  case other

  /// Looks a scalar up.
  ///
  /// - Complexity: O(log *n*) in the tables, O(1) for ASCII.
  init(_ scalar: UInt32) {
    switch scalar {
    case 0x23, 0x2A, 0x30...0x39: self = .keycapBase
    case 0..<0x80: self = .other
    case 0x200D: self = .joiner
    case 0x20E3: self = .keycap
    case 0xFE0E: self = .textSelector
    case 0xFE0F: self = .emojiSelector
    case 0x1F1E6...0x1F1FF: self = .regionalIndicator
    case 0x1F3FB...0x1F3FF: self = .modifier
    case 0xE0020...0xE007E: self = .tag
    case 0xE007F: self = .tagEnd
    default:
      if !EmojiTables.contains(scalar, in: EmojiTables.bases) {
        self = .other
      } else if EmojiTables.contains(scalar, in: EmojiTables.textDefaults) {
        self = .textDefaultBase
      } else {
        self = .base
      }
    }
  }
}

extension EmojiTables {
  /// Whether a scalar is in the set that ascending bounds describe.
  ///
  /// - Complexity: O(log *n*).
  static func contains(_ scalar: UInt32, in bounds: [UInt32]) -> Bool {
    // The number of bounds at or below the scalar is odd exactly inside a range.
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if bounds[middle] <= scalar { low = middle &+ 1 } else { high = middle }
    }
    return low % 2 == 1
  }
}

/// Takes scalars out of UTF-8 that is known to be valid.
enum ScalarReader {
  /// The scalar that begins at `offset`, which moves to the next one.
  static func next(in bytes: Span<UInt8>, at offset: inout Int) -> UInt32 {
    let first = UInt32(bytes[offset])
    func continuation(_ distance: Int) -> UInt32 { UInt32(bytes[offset + distance]) & 0x3F }
    switch first {
    case 0..<0x80:
      offset += 1
      return first
    case 0..<0xE0:
      defer { offset += 2 }
      return (first & 0x1F) << 6 | continuation(1)
    case 0..<0xF0:
      defer { offset += 3 }
      return (first & 0x0F) << 12 | continuation(1) << 6 | continuation(2)
    default:
      defer { offset += 4 }
      return (first & 0x07) << 18 | continuation(1) << 12 | continuation(2) << 6 | continuation(3)
    }
  }
}
