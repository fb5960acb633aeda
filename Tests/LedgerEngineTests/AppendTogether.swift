import LMDB
import ReactionModel
import Testing

@testable import LedgerEngine

extension Ledger {
  /// Appends commands, each as a caller of its own, all of whom wait before the first is begun.
  func appendTogether(_ commands: [Command]) throws -> [Outcome] {
    let (gate, answers) = (Monitor(false), Monitor([Int: Result<[Outcome], LedgerError>]()))
    writer.enqueue(
      Writer.Step(run: { _ in gate.wait(until: { $0 }) { _ in } }, complete: { _ in }))
    for (index, command) in commands.enumerated() {
      writer.enqueue(
        Writer.Job(batch: PreparedBatch([command][...])) { result in
          answers.withLock { $0[index] = result }
          answers.notifyAll()
        })
    }
    gate.withLock { $0 = true }
    gate.notifyAll()
    let results = answers.wait(until: { $0.count == commands.count }) { $0 }
    return try commands.indices.map { try #require(results[$0]).get()[0] }
  }
}
