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
  private var nodes: [PageNode] = []
  /// One bit for every byte of a page that is a pair's.
  var claimed: [UInt64]
  private(set) var trees: [Tree] = []
  /// One bit for every page: those in use, and those that are listed as free.
  private var used: [UInt64]
  var listed: [UInt64]
  /// The last page that the commit knows of; free ones may lie past the end of the file.
  let lastPage: UInt64

  /// The database of the free pages and that of the names are the first two.
  static let (freeTree, mainTree) = (0, 1)
  private static let (branch, leaf, overflow) = (1, 2, 4)
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
    for (index, name) in ["free", ""].enumerated() {
      let place = FileExtent.Meta.firstDatabase + index * FileExtent.Tree.byteCount
      begin(name, TreeRecord(metas[newest], at: place), index == 0 ? TreeRecord.hasNumberKeys : 0)
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
    // Out of the way while this changes, and back again with their room.
    var (page, nodes) = (PageBytes(), [PageNode]())
    swap(&page, &self.page)
    swap(&nodes, &self.nodes)
    defer {
      swap(&page, &self.page)
      swap(&nodes, &self.nodes)
    }
    try file.read(at: Int(visit.page) * pageSize, count: pageSize, into: &page)
    let isBranch = visit.level < trees[visit.tree].record.depth
    let kind = isBranch ? Self.branch : Self.leaf
    guard page.word(0) == visit.page, page.half(10) == kind else {
      return note(
        visit.page, visit.tree, expected: "page \(visit.page) of kind \(kind)",
        found: "page \(page.word(0)) of kind \(page.half(10))")
    }
    guard read(&nodes, page, visit, isBranch: isBranch),
      isOrdered(nodes, page, visit, isBranch: isBranch)
    else { return }
    if isBranch {
      trees[visit.tree].found.branchPageCount += 1
      descend(nodes, page, visit)
    } else {
      trees[visit.tree].found.leafPageCount += 1
      trees[visit.tree].found.entryCount += UInt64(nodes.count)
      for node in nodes { try look(node, page, visit) }
    }
  }

  /// Puts the pages below a branch on the way, each between its key and the next one's.
  private mutating func descend(_ nodes: [PageNode], _ page: PageBytes, _ visit: Visit) {
    var lower = visit.lower
    for (index, node) in nodes.enumerated() {
      var upper = visit.upper
      if index + 1 < nodes.count {
        let start = bounds.count
        bounds += nodes[index + 1].key(page)
        upper = start..<bounds.count
      }
      visits.append(
        Visit(
          page: node.child, tree: visit.tree, level: visit.level + 1, lower: lower, upper: upper,
          boundsEnd: bounds.count))
      lower = upper ?? lower
    }
  }

  /// A pair of a leaf: a value in its page, on pages of its own, or another tree.
  private mutating func look(
    _ node: PageNode, _ page: PageBytes, _ visit: Visit
  ) throws(LMDBError) {
    switch node.flags {
    case 0:
      guard visit.tree == Self.freeTree else { return }
      list(
        page.bytes[node.valuePlace..<node.end(isBranch: false)], of: visit.page)
    case PageNode.isTree
    where visit.tree == Self.mainTree && node.valueSize == FileExtent.Tree.byteCount:
      let name = String(decoding: node.key(page), as: UTF8.self)
      begin(name, TreeRecord(page, at: node.valuePlace), 0)
    case PageNode.isBig:
      let first = page.word(node.valuePlace)
      let head =
        first < UInt64(totalCount)
        ? try file.bytes(at: Int(first) * pageSize, count: FileExtent.Meta.pageHeaderSize) : nil
      let count = head.map { $0.half(12) | $0.half(14) << 16 } ?? 0
      let least = (FileExtent.Meta.pageHeaderSize + node.valueSize + pageSize - 1) / pageSize
      guard head?.word(0) == first, head?.half(10) == Self.overflow, count >= least else {
        return note(
          first, visit.tree, expected: "\(least) overflow pages from \(first)",
          found: "\(count) from \(head?.word(0) ?? 0) of kind \(head?.half(10) ?? 0)")
      }
      guard take(first, count, visit.tree) else { return }
      doneCount += count
      trees[visit.tree].found.overflowPageCount += UInt64(count)
      guard visit.tree == Self.freeTree else { return }
      let place = Int(first) * pageSize + FileExtent.Meta.pageHeaderSize
      list(try file.bytes(at: place, count: node.valueSize).bytes[...], of: first)
    default:
      note(
        visit.page, visit.tree, expected: "a value",
        found: "a value of kind \(node.flags) and \(node.valueSize) bytes")
    }
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
