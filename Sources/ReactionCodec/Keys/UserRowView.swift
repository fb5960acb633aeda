/// The row of a user who was not erased, as its bytes.
///
/// There is a view of exactly those rows that ``UserRow/init(decoding:)`` makes a live or a closing
/// user of.
package struct UserRowView: ~Escapable {
  /// What the user's commitment is the hash of: the salt, then the id.
  package let opening: Span<UInt8>
  /// Whether the user is being erased.
  package let isClosing: Bool

  private static let saltByteCount = 16

  /// The view of a row; `nil` if it is a tombstone or damaged.
  @_lifetime(copy bytes)
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count > 1 + Self.saltByteCount, bytes.count <= 1 + Self.saltByteCount + 255,
      bytes[0] == UserRow.State.live || bytes[0] == UserRow.State.closing
    else { return nil }
    opening = bytes.extracting(1..<bytes.count)
    isClosing = bytes[0] == UserRow.State.closing
    guard opening.extracting(Self.saltByteCount..<opening.count).isUTF8() else { return nil }
  }

  /// The id.
  package var id: Span<UInt8> {
    @_lifetime(copy self)
    get { opening.extracting(Self.saltByteCount..<opening.count) }
  }
}
