/// What a message is still going to see, at a time.
package struct PendingAction: Sendable {
  /// What will happen.
  package enum Kind: Sendable {
    /// Somebody adds a reaction; who and which is drawn when it happens.
    case add
    /// The same on a viral message, where all users are equally likely.
    case viralAdd
    /// This user takes this reaction back.
    case remove(user: UInt32, reaction: UInt8)
  }

  /// When, in seconds since the start of the workload.
  package let time: Double
  /// On which message.
  package let message: UInt32
  /// What.
  package let kind: Kind

  /// Makes an action.
  package init(at time: Double, message: UInt32, _ kind: Kind) {
    self.time = time
    self.message = message
    self.kind = kind
  }
}

/// The actions still to come, the soonest first: a binary heap.
///
/// Of actions at exactly the same time either may come first, but always the same one. Memory: 24
/// bytes for each action, and as much again when the array has just grown. The workload keeps some
/// 7,000 waiting, and 50,000 more when a message has gone viral.
package struct PendingActions: Sendable {
  /// No action is sooner than its parent, which of index *i* is at (*i* - 1) / 2.
  private var heap: [PendingAction] = []

  /// Makes a heap without actions.
  package init() {}

  /// How many there are.
  package var count: Int { heap.count }

  /// The soonest, or `nil` if there is none.
  ///
  /// Complexity: O(1).
  package var first: PendingAction? { heap.first }

  /// Adds an action.
  ///
  /// Complexity: O(log *n*).
  package mutating func insert(_ action: PendingAction) {
    var index = heap.count
    heap.append(action)
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[parent].time > action.time else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = action
  }

  /// Takes the soonest away; `nil` if there is none.
  ///
  /// Complexity: O(log *n*).
  package mutating func popFirst() -> PendingAction? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
      guard heap[child].time < last.time else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = last
    return first
  }
}
