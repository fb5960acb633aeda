internal import ReactionCodec
internal import ReactionModel

/// Where a finding stands among the others: the same, whatever finds it, and when.
struct FindingPlace: Comparable, Sendable {
  /// The parts of a replay, in order.
  enum Section: UInt8, Sendable {
    case log, logEnd, users, userCount, userNumbers, messages, reactors, commands, byUser, counts
    case meta, tree, checkpoints
  }

  let section: Section
  /// What orders the findings of a section: bytes of a key.
  let key: [UInt8]
  /// What orders the findings about one key.
  let rank: UInt8

  init(_ section: Section, _ key: [UInt8] = [], rank: UInt8 = 0) {
    self.section = section
    self.key = key
    self.rank = rank
  }

  /// The place of what a record shows: the order in which its rules are checked.
  init(_ rule: Rule, _ sequence: UInt64) {
    let rank: UInt8 =
      switch rule {
      case .recordDecodes, .recordCanonical, .seal: 0
      case .canonicalReaction: 1
      case .gapless, .timeOrder, .commandBoundary: 2
      case .userOrder: 3
      case .commandIDOnce: 4
      case .chain, .noDuplicateAdd, .removeEndsLiveAdd: 5
      case .erasedIsGone: 6
      default: 7
      }
    self.init(.log, [UInt8](Keys.event(sequence).span), rank: rank)
  }

  static func < (a: Self, b: Self) -> Bool {
    if a.section != b.section { return a.section.rawValue < b.section.rawValue }
    if a.key != b.key { return a.key.lexicographicallyPrecedes(b.key) }
    return a.rank < b.rank
  }
}

/// Findings: all are counted, the first by their places are kept; of one place, in the order in which
/// they were added.
struct FindingList: Sendable {
  private(set) var count = 0
  private var kept: [(place: FindingPlace, finding: Finding)] = []
  private let limit: Int

  init(limit: Int) { self.limit = max(0, limit) }

  /// The first findings.
  var first: [Finding] { kept.map(\.finding) }

  /// Adds a finding.
  ///
  /// Complexity: O(log *n*) if it is among the last, else O(*n*) in those that are kept.
  mutating func add(_ finding: Finding, at place: FindingPlace) {
    count += 1
    insert(finding, at: place)
  }

  /// Adds the findings of another list, whose places are others or come after equal ones.
  mutating func add(_ other: FindingList) {
    count += other.count
    for (place, finding) in other.kept { insert(finding, at: place) }
  }

  private mutating func insert(_ finding: Finding, at place: FindingPlace) {
    if kept.count == limit {
      guard let last = kept.last, place < last.place else { return }
      kept.removeLast()
    }
    var (low, high) = (0, kept.count)
    if let last = kept.last, !(place < last.place) { low = high }
    while low < high {
      let middle = (low + high) / 2
      if place < kept[middle].place { high = middle } else { low = middle + 1 }
    }
    kept.insert((place, finding), at: low)
  }
}

extension Rule {
  /// Whether it is about what an event may do, and not about the log by itself.
  var isOfLegality: Bool {
    switch self {
    case .noDuplicateAdd, .removeEndsLiveAdd, .commandIDOnce, .erasedIsGone: true
    default: false
    }
  }
}
