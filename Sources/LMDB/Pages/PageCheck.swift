/// A look at all pages that the newest commit of a file uses.
///
/// Layout: `mdb.c` of LMDB 0.9 (MDB_page, MDB_node, MDB_meta, MDB_db), 64-bit, little-endian.
struct PageCheck: ~Copyable {
  /// A page that is to be looked at, and what must hold there.
  struct Visit {
    let page: UInt64
    let tree: Int
    let level: Int
    /// Where in ``PageCheck/bounds`` the keys are that no key may be below, or at or above.
    let lower: Range<Int>
    let upper: Range<Int>?
    /// How much of ``PageCheck/bounds`` this and the pages after it on the way need.
    let boundsEnd: Int
  }

  /// A database on the way.
  struct Tree {
    let name: String
    let record: TreeRecord
    /// What was found of it, to be compared with the record.
    var found = TreeRecord()
    var hasNumberKeys: Bool { record.flags & TreeRecord.hasNumberKeys != 0 }
  }

  private let file: DataFile
  let pageSize: Int
  private(set) var faults: [PageFault] = []
  private(set) var doneCount = 0
  let totalCount: Int
  private let limit: Int
  private var visits: [Visit] = []
  /// Keys that bound the pages which are still to be looked at.
  private(set) var bounds: [UInt8] = []
  // What is used again for each page.
  private var page = PageBytes()
  /// One bit for every byte of a page that is a pair's.
  var claimed: [UInt64]
  private(set) var trees: [Tree] = []
  /// One bit for every page: those in use, and those that are listed as free.
  private var used: [UInt64]
  var listed: [UInt64]
  /// The last page that the commit knows of; free ones may lie past the end of the file.
  let lastPage: UInt64

  /// The database of the free pages and that of the names are the first two.
  static var freeTree: Int { 0 }
  static var mainTree: Int { 1 }
  private static var branch: Int { 1 }
  private static var leaf: Int { 2 }
  private static var overflow: Int { 4 }
  /// The pages of a step.
  private static let stepCount = 10_000

  init(_ file: consuming DataFile, pageSize: Int, limit: Int) throws(LMDBError) {
    let metas = try Self.metas(file, pageSize)
    let transaction = FileExtent.Meta.transaction
    let newest = metas[0].word(transaction) < metas[1].word(transaction) ? 1 : 0
    // The pages of this commit were written before its meta page: their end is read after it.
    totalCount = try file.byteCount() / pageSize
    used = Array(repeating: 0, count: totalCount / 64 + 1)
    listed = used
    claimed = Array(repeating: 0, count: (pageSize + 63) / 64)
    lastPage = metas[newest].word(FileExtent.Meta.lastPage)
    self.file = file
    self.pageSize = pageSize
    self.limit = limit
    let meta = metas[newest]
    for (index, name) in ["free", ""].enumerated() {
      let place = FileExtent.Meta.firstDatabase + index * FileExtent.Tree.byteCount
      begin(name, TreeRecord(meta.bytes.span, at: place), index == 0 ? TreeRecord.hasNumberKeys : 0)
    }
  }

  /// Both meta pages, read twice: a writer may just be in the middle of one.
  private static func metas(
    _ file: borrowing DataFile, _ pageSize: Int
  ) throws(LMDBError) -> [PageBytes] {
    var before: [PageBytes] = []
    for _ in 0..<16 {
      let metas = [
        try file.bytes(at: 0, count: pageSize), try file.bytes(at: pageSize, count: pageSize),
      ]
      if metas.map(\.bytes) == before.map(\.bytes) { return metas }
      before = metas
    }
    return before
  }

  /// Looks at some more pages.
  ///
  /// - Returns: Whether there are more.
  mutating func step() throws(LMDBError) -> Bool {
    for _ in 0..<Self.stepCount {
      guard faults.count < limit else { return false }
      guard let visit = visits.popLast() else {
        // After a fault they would only repeat it.
        if faults.isEmpty { compareCounts() }
        if faults.isEmpty { compareFreePages() }
        return false
      }
      try look(visit)
    }
    return true
  }

  mutating func note(_ page: UInt64, _ tree: Int, expected: String, found: String) {
    guard faults.count < limit else { return }
    faults.append(
      PageFault(page: page, database: trees[tree].name, expected: expected, found: found))
  }

  private mutating func begin(_ name: String, _ record: TreeRecord, _ flags: Int) {
    trees.append(Tree(name: name, record: record))
    let index = trees.count - 1
    if record.flags & 0x7fff != flags {
      note(record.root, index, expected: "flags \(flags)", found: "\(record.flags)")
    }
    guard record.root != FileExtent.Tree.noRoot else { return }
    visits.append(
      Visit(
        page: record.root, tree: index, level: 1, lower: 0..<0, upper: nil,
        boundsEnd: bounds.count))
  }

  /// Takes pages for a tree; says whether they are inside the file and were nobody's.
  mutating func take(_ first: UInt64, _ count: Int, _ tree: Int) -> Bool {
    guard first >= 2, first < UInt64(totalCount), count <= totalCount - Int(first),
      first + UInt64(count) <= lastPage + 1
    else {
      note(first, tree, expected: "pages in the file", found: "\(count) from \(first)")
      return false
    }
    for page in first..<(first + UInt64(count)) {
      guard used[Int(page / 64)] & 1 << (page % 64) == 0 else {
        note(page, tree, expected: "a page that is used once", found: "used again")
        return false
      }
      used[Int(page / 64)] |= 1 << (page % 64)
    }
    return true
  }

  private mutating func look(_ visit: Visit) throws(LMDBError) {
    bounds.removeLast(bounds.count - visit.boundsEnd)
    guard take(visit.page, 1, visit.tree) else { return }
    doneCount += 1
    // Out of the way while this changes, and back again with its room.
    var page = PageBytes()
    swap(&page, &self.page)
    defer { swap(&page, &self.page) }
    try file.read(at: Int(visit.page) * pageSize, count: pageSize, into: &page)
    try look(page.bytes.span, visit)
  }

  private mutating func look(_ page: Span<UInt8>, _ visit: Visit) throws(LMDBError) {
    let isBranch = visit.level < trees[visit.tree].record.depth
    let kind = isBranch ? Self.branch : Self.leaf
    guard page.count == pageSize, page.word(0) == visit.page, page.half(10) == kind else {
      return note(
        visit.page, visit.tree, expected: "page \(visit.page) of kind \(kind)",
        found: "page \(page.word(0)) of kind \(page.half(10))")
    }
    guard let (count, flags) = countNodes(page, visit, isBranch: isBranch),
      isOrdered(count, page, visit, isBranch: isBranch)
    else { return }
    if isBranch {
      trees[visit.tree].found.branchPageCount += 1
      return descend(count, page, visit)
    }
    trees[visit.tree].found.leafPageCount += 1
    trees[visit.tree].found.entryCount += UInt64(count)
    // Most are values in the page, whose bytes nobody here knows.
    guard flags != 0 || visit.tree == Self.freeTree else { return }
    for index in 0..<count { try look(PageNode(page, index: index), page, visit) }
  }

  /// Puts the pages below a branch on the way, each between its key and the next one's.
  private mutating func descend(_ count: Int, _ page: Span<UInt8>, _ visit: Visit) {
    var lower = visit.lower
    for index in 0..<count {
      var upper = visit.upper
      if index + 1 < count {
        let start = bounds.count
        for place in PageNode(page, index: index + 1).key { bounds.append(page[place]) }
        upper = start..<bounds.count
      }
      visits.append(
        Visit(
          page: PageNode(page, index: index).child, tree: visit.tree, level: visit.level + 1,
          lower: lower, upper: upper, boundsEnd: bounds.count))
      lower = upper ?? lower
    }
  }

  /// A pair of a leaf: a value in its page, on pages of its own, or another tree.
  private mutating func look(
    _ node: PageNode, _ page: Span<UInt8>, _ visit: Visit
  ) throws(LMDBError) {
    if node.flags == 0 {
      guard visit.tree == Self.freeTree else { return }
      list(page.extracting(node.valuePlace..<node.end(isBranch: false)), of: visit.page)
    } else if node.flags == PageNode.isTree, visit.tree == Self.mainTree,
      node.valueSize == FileExtent.Tree.byteCount
    {
      var name: [UInt8] = []
      for place in node.key { name.append(page[place]) }
      begin(String(decoding: name, as: UTF8.self), TreeRecord(page, at: node.valuePlace), 0)
    } else if node.flags == PageNode.isBig {
      try lookAtPages(from: page.word(node.valuePlace), of: node.valueSize, visit)
    } else {
      note(
        visit.page, visit.tree, expected: "a value",
        found: "a value of kind \(node.flags) and \(node.valueSize) bytes")
    }
  }

  /// A value of so many bytes on pages of its own.
  private mutating func lookAtPages(
    from first: UInt64, of byteCount: Int, _ visit: Visit
  ) throws(LMDBError) {
    let header = FileExtent.Meta.pageHeaderSize
    let head =
      first < UInt64(totalCount) ? try file.bytes(at: Int(first) * pageSize, count: header) : nil
    let count = head.map { $0.half(12) | $0.half(14) << 16 } ?? 0
    let least = (header + byteCount + pageSize - 1) / pageSize
    guard head?.word(0) == first, head?.half(10) == Self.overflow, count >= least else {
      return note(
        first, visit.tree, expected: "\(least) overflow pages from \(first)",
        found: "\(count) from \(head?.word(0) ?? 0) of kind \(head?.half(10) ?? 0)")
    }
    guard take(first, count, visit.tree) else { return }
    doneCount += count
    trees[visit.tree].found.overflowPageCount += UInt64(count)
    guard visit.tree == Self.freeTree else { return }
    let value = try file.bytes(at: Int(first) * pageSize + header, count: byteCount)
    list(value.bytes.span, of: first)
  }

  private mutating func compareCounts() {
    for (index, tree) in trees.enumerated() {
      var expected = tree.found
      (expected.flags, expected.root) = (tree.record.flags, tree.record.root)
      expected.depth = tree.record.root == FileExtent.Tree.noRoot ? 0 : tree.record.depth
      guard expected != tree.record else { continue }
      note(tree.record.root, index, expected: expected.counts, found: tree.record.counts)
    }
  }

  /// No page is in use and free.
  private mutating func compareFreePages() {
    for (index, (used, listed)) in zip(used, listed).enumerated() where used & listed != 0 {
      let page = UInt64(index * 64 + (used & listed).trailingZeroBitCount)
      note(page, Self.freeTree, expected: "a page that is free or in use", found: "both")
    }
  }
}
