/// A pair of a page: a key, and a value or the page below (`MDB_node`).
struct PageNode {
  static let headerSize = 8
  /// The value is on overflow pages. `F_BIGDATA`
  static let isBig = 1
  /// The value is the record of a database. `F_SUBDATA`
  static let isTree = 2

  /// Where it stands in its page.
  let place: Int
  let flags: Int
  let keySize: Int
  /// The size of the value, of a leaf.
  let valueSize: Int
  /// The page below, of a branch.
  let child: UInt64

  init(_ page: PageBytes, at place: Int) {
    self.place = place
    let low = page.half(place) | page.half(place + 2) << 16
    flags = page.half(place + 4)
    keySize = page.half(place + 6)
    valueSize = low
    child = UInt64(low) | UInt64(flags) << 32
  }

  /// Where the value begins.
  var valuePlace: Int { place + Self.headerSize + keySize }

  /// Where it ends in its page.
  func end(isBranch: Bool) -> Int {
    if isBranch { return valuePlace }
    return valuePlace + (flags & Self.isBig == 0 ? valueSize : 8)
  }

  /// The bytes of the key; the node must lie in the page.
  func key(_ page: PageBytes) -> ArraySlice<UInt8> {
    page.bytes[(place + Self.headerSize)..<valuePlace]
  }
}
