/// What LMDB keeps of a database: where its tree is and how large (`MDB_db`).
struct TreeRecord: Equatable {
  var flags = 0
  var depth = 0
  var branchPageCount: UInt64 = 0
  var leafPageCount: UInt64 = 0
  var overflowPageCount: UInt64 = 0
  var entryCount: UInt64 = 0
  var root = FileExtent.Tree.noRoot

  /// Keys are numbers of the machine's own order: only the list of free pages. `MDB_INTEGERKEY`
  static let hasNumberKeys = 0x08

  /// An empty tree.
  init() {}

  /// Reads the record at a place.
  init(_ bytes: Span<UInt8>, at place: Int) {
    flags = bytes.half(place + 4)
    depth = bytes.half(place + 6)
    branchPageCount = bytes.word(place + 8)
    leafPageCount = bytes.word(place + 16)
    overflowPageCount = bytes.word(place + 24)
    entryCount = bytes.word(place + 32)
    root = bytes.word(place + FileExtent.Tree.root)
  }

  /// The counts in words.
  var counts: String {
    "\(branchPageCount) branches, \(leafPageCount) leaves, \(overflowPageCount) overflow pages, "
      + "\(entryCount) pairs"
  }
}
