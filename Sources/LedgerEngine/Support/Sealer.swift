internal import LedgerHash
internal import ReactionCodec
internal import ReactionModel

/// Computes the hashes of the format; for one thread at a time.
package struct Sealer {
  private let sha256 = SHA256()

  /// Makes one for the thread that uses it.
  package init() {}

  private enum Prefix {
    static let record: UInt8 = 0
    static let commitment: UInt8 = 2
  }

  /// The leaf that a record is in the tree: the hash of its bytes before the seal, whatever they are.
  func leaf(of bytes: Span<UInt8>) -> Digest {
    sha256.leaf(bytes.extracting(0..<max(0, bytes.count &- RecordFormat.sealByteCount)))
  }

  /// The seal of a record: the first 8 bytes of SHA-256(0x00 ‖ its bytes before the seal).
  package func seal(_ record: Span<UInt8>) -> UInt64 {
    sha256.hash(prefix: Prefix.record, record).words.0
  }

  /// Appends the seal of the record that the bytes are.
  func appendSeal(to bytes: inout [UInt8]) {
    let seal = seal(bytes.span)
    bytes.append(u64: seal)
  }

  /// Appends a record and its seal.
  func append(_ record: Record, to bytes: inout [UInt8]) {
    let start = bytes.count
    RecordFormat.encode(record, into: &bytes)
    let seal = seal(bytes.span.extracting(start..<bytes.count))
    bytes.append(u64: seal)
  }

  /// SHA-256(0x02 ‖ what opens it: salt ‖ id).
  func commitment(opening: Span<UInt8>) -> Commitment {
    Commitment(sha256.hash(prefix: Prefix.commitment, opening).words)
  }

  /// SHA-256(0x02 ‖ salt ‖ id).
  func commitment(salt: SixteenBytes, id: UserID) -> Commitment {
    commitment(salt: salt, id: id.text.utf8Span.span)
  }

  /// SHA-256(0x02 ‖ salt ‖ id).
  func commitment(salt: SixteenBytes, id: Span<UInt8>) -> Commitment {
    let opening = UserRow.opening(salt: salt, id: id)
    return Commitment(sha256.hash(prefix: Prefix.commitment, opening.span).words)
  }
}
