import ReactionModel

/// What a run asks of a ledger: a function of its seed, so that the checker can make it anew.
///
/// A lane is what one client asks, step after step; lanes run at the same time and have no message
/// in common, so that what each must come to does not depend on the others.
struct Workload: Sendable {
  /// What a workload is made from.
  struct Shape: Hashable, Sendable {
    var seed: UInt64
    var stepCount: Int
    var laneCount: Int
  }

  let policy: Policy
  let lanes: [Lane]
  /// The lane to which a message belongs.
  let laneOfMessage: [MessageKey: Int]

  init(_ shape: Shape) {
    let policy = Self.policy(seed: shape.seed)
    var places: [MessageKey: Int] = [:]
    lanes = (0..<shape.laneCount).map { lane in
      var builder = LaneBuilder(lane, shape, policy)
      for message in builder.vocabulary.messages { places[message] = lane }
      return builder.build()
    }
    laneOfMessage = places
    self.policy = policy
  }

  /// Every fourth ledger keeps one reaction per user; limits are low, so that they are reached.
  private static func policy(seed: UInt64) -> Policy {
    let selection: Policy.Selection = seed % 4 == 3 ? .single : .multiple
    do throws(PolicyError) {
      return try Policy(selection: selection, maximumDistinctPerMessage: seed % 2 == 0 ? 8 : 5)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// What one client asks.
struct Lane: Sendable {
  /// One thing that is asked and acknowledged.
  enum Step: Sendable {
    case commands([Command], isAllOrNothing: Bool)
    case rebuild
    /// The ledger is closed and opened again.
    case reopen
    /// The ledger is closed, compacted and opened again.
    case compact
  }

  var steps: [Step] = []
  /// What the commands of each step must come to.
  var outcomes: [[ExpectedOutcome]] = []
  /// How many records the lane has after so many steps: one number more than there are steps.
  var recordCounts = [0]
  var records: [ExpectedRecord] = []

  /// How many steps may be done when the lane has so many records, or `nil` if one is half done.
  ///
  /// It is a range because of steps that record nothing.
  func positions(recordCount: Int) -> ClosedRange<Int>? {
    guard let first = recordCounts.firstIndex(of: recordCount),
      let last = recordCounts.lastIndex(of: recordCount)
    else { return nil }
    return first...last
  }
}
