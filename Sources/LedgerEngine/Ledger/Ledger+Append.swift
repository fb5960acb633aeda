internal import LMDB
public import ReactionModel

extension Ledger {
  /// Runs a command, and suspends until it is committed.
  ///
  /// The writer thread joins commands that wait at the same time into one transaction and one flush.
  /// Durability point: on return the command is as safe as its receipt says.
  ///
  /// - Parameter command: What to do.
  /// - Returns: What became of it; refusals and duplicates are values.
  /// - Throws: ``LedgerError`` if the storage failed; unless it is `commitUnknown`, nothing was
  ///   recorded.
  public func append(_ command: Command) async throws(LedgerError) -> Outcome {
    try await append([command])[0]
  }

  /// Runs commands in order, each on its own, and suspends until all are committed.
  ///
  /// Each is recorded or not by its own outcome. They are committed in groups of at most
  /// ``LedgerOptions/maximumGroupCount``; if a later group throws, earlier ones are recorded.
  ///
  /// - Parameter commands: What to do.
  /// - Returns: One outcome for each command, in their order.
  /// - Throws: ``LedgerError`` if the storage failed.
  public func append(_ commands: [Command]) async throws(LedgerError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for group in groups(of: commands) {
      let result = await withCheckedContinuation { continuation in
        writer.enqueue(Writer.Job(commands: group) { continuation.resume(returning: $0) })
      }
      outcomes += try result.get()
    }
    return outcomes
  }

  /// Runs a command, and blocks the calling thread until it is committed.
  ///
  /// For callers that are not asynchronous. Otherwise as the asynchronous form. Must not be called
  /// inside ``read(_:)``.
  ///
  /// - Parameter command: What to do.
  /// - Returns: What became of it.
  /// - Throws: ``LedgerError`` if the storage failed.
  public func append(_ command: Command) throws(LedgerError) -> Outcome {
    try append([command])[0]
  }

  /// Runs commands in order, each on its own, and blocks the calling thread until all are committed.
  ///
  /// For callers that are not asynchronous. Otherwise as the asynchronous form.
  ///
  /// - Parameter commands: What to do.
  /// - Returns: One outcome for each command, in their order.
  /// - Throws: ``LedgerError`` if the storage failed.
  public func append(_ commands: [Command]) throws(LedgerError) -> [Outcome] {
    var outcomes: [Outcome] = []
    for group in groups(of: commands) {
      let answer = Monitor<Result<[Outcome], LedgerError>?>(nil)
      writer.enqueue(
        Writer.Job(commands: group) { result in
          answer.withLock { $0 = result }
          answer.notifyAll()
        })
      let result = answer.wait(until: { $0 != nil }) { $0.take() }
      if let result { outcomes += try result.get() }
    }
    return outcomes
  }

  /// The commands in groups that each fit a transaction, prepared on the calling thread.
  private func groups(of commands: [Command]) -> [[PreparedCommand]] {
    let size = max(1, options.maximumGroupCount)
    return stride(from: 0, to: commands.count, by: size).map { start in
      commands[start..<min(start + size, commands.count)].map { PreparedCommand($0) }
    }
  }

  /// Runs a step of upkeep on the writer thread, in a transaction of its own, and waits for it.
  func runStep<R: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    let made = Monitor<R?>(nil)
    let answer = Monitor<Result<Void, LedgerError>?>(nil)
    writer.enqueue(
      Writer.Step { (transaction) throws(LedgerError) in
        let value = try body(&transaction)
        made.withLock { $0 = value }
      } complete: { result in
        answer.withLock { $0 = result }
        answer.notifyAll()
      })
    let result = answer.wait(until: { $0 != nil }) { $0.take() }
    try result?.get()
    guard let value = made.withLock({ $0.take() }) else { throw .closed }
    return value
  }
}
