import LedgerEngine
import ReactionModel

/// Checks one ledger that was interrupted: that what was acknowledged is there, that all that is
/// there was asked for and is right in every field, that the projections are what the log makes
/// them, and that it goes on working.
struct Check {
  private let request: Request
  private let expectation: Expectation
  private var workload: Workload { expectation.workload }

  init(_ request: Request, _ expectation: Expectation) {
    self.request = request
    self.expectation = expectation
  }

  func verdict() -> String {
    do throws(Failure) {
      let ledger = try openLedger()
      defer { ledger.close() }
      let first = try look(at: ledger, isInterrupted: true)
      try checkAcks(first)
      let ends = try goOn(ledger, first)
      let second = try look(at: ledger, isInterrupted: false)
      for (lane, end) in ends.enumerated() {
        let count = workload.lanes[lane].recordCounts[end]
        guard second.sequences[lane].count == count else {
          throw .wrong("lane \(lane) has \(second.sequences[lane].count) records, not \(count)")
        }
      }
      return "ok " + ends.map { "\($0)" }.joined(separator: ",")
    } catch {
      return "FAILED " + "\(error)".split(separator: "\n").joined(separator: " / ")
    }
  }

  /// The ledger, which must be there once somebody was told so and else can be made now.
  private func openLedger() throws(Failure) -> Ledger {
    let policy = request.requiredCount > 0 ? nil : workload.policy
    return try Failure.converting { () throws(LedgerError) in
      try Ledger.open(at: request.folder, creating: policy)
    }
  }

  /// Compares all of the log, what messages show, and the projections.
  private func look(at ledger: Ledger, isInterrupted: Bool) throws(Failure) -> LogCheck {
    var log = LogCheck(workload)
    try log.run(ledger)
    try log.checkSteps()
    let report = try Failure.converting { () throws(LedgerError) in try ledger.replay() }
    guard report.isOK, report.head == log.head else {
      let first = report.findings.first.map { "\($0)" } ?? "the replay reached \(report.head)"
      throw .wrong("\(isInterrupted ? "replay" : "replay after going on"): \(first)")
    }
    try log.checkSummaries(ledger)
    return log
  }

  /// Every required step is there, and every answer was the right one.
  private func checkAcks(_ log: LogCheck) throws(Failure) {
    for (index, ack) in expectation.acks.prefix(request.ackCount).enumerated() {
      guard let ack else { continue }
      let lane = workload.lanes[ack.lane]
      guard log.sequences[ack.lane].count >= lane.recordCounts[ack.step + 1] else {
        guard index >= request.requiredCount else {
          throw .wrong("lane \(ack.lane): step \(ack.step) was acknowledged and is not there")
        }
        continue
      }
      let expected = lane.outcomes[ack.step].map { $0.token { log.sequences[ack.lane][$0 - 1] } }
      guard ack.words == expected else {
        throw .wrong(
          "lane \(ack.lane): step \(ack.step) was answered \(ack.words), should be \(expected)")
      }
    }
  }

  /// Asks again for the last commands that are there, then for the step after them.
  ///
  /// - Returns: How many steps of each lane are done then.
  private func goOn(_ ledger: Ledger, _ log: LogCheck) throws(Failure) -> [Int] {
    var ends: [Int] = []
    for (index, lane) in workload.lanes.enumerated() {
      let position = log.positions[index]
      if position.lowerBound > 0 {
        try askAgain(ledger, index, position.lowerBound - 1, log.sequences[index])
      }
      guard position.upperBound < lane.steps.count else {
        ends.append(position.upperBound)
        continue
      }
      try goOn(ledger, lane, position.upperBound)
      ends.append(position.upperBound + 1)
    }
    return ends
  }

  /// The commands of a step that is there, those that were recorded and have an id: each must be
  /// answered as repeated, with the sequences that it has.
  private func askAgain(
    _ ledger: Ledger, _ index: Int, _ step: Int, _ sequences: [UInt64]
  ) throws(Failure) {
    guard case .commands(let commands, _) = workload.lanes[index].steps[step] else { return }
    for (command, expected) in zip(commands, workload.lanes[index].outcomes[step]) {
      guard case .recorded(let numbers) = expected, command.id != nil else { continue }
      let outcome = try Failure.converting { () throws(LedgerError) in try ledger.append(command) }
      let token = ExpectedOutcome.repeated(numbers).token { sequences[$0 - 1] }
      guard outcome.token == token else {
        throw .wrong("asked again, step \(step): \(outcome.token), should be \(token)")
      }
    }
  }

  /// A step that is not there: what must be recorded now is, and what must not is not.
  private func goOn(_ ledger: Ledger, _ lane: Lane, _ step: Int) throws(Failure) {
    guard case .commands(let commands, let isAllOrNothing) = lane.steps[step] else {
      if case .rebuild = lane.steps[step] {
        _ = try Failure.converting { () throws(LedgerError) in try ledger.rebuild() }
      }
      return
    }
    let outcomes = try Failure.converting { () throws(LedgerError) in
      try isAllOrNothing ? ledger.appendAllOrNothing(commands) : ledger.append(commands)
    }
    for (outcome, expected) in zip(outcomes, lane.outcomes[step]) {
      let isRight =
        if let numbers = expected.numbers, let receipt = outcome.receipt {
          expected.token { _ in 0 }.hasPrefix(outcome.name)
            && receipt.sequences.count == numbers.count
        } else {
          outcome.token == expected.token { _ in 0 }
        }
      guard isRight else {
        throw .wrong("gone on, step \(step): \(outcome.token), should be \(expected)")
      }
    }
  }
}
