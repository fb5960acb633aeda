/// The pages of a file that its trees lead to, each once.
struct PageWalk {
  private let pageSize: Int
  private let pageCount: Int
  private var pending: [UInt64] = []
  /// One bit for every page.
  private var reached: [UInt64]

  /// Kinds of pages (`mp_flags`).
  private enum Kind {
    static let branch = 1
    static let leaf = 2
    static let keysOfOneSize = 0x20
  }

  /// Kinds of nodes (`mn_flags`).
  private enum Node {
    static let headerSize = 8
    static let hasOwnPages = 1
    static let isDatabase = 2
  }

  init(pageSize: Int, pageCount: Int) {
    self.pageSize = pageSize
    self.pageCount = pageCount
    reached = Array(repeating: 0, count: pageCount / 64 + 1)
  }

  /// A page that is to be visited, `nil` at the end.
  mutating func next() -> UInt64? { pending.popLast() }

  /// Notes the root of a tree or a page below it.
  mutating func enqueue(_ page: UInt64) throws(LMDBError) {
    guard page != FileExtent.Tree.noRoot else { return }
    try requireInside(page, 1)
    let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
    guard reached[word] & bit == 0 else {
      throw LMDBError(.corrupted, call: "a page is reached twice")
    }
    reached[word] |= bit
    pending.append(page)
  }

  /// Notes the pages that a page leads to.
  mutating func visit(_ page: PageBytes, _ number: UInt64) throws(LMDBError) {
    let kind = page.half(10)
    let isBranch = kind & Kind.branch != 0
    guard page.word(0) == number, isBranch || kind & Kind.leaf != 0 else {
      throw LMDBError(.corrupted, call: "a page in use is neither branch nor leaf")
    }
    guard kind & Kind.keysOfOneSize == 0 else { return }  // no page numbers
    let end = page.half(12)
    guard end <= pageSize else { throw LMDBError(.corrupted, call: "nodes past the page") }
    for place in stride(from: FileExtent.Meta.pageHeaderSize, to: end - 1, by: 2) {
      try visit(node: page.half(place), of: page, isBranch: isBranch)
    }
  }

  private mutating func visit(
    node: Int, of page: PageBytes, isBranch: Bool
  ) throws(LMDBError) {
    let low = UInt64(page.half(node)) | UInt64(page.half(node + 2)) << 16
    let flags = page.half(node + 4)
    if isBranch { return try enqueue(low | UInt64(flags) << 32) }
    let data = node + Node.headerSize + page.half(node + 6)
    if flags & Node.hasOwnPages != 0 {
      let byteCount = UInt64(FileExtent.Meta.pageHeaderSize) + low
      let run = (byteCount + UInt64(pageSize) - 1) / UInt64(pageSize)
      try requireInside(page.word(data), run)
    } else if flags & Node.isDatabase != 0 {
      try enqueue(page.word(data + FileExtent.Tree.root))
    }
  }

  private func requireInside(_ first: UInt64, _ count: UInt64) throws(LMDBError) {
    let (end, overflow) = first.addingReportingOverflow(count)
    guard !overflow, end <= UInt64(pageCount) else {
      throw LMDBError(.truncated, call: "data.mdb")
    }
  }
}
