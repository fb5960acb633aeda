extension Workload.Shape {
  /// The shape that options name.
  init(_ options: Options) throws(Failure) {
    seed = try options.number("seed", default: 1)
    stepCount = try options.number("steps", default: 60)
    laneCount = try options.number("lanes", default: 1)
    guard stepCount >= 0, laneCount > 0 else { throw .usage("there is nothing to do") }
  }
}
