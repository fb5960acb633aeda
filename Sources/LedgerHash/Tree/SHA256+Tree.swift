/// The hashes that a Merkle tree is made of (RFC 6962, section 2.1).
extension SHA256 {
  /// The root of the empty tree: the hash of no bytes.
  public static let emptyRoot = Digest(
    (
      0xe3b0_c442_98fc_1c14, 0x9afb_f4c8_996f_b924, 0x27ae_41e4_649b_934c, 0xa495_991b_7852_b855
    ))

  /// The hash of a leaf: of a zero byte and the entry.
  ///
  /// Complexity: O(count).
  public func leaf(_ entry: Span<UInt8>) -> Digest { hash(prefix: 0x00, entry) }

  /// The hash of an inner node: of a byte 1 and the hashes of its two children.
  public func node(_ left: Digest, _ right: Digest) -> Digest {
    let (a, b) = (left.words, right.words)
    let children: InlineArray<8, UInt64> = [
      a.0.bigEndian, a.1.bigEndian, a.2.bigEndian, a.3.bigEndian,
      b.0.bigEndian, b.1.bigEndian, b.2.bigEndian, b.3.bigEndian,
    ]
    // Sound: the bytes are used only while the array that they belong to is alive.
    return unsafe children.span.withUnsafeBytes { unsafe digest(prefix: 0x01, $0) }
  }
}
