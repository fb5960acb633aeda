import LedgerEngine
import ReactionModel

/// Runs the steps of one lane; a step that fails is tried again, in the end on a ledger that was
/// opened anew.
struct LaneRunner: Sendable {
  let worker: Worker
  let index: Int
  let lane: Lane
  /// `nil` while it is closed.
  private(set) var ledger: Ledger?

  init(worker: Worker, index: Int, lane: Lane, ledger: Ledger) {
    (self.worker, self.index, self.lane) = (worker, index, lane)
    self.ledger = ledger
  }

  func close() { ledger?.close() }

  mutating func run(from start: Int) async throws(Failure) {
    for step in lane.steps.indices.dropFirst(start) {
      let words = try await perform(step)
      worker.acks.write((["S", "\(index)", "\(step)"] + words).joined(separator: " "))
    }
  }

  private mutating func perform(_ step: Int) async throws(Failure) -> [String] {
    var (failureCount, isUnknown) = (0, false)
    while true {
      do throws(LedgerError) {
        let ledger = try openLedger()
        if isUnknown, try isThere(step, ledger) { return try askAgain(step, ledger) }
        return try await attempt(step, ledger)
      } catch {
        failureCount += 1
        Lines.errors.write("step \(step): \(error)")
        if case .commitUnknown = error { isUnknown = true }
        // Other lanes use the ledger: only one that is alone can open it anew.
        guard failureCount < Worker.attemptLimit, worker.shape.laneCount == 1 else {
          throw .ledger(error)
        }
        // After a plain failure the ledger must go on working.
        if isUnknown || failureCount > 1 { closeLedger() }
      }
    }
  }

  private mutating func openLedger() throws(LedgerError) -> Ledger {
    if let ledger { return ledger }
    let opened = try Ledger.open(at: worker.path, options: worker.settings)
    ledger = opened
    return opened
  }

  private mutating func closeLedger() {
    ledger?.close()
    ledger = nil
  }

  private mutating func attempt(
    _ step: Int, _ ledger: Ledger
  ) async throws(LedgerError) -> [String] {
    switch lane.steps[step] {
    case .commands(let commands, isAllOrNothing: true):
      return try await ledger.appendAllOrNothing(commands).map(\.token)
    case .commands(let commands, isAllOrNothing: false):
      return try await ledger.append(commands).map(\.token)
    case .rebuild: _ = try ledger.rebuild()
    case .reopen:
      closeLedger()
      _ = try openLedger()
    case .compact:
      closeLedger()
      try Ledger.compact(at: worker.path)
      _ = try openLedger()
    }
    return []
  }

  /// Whether the records of a step, of which the lane is the only one, are in the log.
  private func isThere(_ step: Int, _ ledger: Ledger) throws(LedgerError) -> Bool {
    let head = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.head
    }
    let counts = lane.recordCounts
    return counts[step + 1] > counts[step] && head == UInt64(1 + counts[step + 1])
  }

  /// Asks again for what was recorded in a step that turned out to be there, where it has an id.
  ///
  /// - Returns: The words of the answer that was lost.
  private func askAgain(_ step: Int, _ ledger: Ledger) throws(LedgerError) -> [String] {
    guard case .commands(let commands, _) = lane.steps[step] else { return [] }
    var words: [String] = []
    for (command, expected) in zip(commands, lane.outcomes[step]) {
      if case .recorded = expected, command.id != nil {
        let word = try ledger.append(command).token
        words.append(
          word.hasPrefix("repeated:") ? "recorded:" + word.dropFirst("repeated:".count) : word)
      } else {
        words.append(expected.token { UInt64($0 + 1) })
      }
    }
    return words
  }
}
