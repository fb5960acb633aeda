import Glibc

/// How a child of the tool tells its parent how far it is: lines of "done total work" in a pipe.
enum ProgressPipe {
  /// The environment's word by which the parent says that there is a pipe.
  static let variable = "REACTION_LEDGER_CHILD"
  /// Where the child finds it.
  static let descriptor: Int32 = 3

  /// Whether this process is such a child.
  ///
  /// The word alone is not believed: the descriptor could be one of a ledger's files.
  static let isInherited: Bool = {
    // Sound: the text is only compared with nothing.
    guard unsafe getenv(variable) != nil else { return false }
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }()

  /// Tells the parent.
  ///
  /// - Returns: Whether there is still a parent.
  static func tell(_ step: ProgressStep) -> Bool {
    let line = "\(step.doneCount) \(step.totalCount) \(step.work)\n"
    return StandardStreams.write(Array(line.utf8), to: descriptor) != EPIPE
  }

  /// The step that a line tells, if it is a line of ``tell(_:)``.
  static func step(in line: some StringProtocol) -> ProgressStep? {
    let fields = line.split(separator: " ", maxSplits: 2)
    guard fields.count == 3, let done = Int(fields[0]), let total = Int(fields[1]) else {
      return nil
    }
    return ProgressStep(work: String(fields[2]), doneCount: done, totalCount: total)
  }
}
