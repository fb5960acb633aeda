import Glibc

/// The command-line tool `reaction-ledger`.
@main
struct Main {
  static func main() {
    StandardStreams.prepare()
    exit(run().rawValue)
  }

  /// Runs the command that the process's arguments name, and reports why it failed.
  private static func run() -> ExitStatus {
    let output = Output()
    var name: String?
    do throws(Failure) {
      let arguments = try RawArguments.read()
      name = arguments.first
      let status = try CommandTable.run(arguments, output)
      try output.flush()
      return status
    } catch {
      report(error, command: name, output)
      return error.status
    }
  }

  /// Says what failed, after what was printed before; a failure to print that is no other one.
  private static func report(_ failure: Failure, command: String?, _ output: Output) {
    do throws(Failure) { try output.flush() } catch {}
    var text = "reaction-ledger: \(failure.text)"
    if failure.status == .usage {
      let known = CommandTable.command(named: command ?? "").map { "\($0.grammar.name) " }
      text += " (see reaction-ledger \(known ?? "")--help)"
    }
    StandardStreams.writeError(text + "\n")
  }
}
