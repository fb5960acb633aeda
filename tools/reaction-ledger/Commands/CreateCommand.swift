import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `create`: makes a ledger.
enum CreateCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "create", summary: "Makes a new, empty ledger",
      details: """
        The folder is made, its parent must be there. The commands add and import make a ledger \
        with the defaults by themselves.
        """,
      operands: [Operand("L", "the folder of the new ledger")],
      options: Option.policy + [.json],
      statuses: [(.done, "created"), (.differs, "there is a ledger already; it stays as it is")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = try arguments.ledgerPath()
    let policy = try arguments.policy(.standard)
    let ledger: Ledger
    do throws(LedgerError) {
      ledger = try Ledger.create(at: path, policy: policy)
    } catch {
      throw Failure(error, at: path, isCreating: true)
    }
    defer { ledger.close() }
    let statistics = try ledger.attempt { (ledger) throws(LedgerError) in try ledger.statistics() }
    if arguments.has("json") {
      try output.object { writer in
        writer.member("ledger", "\(ledger.id)")
        writer.member("policy", policy)
        writer.member("format", statistics.formatVersion)
      }
    } else {
      try output.line("created ledger \(ledger.id) at \(path)".printable)
      try output.line("policy: \(policy.words)")
    }
    return .done
  }
}
