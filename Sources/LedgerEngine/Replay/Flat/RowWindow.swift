internal import LMDB
internal import ReactionModel

/// Some rows that follow each other, copied: so that what the tables hold for all of them can be
/// asked of the memory at once, see ``FlatReducer/touch(events:)``.
package struct RowWindow: Sendable {
  /// The most rows.
  static let capacity = 16

  private(set) var count = 0
  /// How many bytes its rows have.
  var byteCount: Int { bytes.count }
  private var bytes: [UInt8] = []
  /// Where the key and the value of each row end in `bytes`.
  private var keyEnds = InlineArray<16, Int>(repeating: 0)
  private var valueEnds = InlineArray<16, Int>(repeating: 0)

  var isFull: Bool { count == Self.capacity }

  /// Adds a row; the window must not be full.
  mutating func append(_ key: Span<UInt8>, _ value: Span<UInt8>) {
    bytes.append(key)
    keyEnds[count] = bytes.count
    bytes.append(value)
    valueEnds[count] = bytes.count
    count &+= 1
  }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// The key of an index.
  @_lifetime(borrow self)
  func key(_ index: Int) -> Span<UInt8> {
    bytes.span.extracting((index == 0 ? 0 : valueEnds[index &- 1])..<keyEnds[index])
  }

  /// The value of an index.
  @_lifetime(borrow self)
  func value(_ index: Int) -> Span<UInt8> {
    bytes.span.extracting(keyEnds[index]..<valueEnds[index])
  }
}
