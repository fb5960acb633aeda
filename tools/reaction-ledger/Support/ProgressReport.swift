import LedgerEngine

/// Where long work of the engine tells how far it is, and hears that it is to end.
struct ProgressReport {
  private let line = ProgressLine()

  /// Shows a step, or tells it to the parent process.
  ///
  /// - Throws: `cancelled` if a signal came by which the caller ends the tool, or if the parent is
  ///   gone.
  func show(_ progress: ReplayProgress) throws(LedgerError) {
    if CancelSignal.received != nil { throw .cancelled }
    guard ProgressPipe.isInherited else { return line.show(progress.step) }
    guard ProgressPipe.tell(progress.step) else { throw .cancelled }
  }

  /// Takes the line away.
  func clear() { line.clear() }
}
