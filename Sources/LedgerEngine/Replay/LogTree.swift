internal import LedgerHash
internal import ReactionCodec

/// The tree of the log's records: its root, the hashes that `tree` should hold, and what it says of
/// checkpoints, as the log goes by.
///
/// Memory: 32 bytes for each 256 records.
struct LogTree {
  /// A checkpoint that the log does not have.
  struct Mismatch {
    /// Which one of those given.
    let index: Int
    let head: TreeHead
    /// The root of the log at that size; `nil` if it ends before.
    let root: Digest?
  }

  private let sha256 = SHA256()
  private var range = CompactRange()
  /// The hashes of full subtrees of 2^8, 2^16 … records, by level and index.
  private var nodes: [[Digest]] = Array(
    repeating: [], count: TreeFormat.maximumLevel / TreeFormat.levelStep)
  /// The checkpoints that the log has not come to, the smallest last.
  private var pending: [(index: Int, head: TreeHead)]
  private(set) var mismatches: [Mismatch] = []

  init(_ checkpoints: [TreeHead], rowCount: Int) {
    nodes[0].reserveCapacity(rowCount >> 8)
    pending = checkpoints.enumerated().map { ($0.offset, $0.element) }
      .sorted { $0.head.size > $1.head.size }
    passCheckpoints()
  }

  private static func isKept(_ level: Int) -> Bool {
    level > 0 && level <= TreeFormat.maximumLevel && level % TreeFormat.levelStep == 0
  }

  /// How many records it has.
  var size: UInt64 { range.size }

  /// The bytes in use.
  var byteCount: Int { nodes.reduce(0) { $0 + $1.byteCount } }

  /// Takes the next record's leaf.
  mutating func append(_ leaf: Digest) {
    if (range.size &+ 1) & 0xFF == 0 {
      var found: [(level: Int, hash: Digest)] = []
      range.append(leaf, using: sha256) { (place, hash) in
        if Self.isKept(place.level) { found.append((place.level, hash)) }
      }
      for node in found { nodes[node.level / TreeFormat.levelStep - 1].append(node.hash) }
    } else {
      range.append(leaf, using: sha256)
    }
    if let next = pending.last, next.head.size <= range.size { passCheckpoints() }
  }

  private mutating func passCheckpoints() {
    while let next = pending.last, next.head.size <= range.size {
      pending.removeLast()
      let root = range.root(using: sha256)
      if root != next.head.root {
        mismatches.append(Mismatch(index: next.index, head: next.head, root: root))
      }
    }
  }

  /// The root of all records taken so far.
  var root: Digest { range.root(using: sha256) }

  /// The hash of a full subtree; `nil` if the log does not fill it, or no such level is kept.
  func node(level: Int, index: UInt64) -> Digest? {
    guard Self.isKept(level) else { return nil }
    let row = nodes[level / TreeFormat.levelStep - 1]
    return index < UInt64(row.count) ? row[Int(index)] : nil
  }

  /// The checkpoints that the log does not have, those that it does not come to among them.
  func allMismatches() -> [Mismatch] {
    mismatches + pending.map { Mismatch(index: $0.index, head: $0.head, root: nil) }
  }
}
