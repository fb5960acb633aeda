internal import LMDB
public import ReactionModel

extension Ledger {
  /// Runs a command, and suspends until it is committed.
  ///
  /// Commands that wait at the same time are joined into one transaction and one flush.
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
    for group in groups(of: commands) { outcomes += try await runAndSuspend(group) }
    return outcomes
  }

  /// Runs a command, and blocks the calling thread until it is committed.
  ///
  /// For callers that are not asynchronous. Otherwise as the asynchronous form. If nobody writes and
  /// nothing waits, the calling thread itself writes. Must not be called inside ``read(_:)``.
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
    for group in groups(of: commands) { outcomes += try runAndBlock(group) }
    return outcomes
  }

  /// Runs commands in order, all or none of them, and suspends until they are committed.
  ///
  /// If one is refused, none is recorded: its outcome is the refusal, that of all others
  /// `rolledBack`. Commands that change nothing, or were recorded before, do not undo the others.
  /// They go into one transaction however many they are; more than about 50,000 should not be asked
  /// for at once.
  ///
  /// - Parameter commands: What to do.
  /// - Returns: One outcome for each command, in their order.
  /// - Throws: ``LedgerError`` if the storage failed; unless it is `commitUnknown`, none was
  ///   recorded.
  public func appendAllOrNothing(
    _ commands: [Command]
  ) async throws(LedgerError) -> [Outcome] {
    try await runAndSuspend(PreparedBatch(commands[...]), isAllOrNothing: true)
  }

  /// Runs commands in order, all or none of them, and blocks the calling thread until they are
  /// committed.
  ///
  /// For callers that are not asynchronous. Otherwise as the asynchronous form.
  ///
  /// - Parameter commands: What to do.
  /// - Returns: One outcome for each command, in their order.
  /// - Throws: ``LedgerError`` if the storage failed.
  public func appendAllOrNothing(_ commands: [Command]) throws(LedgerError) -> [Outcome] {
    try runAndBlock(PreparedBatch(commands[...]), isAllOrNothing: true)
  }
}

extension Ledger {
  /// Runs the commands of a batch in order, each on its own, and suspends until all are committed.
  ///
  /// They go into one transaction however many they are; more than about 50,000 should not be asked
  /// for at once.
  ///
  /// - Parameter batch: What to do.
  /// - Returns: One outcome for each command, in their order.
  /// - Throws: ``LedgerError`` if the storage failed; unless it is `commitUnknown`, nothing was
  ///   recorded.
  public func append(_ batch: CommandBatch) async throws(LedgerError) -> [Outcome] {
    guard batch.count > 0 else { return [] }
    return try await runAndSuspend(batch.prepared)
  }

  /// Runs the commands of a batch in order, each on its own, and blocks the calling thread until all
  /// are committed.
  ///
  /// For callers that are not asynchronous. Otherwise as the asynchronous form.
  ///
  /// - Parameter batch: What to do.
  /// - Returns: One outcome for each command, in their order.
  /// - Throws: ``LedgerError`` if the storage failed.
  public func append(_ batch: CommandBatch) throws(LedgerError) -> [Outcome] {
    guard batch.count > 0 else { return [] }
    return try runAndBlock(batch.prepared)
  }

  /// Runs the commands of a batch in order, all or none of them, and blocks the calling thread until
  /// they are committed.
  ///
  /// Otherwise as the form for an array of commands.
  ///
  /// - Parameter batch: What to do.
  /// - Returns: One outcome for each command, in their order.
  /// - Throws: ``LedgerError`` if the storage failed.
  public func appendAllOrNothing(_ batch: CommandBatch) throws(LedgerError) -> [Outcome] {
    guard batch.count > 0 else { return [] }
    return try runAndBlock(batch.prepared, isAllOrNothing: true)
  }
}

extension Ledger {
  private func runAndSuspend(
    _ batch: PreparedBatch, isAllOrNothing: Bool = false
  ) async throws(LedgerError) -> [Outcome] {
    try await withCheckedContinuation { continuation in
      writer.enqueue(
        Writer.Job(batch: batch, isAllOrNothing: isAllOrNothing) {
          continuation.resume(returning: $0)
        })
    }.get()
  }

  private func runAndBlock(
    _ batch: PreparedBatch, isAllOrNothing: Bool = false
  ) throws(LedgerError) -> [Outcome] {
    try block { complete in
      writer.runOrEnqueue(
        Writer.Job(batch: batch, isAllOrNothing: isAllOrNothing, complete: complete))
    }
  }

  /// Blocks the calling thread until what `enqueue` puts in the queue is answered.
  private func block<R: Sendable>(
    _ enqueue: (@escaping @Sendable (Result<R, LedgerError>) -> Void) -> Void
  ) throws(LedgerError) -> R {
    let answer = Monitor<Result<R, LedgerError>?>(nil)
    environment.waitingForWriter {
      enqueue { result in
        answer.withLock { $0 = result }
        answer.notifyAll()
      }
      answer.wait(until: { $0 != nil }) { _ in }
    }
    guard let result = answer.withLock({ $0.take() }) else { throw .closed }
    return try result.get()
  }

  /// The commands in groups that each fit a transaction, prepared on the calling thread.
  private func groups(of commands: [Command]) -> some Sequence<PreparedBatch> {
    let size = max(1, options.maximumGroupCount)
    return stride(from: 0, to: commands.count, by: size).lazy.map { start in
      PreparedBatch(commands[start..<min(start + size, commands.count)])
    }
  }

  /// Runs a step of upkeep on the writer thread, in a transaction of its own, and waits for it.
  func runStep<R: Sendable>(
    _ body: @escaping @Sendable (inout WriteTransaction) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    let made = Monitor<R?>(nil)
    try block { (complete: @escaping @Sendable (Result<Void, LedgerError>) -> Void) in
      writer.enqueue(
        Writer.Step(
          run: { (transaction) throws(LedgerError) in
            let value = try body(&transaction)
            made.withLock { $0 = value }
          }, complete: complete))
    }
    guard let value = made.withLock({ $0.take() }) else { throw .closed }
    return value
  }
}
