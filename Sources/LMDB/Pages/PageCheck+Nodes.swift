extension PageCheck {
  /// Reads the nodes of a page, in order; says whether they lie in it and not over each other.
  mutating func read(
    _ nodes: inout [PageNode], _ page: PageBytes, _ visit: Visit, isBranch: Bool
  ) -> Bool {
    nodes.removeAll(keepingCapacity: true)
    let header = FileExtent.Meta.pageHeaderSize
    let (lower, upper) = (page.half(12), page.half(14))
    let count = (lower - header) / 2
    guard lower % 2 == 0, count >= (isBranch ? 2 : 1), lower <= upper, upper <= pageSize else {
      note(
        visit.page, visit.tree, expected: "room for pairs",
        found: "places up to \(lower), pairs from \(upper)")
      return false
    }
    for word in claimed.indices { claimed[word] = 0 }
    for index in 0..<count {
      let node = PageNode(page, at: page.half(header + 2 * index))
      let end = node.end(isBranch: isBranch)
      guard node.place >= upper, node.valuePlace <= end, end <= pageSize, claim(node.place..<end)
      else {
        note(
          visit.page, visit.tree, expected: "a pair by itself, between \(upper) and \(pageSize)",
          found: "pair \(index) from \(node.place) to \(end)")
        return false
      }
      nodes.append(node)
    }
    return true
  }

  /// Marks bytes of a page; says whether they were nobody's.
  private mutating func claim(_ range: Range<Int>) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      let (word, bit) = (start / 64, start % 64)
      let count = min(64 - bit, range.upperBound - start)
      let mask = (count == 64 ? UInt64.max : (1 << UInt64(count)) - 1) << UInt64(bit)
      if claimed[word] & mask != 0 { return false }
      claimed[word] |= mask
      start += count
    }
    return true
  }

  /// Whether the keys of a page ascend, within the bounds that the pages above set.
  mutating func isOrdered(
    _ nodes: [PageNode], _ page: PageBytes, _ visit: Visit, isBranch: Bool
  ) -> Bool {
    let isNumber = trees[visit.tree].hasNumberKeys
    var last = bounds[visit.lower]
    for (index, node) in nodes.enumerated() {
      // The first key of a branch stands for all that are lower, and is not looked at.
      if isBranch, index == 0 { continue }
      let key = node.key(page)
      // A key may equal its lower bound only as the first one of its page.
      let isFirst = index == (isBranch ? 1 : 0)
      let isAbove = Self.order(last, key, isNumber) < (isFirst && !isBranch ? 1 : 0)
      let isBelow = visit.upper.map { Self.order(key, bounds[$0], isNumber) < 0 } ?? true
      guard !key.isEmpty, !isNumber || key.count == 8, isAbove, isBelow else {
        note(
          visit.page, visit.tree, expected: "keys in order",
          found: "key \(index) of \(nodes.count) out of its place")
        return false
      }
      last = key
    }
    return true
  }

  /// Less than 0, 0 or more than 0, as one key comes before another, is it, or comes after.
  private static func order(
    _ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>, _ isNumber: Bool
  ) -> Int {
    if isNumber {
      let (a, b) = (number(a), number(b))
      return a < b ? -1 : a == b ? 0 : 1
    }
    for (x, y) in zip(a, b) where x != y { return Int(x) - Int(y) }
    return a.count - b.count
  }

  private static func number(_ key: ArraySlice<UInt8>) -> UInt64 {
    key.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Notes the pages of a list of free ones: their number, then each, descending.
  mutating func list(_ bytes: ArraySlice<UInt8>, of page: UInt64) {
    let words = stride(from: bytes.startIndex, to: bytes.endIndex - 7, by: 8).map {
      Self.number(bytes[$0..<($0 + 8)])
    }
    guard let count = words.first, count < UInt64(words.count) else {
      return note(
        page, Self.freeTree, expected: "a list of pages", found: "\(bytes.count) bytes")
    }
    var last = lastPage + 1
    for free in words.dropFirst().prefix(Int(count)) {
      guard free >= 2, free < last else {
        return note(
          page, Self.freeTree, expected: "free pages below \(last)", found: "page \(free)")
      }
      last = free
      guard free < UInt64(totalCount) else { continue }
      let (word, bit) = (Int(free / 64), UInt64(1) << (free % 64))
      if listed[word] & bit != 0 {
        note(free, Self.freeTree, expected: "a page that is listed once", found: "listed again")
      }
      listed[word] |= bit
    }
  }
}
