import LedgerInterchange
import ReactionModel

extension ReplayCommand {
  /// Runs the command in a child process, unless this process is that child already.
  ///
  /// - Returns: What the tool ends with; `nil` if this process must do it itself.
  static func runIsolated(
    _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> ExitStatus? {
    guard !ProgressPipe.isInherited else { return nil }
    switch try IsolatedRun.run(ledgerAt: try arguments.ledgerPath(), output) {
    case nil: return nil
    case .status(let status): return status
    case .fault(let finding):
      try print(finding, arguments, output)
      return .differs
    }
  }

  /// The report of a replay that came to no end: what it counted is not known.
  private static func print(
    _ finding: Finding, _ arguments: Arguments, _ output: Output
  ) throws(Failure) {
    let level = arguments.text("level") ?? "tree"
    guard arguments.has("json") else {
      try output.line("\(finding)".printable)
      return try output.line("1 finding, level \(level): the replay came to no end")
    }
    try output.object { writer in
      writer.member("ok", false)
      for key in ["events", "messages"] { writer.member(key, JSONValue.null) }
      writer.member("findings", [finding])
      writer.member("findingCount", 1)
      for key in ["head", "users"] { writer.member(key, JSONValue.null) }
      writer.member("level", level)
      for key in ["root", "passes", "jobs", "tableBytes"] { writer.member(key, JSONValue.null) }
    }
  }
}
