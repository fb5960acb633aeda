import Glibc
import LedgerInterchange
import ReactionModel

/// A command in a child process, so that a fault in it is a finding and not the tool's end.
///
/// LMDB trusts the pages of its file: on damaged ones it may run into an assertion, or read where
/// nothing is mapped. What the child prints is kept back until it has ended, so that nothing is
/// printed but one whole answer.
struct IsolatedRun {
  /// What the child printed, and what it said of errors, up to ``errorByteLimit``.
  private var printed: [UInt8] = []
  private var errors: [UInt8] = []
  /// Of what it told, the end of a line that has not come yet.
  private var partialLine: [UInt8] = []
  private var lastStep: ProgressStep?

  /// How much is kept of what the child says of errors.
  static let errorByteLimit = 64 * 1024
  /// The signals by which the system ends a process that did what cannot be done.
  static let faults = [
    SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
  ]

  /// How a run in a child ended.
  enum End {
    /// By itself, or by a signal to cancel: with this exit status.
    case status(ExitStatus)
    /// By a fault of reading; this is the finding of it.
    case fault(Finding)
  }

  /// Runs the process's own command in a child, and prints what it printed.
  ///
  /// - Parameters:
  ///   - path: The ledger's folder.
  ///   - output: Standard output.
  /// - Returns: How it ended; `nil` if no child could be started.
  /// - Throws: ``Failure`` if a signal ended the child that is neither a fault nor one to cancel.
  static func run(ledgerAt path: String, _ output: Output) throws(Failure) -> End? {
    CancelSignal.note()
    guard var child = ChildProcess.start() else { return nil }
    var run = IsolatedRun()
    let line = ProgressLine()
    let end = child.wait { stream, bytes in run.take(bytes, from: stream, line) }
    line.clear()
    switch end {
    case .exited(let status):
      try run.print(to: output)
      return .status(ExitStatus(rawValue: status) ?? .unusable)
    case .signalled(let signal):
      if let status = ExitStatus(signal: signal) { return .status(status) }
      if let name = faults[signal] { return .fault(run.finding(signal: name, at: path)) }
      throw Failure(
        .unusable, "signal \(signal) ended the process that read \(path), \(run.place): try again")
    }
  }

  private mutating func take(_ bytes: [UInt8], from stream: Int, _ line: ProgressLine) {
    switch stream {
    case 0: printed += bytes
    case 1: errors += bytes.prefix(Self.errorByteLimit - errors.count)
    default:
      partialLine += bytes
      guard let end = partialLine.lastIndex(of: UInt8(ascii: "\n")) else { return }
      let lines = String(decoding: partialLine[..<end], as: UTF8.self)
      partialLine.removeFirst(end + 1)
      // Each of them, so that what is shown does not depend on when the pipe was looked at.
      for text in lines.split(separator: "\n") {
        guard let step = ProgressPipe.step(in: text) else { continue }
        lastStep = step
        line.show(step)
      }
    }
  }

  private func print(to output: Output) throws(Failure) {
    _ = StandardStreams.write(errors, to: STDERR_FILENO)
    try output.bytes { $0 += printed }
  }

  /// How far it had come, as far as it is known.
  private var place: String { lastStep.map { "after \($0.place)" } ?? "at the beginning" }

  /// The finding that a fault is, with what was being done and what the child said last, which is
  /// the text of LMDB's assertion if it was one.
  private func finding(signal: String, at path: String) -> Finding {
    let said = String(decoding: errors, as: UTF8.self).split(separator: "\n").last ?? ""
    let text = said.isEmpty ? "" : ": \(said.prefix(300))"
    return Finding(
      .storage, place: "\(path)/data.mdb", expected: "pages that can be read",
      found: "\(signal) \(place)\(text)")
  }
}
