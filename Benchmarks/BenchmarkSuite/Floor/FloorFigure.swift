/// One figure of ours beside the floor's, over several rounds.
struct FloorFigure {
  let operation: String
  let unit: String
  /// How many times the floor's figure ours should be at most.
  let goal: Double
  private(set) var ours: [Double] = []
  private(set) var floor: [Double] = []

  init(_ operation: String, _ unit: String, goal: Double) {
    self.operation = operation
    self.unit = unit
    self.goal = goal
  }

  mutating func add(ours: Double, floor: Double) {
    self.ours.append(ours)
    self.floor.append(floor)
  }

  var ratio: Double { median(floor) > 0 ? median(ours) / median(floor) : 0 }
  var isReached: Bool { ratio <= goal }
}

/// The figures of a comparison in the order in which they came first.
struct FloorFigures {
  private(set) var all: [FloorFigure] = []

  mutating func add(
    _ operation: String, _ unit: String, goal: Double, ours: Double, floor: Double?
  ) {
    guard let floor else { return }
    let index = all.firstIndex { $0.operation == operation && $0.unit == unit }
    if let index {
      all[index].add(ours: ours, floor: floor)
    } else {
      var figure = FloorFigure(operation, unit, goal: goal)
      figure.add(ours: ours, floor: floor)
      all.append(figure)
    }
  }
}
