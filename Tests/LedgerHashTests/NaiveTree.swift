import LedgerHash

/// RFC 6962, section 2.1, word for word: a recursion over lists of leaves, to compare with.
struct NaiveTree {
  let leaves: [Digest]
  private let sha256 = SHA256()

  /// Takes the hashes of the leaves.
  init(_ leaves: [Digest]) { self.leaves = leaves }

  /// Makes a tree whose entry `i` is the two bytes of `i`.
  init(size: Int) {
    let sha256 = SHA256()
    self.init(
      (0..<size).map {
        let entry = [UInt8($0 >> 8), UInt8($0 & 255)]
        return sha256.leaf(entry.span)
      })
  }

  /// MTH(D[range]); of every range once.
  func root(_ range: Range<Int>, _ memory: inout [Range<Int>: Digest]) -> Digest {
    if range.isEmpty {
      let nothing: [UInt8] = []
      return sha256.hash(nothing.span)
    }
    if range.count == 1 { return leaves[range.lowerBound] }
    if let known = memory[range] { return known }
    let middle = range.lowerBound + split(range.count)
    let root = sha256.node(
      root(range.lowerBound..<middle, &memory), root(middle..<range.upperBound, &memory))
    memory[range] = root
    return root
  }

  /// PATH(m, D[range]).
  func path(_ index: Int, _ range: Range<Int>, _ memory: inout [Range<Int>: Digest]) -> [Digest] {
    if range.count == 1 { return [] }
    let middle = range.lowerBound + split(range.count)
    let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
    return index < middle
      ? path(index, left, &memory) + [root(right, &memory)]
      : path(index, right, &memory) + [root(left, &memory)]
  }

  /// SUBPROOF(m, D[range], isWhole), `m` counted from the first leaf of all.
  func subproof(
    _ size: Int, _ range: Range<Int>, _ isWhole: Bool, _ memory: inout [Range<Int>: Digest]
  ) -> [Digest] {
    if size == range.upperBound { return isWhole ? [] : [root(range, &memory)] }
    let middle = range.lowerBound + split(range.count)
    let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
    return size <= middle
      ? subproof(size, left, isWhole, &memory) + [root(right, &memory)]
      : subproof(size, right, false, &memory) + [root(left, &memory)]
  }

  /// The largest power of two below `count`.
  private func split(_ count: Int) -> Int {
    var split = 1
    while split * 2 < count { split *= 2 }
    return split
  }
}
