import LedgerEngine
import ReactionModel

/// Runs a workload against a ledger and acknowledges what the ledger has answered.
///
/// A line of acknowledgement is `C` once the ledger is open, then `S LANE STEP WORD…` after a
/// step, with a word for each command.
struct Worker: Sendable {
  let path: String
  let shape: Workload.Shape
  let settings: LedgerOptions
  let acks: Lines
  /// How many steps of each lane were done before.
  let starts: [Int]

  init(_ options: Options) throws(Failure) {
    path = try options.word(1, "the folder")
    shape = try Workload.Shape(options)
    var settings = LedgerOptions()
    if let name = options.text("durability") {
      guard let durability = Durability.allCases.first(where: { $0.name == name }) else {
        throw .usage("there is no durability \(name)")
      }
      settings.durability = durability
    }
    let size: Int = try options.number("map", default: 0)
    if size > 0 { settings.mapSizeBytes = size }
    self.settings = settings
    acks = Lines(descriptor: try options.number("acks", default: Lines.output.descriptor))
    let starts = options.text("resume")?.split(separator: ",").compactMap { Int($0) }
    self.starts = starts ?? Array(repeating: 0, count: shape.laneCount)
    guard self.starts.count == shape.laneCount else { throw .usage("--resume has a number a lane") }
  }

  func run() async throws(Failure) {
    let workload = Workload(shape)
    let ledger = try open(creating: workload.policy)
    acks.write("C")
    let runners = workload.lanes.indices.map { index in
      LaneRunner(worker: self, index: index, lane: workload.lanes[index], ledger: ledger)
    }
    if runners.count == 1 {
      var runner = runners[0]
      try await runner.run(from: starts[0])
      runner.close()
      return
    }
    let results = await withTaskGroup(of: Result<Void, Failure>.self) { group in
      for runner in runners {
        group.addTask {
          var runner = runner
          do throws(Failure) {
            try await runner.run(from: starts[runner.index])
            return .success(())
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    ledger.close()
    for result in results { try result.get() }
  }

  /// How often something is tried that fails.
  static let attemptLimit = 4

  /// Opens the ledger; tries again, as a server that is restarted would.
  func open(creating policy: Policy?) throws(Failure) -> Ledger {
    var failureCount = 0
    while true {
      do throws(LedgerError) {
        return try Ledger.open(at: path, creating: policy, options: settings)
      } catch {
        failureCount += 1
        Lines.errors.write("open: \(error)")
        guard failureCount < Self.attemptLimit else { throw .ledger(error) }
      }
    }
  }
}
