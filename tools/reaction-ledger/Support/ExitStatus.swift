/// What the tool tells its caller when it ends.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done; everything agrees.
  case done = 0
  /// A check found differences, or a single command was unchanged or refused.
  case differs = 1
  /// Wrong usage; nothing was done.
  case usage = 2
  /// The ledger is damaged or cannot be opened, or the storage or an output failed.
  case unusable = 3
  /// An input has errors; the report says where, and the rest was done all the same.
  case inputErrors = 4
  /// Ended by SIGHUP.
  case hungUp = 129
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143

  /// What a command ends with that was cancelled by a signal: 128 and its number, as a shell counts.
  init?(signal: Int32) {
    guard CancelSignal.all.contains(signal) else { return nil }
    self.init(rawValue: 128 + signal)
  }

  /// The meaning in words, for help texts.
  var meaning: String {
    switch self {
    case .done: "done"
    case .differs: "a check found differences, or a command was unchanged or refused"
    case .usage: "wrong usage; nothing was done"
    case .unusable: "the ledger is damaged or cannot be opened, or storage or output failed"
    case .inputErrors: "the input has errors; what could be read was recorded"
    case .hungUp: "ended by SIGHUP"
    case .interrupted: "ended by SIGINT"
    case .terminated: "ended by SIGTERM"
    }
  }
}
