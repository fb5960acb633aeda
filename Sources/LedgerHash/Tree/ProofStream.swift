/// Computes a proof's hashes in one pass over the log's leaves, in O(log size) memory.
public struct ProofStream {
  private let plan: ProofPlan
  /// The plan's ranges by their first leaf, as indices into ``ProofPlan/ranges``.
  private let order: [Int]
  private var next = 0
  private var size: UInt64 = 0
  private var current = CompactRange()
  private var roots: [Digest]
  private let sha256: SHA256

  /// Starts at leaf 0.
  public init(_ plan: ProofPlan, using sha256: SHA256) {
    self.plan = plan
    self.sha256 = sha256
    order = plan.ranges.indices.sorted {
      plan.ranges[$0].lowerBound < plan.ranges[$1].lowerBound
    }
    roots = Array(repeating: SHA256.emptyRoot, count: plan.ranges.count)
  }

  /// Takes the hash of the next leaf; leaves of no range of the plan are counted and left out.
  public mutating func append(_ leaf: Digest) {
    defer { size += 1 }
    guard next < order.count else { return }
    let range = plan.ranges[order[next]]
    guard range.contains(size) else { return }
    current.append(leaf, using: sha256)
    guard size + 1 == range.upperBound else { return }
    roots[order[next]] = current.root(using: sha256)
    current = CompactRange()
    next += 1
  }

  /// The hashes in the order of the proof; `nil` while leaves are missing.
  public var hashes: [Digest]? { next == order.count ? roots : nil }
}
