/// A pair of a page: a key, and a value or the page below (`MDB_node`).
struct PageNode {
  static let headerSize = 8
  /// The value is on overflow pages. `F_BIGDATA`
  static let isBig = 1
  /// The value is the record of a database. `F_SUBDATA`
  static let isTree = 2

  /// Where it stands in its page.
  let place: Int
  /// Its header: the size of the value or the page below, flags, the size of the key.
  private let header: UInt64

  /// Reads the header at a place; one outside the page reads as zeros.
  @inline(__always)
  init(_ page: Span<UInt8>, at place: Int) {
    self.place = place
    header = page.word(place)
  }

  /// Reads the node of an index, whose place must be in the page's list.
  @inline(__always)
  init(_ page: Span<UInt8>, index: Int) {
    self.init(page, at: page.half(FileExtent.Meta.pageHeaderSize &+ 2 &* index))
  }

  var flags: Int { Int(truncatingIfNeeded: header &>> 32 & 0xFFFF) }
  var keySize: Int { Int(truncatingIfNeeded: header &>> 48) }
  /// The size of the value, of a leaf.
  var valueSize: Int { Int(truncatingIfNeeded: header & 0xFFFF_FFFF) }
  /// The page below, of a branch.
  var child: UInt64 { header & 0xFFFF_FFFF_FFFF }

  /// Where the value begins.
  var valuePlace: Int { place &+ Self.headerSize &+ keySize }

  /// Where it ends in its page.
  @inline(__always)
  func end(isBranch: Bool) -> Int {
    if isBranch { return valuePlace }
    return valuePlace &+ (flags & Self.isBig == 0 ? valueSize : 8)
  }

  /// Where the key is in the page, in which the node must lie.
  var key: Range<Int> { place &+ Self.headerSize..<valuePlace }
}
