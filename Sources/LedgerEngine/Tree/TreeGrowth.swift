internal import LMDB
internal import LedgerHash
internal import ReactionCodec

/// Finds what `tree` lacks of the first records of a log, a bounded number of records at a time.
///
/// It goes from left to right and leaps over every subtree whose hash is stored, the largest first.
/// Between two steps what was found must be stored: the larger subtrees are made of it.
struct TreeGrowth {
  private let databases: Databases
  private let size: UInt64
  /// How many records are done.
  private(set) var position: UInt64 = 0

  /// The subtrees of 256 records that one step hashes, about a tenth of a second of work.
  static let bundleCount = 256

  private static let bundleSize = UInt64(1) << UInt64(TreeFormat.levelStep)

  /// Starts at the first record.
  init(_ databases: Databases, size: UInt64) {
    self.databases = databases
    self.size = size
  }

  /// Whether all full subtrees are stored once those of the last step are.
  var isDone: Bool { size - position < Self.bundleSize }

  /// Goes on, in a snapshot that has the records.
  ///
  /// - Returns: What is to be stored.
  mutating func step(
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [(place: Subtree, hash: Digest)] {
    var hasher = TreeHasher(databases)
    var count = 0
    while !isDone, count < Self.bundleCount {
      if let level = try storedLevel(hasher, reads) {
        position += 1 << UInt64(level)
      } else {
        try hasher.make(Self.subtree(TreeFormat.levelStep, at: position), reads)
        position += Self.bundleSize
        count += 1
      }
      try completeParents(&hasher, reads)
    }
    return hasher.made
  }

  /// The level of the largest stored subtree that begins here.
  private func storedLevel(
    _ hasher: TreeHasher, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Int? {
    for level in Self.levels.reversed() {
      let count = UInt64(1) << UInt64(level)
      guard position & (count - 1) == 0, size - position >= count else { continue }
      if try hasher.isKnown(Self.subtree(level, at: position), reads) { return level }
    }
    return nil
  }

  /// Makes the larger subtrees that end here and are not stored.
  private func completeParents(
    _ hasher: inout TreeHasher, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    for level in Self.levels.dropFirst() {
      let count = UInt64(1) << UInt64(level)
      guard position & (count - 1) == 0 else { return }
      let place = Self.subtree(level, at: position - count)
      if try !hasher.isKnown(place, reads) { try hasher.make(place, reads) }
    }
  }

  private static let levels = Array(
    stride(from: TreeFormat.levelStep, through: TreeFormat.maximumLevel, by: TreeFormat.levelStep))

  private static func subtree(_ level: Int, at position: UInt64) -> Subtree {
    Subtree(level: level, index: position >> UInt64(level))
  }
}

extension WriteTransaction {
  /// Stores hashes of full subtrees.
  mutating func store(
    _ made: [(place: Subtree, hash: Digest)], in tree: Database
  ) throws(LedgerError) {
    let sha256 = SHA256()
    for (place, hash) in made {
      let key = TreeFormat.key(level: place.level, index: place.index)
      let check = TreeHasher.check(place, hash.words, sha256)
      let value = TreeFormat.value(hash: hash.words, check: check)
      try set(value.span, for: key.span, in: tree)
    }
  }
}
