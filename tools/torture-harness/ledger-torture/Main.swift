import Glibc

/// The parts of tools/torture that need the ledger itself: a workload, and the check of what is
/// left of a ledger after it was interrupted.
@main
struct Main {
  static let usage = """
    usage: ledger-torture work FOLDER --seed N [--steps N] [--lanes N] [--resume N,N…]
                          [--durability durable|lastCommitMayVanish] [--map BYTES] [--acks FD]
           ledger-torture check            one request per line of standard input
           ledger-torture damage FOLDER DATABASE --seed N
    """

  static func main() async {
    _ = signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      try await run()
    } catch {
      Lines.errors.write("ledger-torture: \(error)")
      if case .usage = error { Lines.errors.write(usage) }
      exit(error.status)
    }
  }

  private static func run() async throws(Failure) {
    let options = try Options(CommandLine.arguments.dropFirst())
    switch try options.word(0, "the subcommand") {
    case "work": try await Worker(options).run()
    case "check": CheckLoop().run()
    case "damage": try Damage.run(options)
    case let other: throw .usage("there is no subcommand \(other)")
    }
  }
}
