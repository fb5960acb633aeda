/// One figure of ours beside another program's, over several rounds.
struct PairedFigure {
  let operation: String
  let unit: String
  /// How many times the other figure ours should be at most, if there is a goal.
  let goal: Double?
  private(set) var ours: [Double] = []
  private(set) var theirs: [Double] = []

  init(_ operation: String, _ unit: String, goal: Double?) {
    self.operation = operation
    self.unit = unit
    self.goal = goal
  }

  mutating func add(ours: Double, theirs: Double) {
    self.ours.append(ours)
    self.theirs.append(theirs)
  }

  /// How many times the other median ours is; 0 if there is none.
  var ratio: Double { median(theirs) > 0 ? median(ours) / median(theirs) : 0 }
  /// Whether the goal is reached, or the other is not better where there is none.
  var isReached: Bool { ratio <= goal ?? 1 }
}

/// The figures of a comparison in the order in which they came first.
struct PairedFigures {
  private(set) var all: [PairedFigure] = []

  /// Adds one round's figure; not if the other program did not tell its own.
  mutating func add(
    _ operation: String, _ unit: String, goal: Double? = nil, ours: Double, theirs: Double?
  ) {
    guard let theirs else { return }
    let index = all.firstIndex { $0.operation == operation && $0.unit == unit }
    if let index {
      all[index].add(ours: ours, theirs: theirs)
    } else {
      var figure = PairedFigure(operation, unit, goal: goal)
      figure.add(ours: ours, theirs: theirs)
      all.append(figure)
    }
  }
}
