extension PageCheck {
  /// Counts the nodes of a page and unites their flags, if they lie in it and not over each other.
  mutating func countNodes(
    _ page: Span<UInt8>, _ visit: Visit, isBranch: Bool
  ) -> (count: Int, flags: Int)? {
    let header = FileExtent.Meta.pageHeaderSize
    let (lower, upper) = (page.half(12), page.half(14))
    let count = (lower - header) / 2
    guard lower % 2 == 0, count >= (isBranch ? 2 : 1), lower <= upper, upper <= pageSize else {
      note(
        visit.page, visit.tree, expected: "room for pairs",
        found: "places up to \(lower), pairs from \(upper)")
      return nil
    }
    let (sound, flags) = Self.soundCount(
      count, page, upper..<pageSize, isBranch: isBranch, claimed.mutableSpan)
    guard sound < count else { return (count, flags) }
    let node = PageNode(page, index: sound)
    note(
      visit.page, visit.tree, expected: "a pair by itself, between \(upper) and \(pageSize)",
      found: "pair \(sound) from \(node.place) to \(node.end(isBranch: isBranch))")
    return nil
  }

  /// How many of the first nodes lie in the room and not over each other, and their flags, united.
  private static func soundCount(
    _ count: Int, _ page: Span<UInt8>, _ room: Range<Int>, isBranch: Bool,
    _ claimed: consuming MutableSpan<UInt64>
  ) -> (Int, flags: Int) {
    for word in claimed.indices { claimed[word] = 0 }
    var flags = 0
    for index in 0..<count {
      let node = PageNode(page, index: index)
      let end = node.end(isBranch: isBranch)
      guard node.place >= room.lowerBound, node.valuePlace <= end, end <= room.upperBound,
        claim(node.place, end &- 1, &claimed)
      else { return (index, flags) }
      flags |= node.flags
    }
    return (count, flags)
  }

  /// Marks bytes of a page, the first to the last; says whether they were nobody's.
  @inline(__always)
  private static func claim(_ first: Int, _ last: Int, _ claimed: inout MutableSpan<UInt64>) -> Bool
  {
    // The bits from the first byte on, and those up to the last one.
    let low = UInt64.max &<< UInt64(truncatingIfNeeded: first)
    let high = UInt64.max &>> UInt64(truncatingIfNeeded: 63 &- last)
    let (start, end) = (first &>> 6, last &>> 6)
    if start == end {
      let word = claimed[start]
      claimed[start] = word | low & high
      return word & low & high == 0
    }
    var taken = claimed[start] & low
    claimed[start] |= low
    for index in start &+ 1..<end {
      taken |= claimed[index]
      claimed[index] = .max
    }
    taken |= claimed[end] & high
    claimed[end] |= high
    return taken == 0
  }

  /// Whether the keys of a page ascend, within the bounds that the pages above set.
  mutating func isOrdered(
    _ count: Int, _ page: Span<UInt8>, _ visit: Visit, isBranch: Bool
  ) -> Bool {
    let isNumber = trees[visit.tree].hasNumberKeys
    guard
      let index = Self.disorder(
        count, page, bounds.span, visit, isNumber: isNumber, isBranch: isBranch)
    else { return true }
    note(
      visit.page, visit.tree, expected: "keys in order",
      found: "key \(index) of \(count) out of its place")
    return false
  }

  /// The first node of a page whose key is not in its place; `nil` if there is none.
  private static func disorder(
    _ count: Int, _ page: Span<UInt8>, _ bounds: Span<UInt8>, _ visit: Visit, isNumber: Bool,
    isBranch: Bool
  ) -> Int? {
    // The first key of a branch stands for all that are lower, and is not looked at.
    let first = isBranch ? 1 : 0
    var last = bounds.extracting(visit.lower)
    for index in first..<count {
      let key = page.extracting(PageNode(page, index: index).key)
      // A key may equal its lower bound only as the first one of its page.
      let isAbove = order(last, key, isNumber) < (index == first && !isBranch ? 1 : 0)
      guard !key.isEmpty, !isNumber || key.count == 8, isAbove else { return index }
      last = key
    }
    // Since they ascend, the others are below if the last one is.
    guard let end = visit.upper else { return nil }
    let upper = bounds.extracting(end)
    guard order(last, upper, isNumber) >= 0 else { return nil }
    for index in first..<count
    where order(page.extracting(PageNode(page, index: index).key), upper, isNumber) >= 0 {
      return index
    }
    return nil
  }

  /// Less than 0, 0 or more than 0, as one key comes before another, is it, or comes after.
  @inline(__always)
  private static func order(_ a: Span<UInt8>, _ b: Span<UInt8>, _ isNumber: Bool) -> Int {
    guard isNumber else { return a.order(b) }
    let (a, b) = (a.word(0), b.word(0))
    return a < b ? -1 : a == b ? 0 : 1
  }

  /// Notes the pages of a list of free ones: their number, then each, descending.
  mutating func list(_ bytes: Span<UInt8>, of page: UInt64) {
    var words: [UInt64] = []
    for index in 0..<bytes.count / 8 { words.append(bytes.word(8 * index)) }
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
