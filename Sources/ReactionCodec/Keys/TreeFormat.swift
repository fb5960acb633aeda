/// The keys and values of `tree`: where a full subtree of the log is, and its hash.
///
/// The rules are numbered in the article `FileFormat`. Hashes are words here, as everywhere in this
/// module; who computes them knows SHA-256.
package enum TreeFormat {
  /// The levels that are stored are multiples of this: subtrees of 256, 65,536 … records.
  package static let levelStep = 8
  /// The highest level that is stored: sequences end at 2^48, so no full subtree is larger.
  package static let maximumLevel = 40
  /// What the bytes that a check is the hash of begin with.
  package static let checkPrefix: UInt8 = 0x03

  private static let keyByteCount = 9
  private static let hashByteCount = 32

  /// u8 level, u64 index.
  package static func key(level: Int, index: UInt64) -> InlineArray<9, UInt8> {
    var key = InlineArray<9, UInt8>(repeating: 0)
    key[0] = UInt8(level)
    for place in 0..<8 {
      key[1 + place] = UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * place))
    }
    return key
  }

  /// The level and the index in a key.
  package static func place(_ key: Span<UInt8>) throws(CodecError) -> (level: Int, index: UInt64) {
    guard key.count == keyByteCount else { throw .badValue("length of a key of tree") }
    let level = Int(key[0])
    guard level > 0, level <= maximumLevel, level % levelStep == 0 else {
      throw .badValue("level in a key of tree")
    }
    let index = key.bigEndian(at: 1, byteCount: 8)
    guard index < RecordFormat.sequenceBound >> UInt64(level) else {
      throw .badValue("index in a key of tree")
    }
    return (level, index)
  }

  /// The hash, 32 bytes, then the check, 8 bytes: the first of SHA-256(0x03 ‖ key ‖ hash).
  package static func value(
    hash: (UInt64, UInt64, UInt64, UInt64), check: UInt64
  ) -> InlineArray<40, UInt8> {
    let words: InlineArray<5, UInt64> = [hash.0, hash.1, hash.2, hash.3, check]
    var value = InlineArray<40, UInt8>(repeating: 0)
    for place in value.indices {
      value[place] = UInt8(truncatingIfNeeded: words[place / 8] >> UInt64(56 - place % 8 * 8))
    }
    return value
  }

  /// The hash and the check in a value; whether they fit each other is not judged.
  package static func value(
    _ bytes: Span<UInt8>
  ) throws(CodecError) -> (hash: (UInt64, UInt64, UInt64, UInt64), check: UInt64) {
    guard bytes.count == hashByteCount + 8 else { throw .badValue("length of a value of tree") }
    return (
      (bytes.word(at: 0), bytes.word(at: 8), bytes.word(at: 16), bytes.word(at: 24)),
      bytes.word(at: hashByteCount)
    )
  }

  /// What the check is the hash of, after its prefix: key ‖ hash.
  package static func checked(
    level: Int, index: UInt64, hash: (UInt64, UInt64, UInt64, UInt64)
  ) -> InlineArray<41, UInt8> {
    let (key, value) = (key(level: level, index: index), value(hash: hash, check: 0))
    var bytes = InlineArray<41, UInt8>(repeating: 0)
    for place in 0..<keyByteCount { bytes[place] = key[place] }
    for place in 0..<hashByteCount { bytes[keyByteCount + place] = value[place] }
    return bytes
  }
}
