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
      options: [
        .value(
          "selection", "KIND",
          "multiple: a user may have several reactions on a message (default); "
            + "single: adding one takes the others away"),
        .value("max-distinct", "N", "distinct reactions on a message, 1 to 100 (default 20)"),
        .value("max-per-user", "N", "reactions of a user on a message, 1 to 100 (no limit)"),
        .value(
          "reactions", "WHICH",
          "which are valid: emoji; custom: emoji and custom ones (default); any: any text"),
        .json,
      ],
      statuses: [(.done, "created"), (.differs, "there is a ledger already; it stays as it is")])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = try arguments.ledgerPath()
    let policy = try policy(arguments)
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

  private static func policy(_ arguments: Arguments) throws(Failure) -> Policy {
    let selection: Policy.Selection =
      try arguments.choice("selection", ["multiple": .multiple, "single": .single]) ?? .multiple
    let validity: Policy.Validity =
      try arguments.choice(
        "reactions", ["emoji": .emoji, "custom": .emojiAndCustom, "any": .anyText])
      ?? .emojiAndCustom
    let range = 1...Policy.distinctCeiling
    let standard = Policy.standard.maximumDistinctPerMessage
    let maximumDistinct = try arguments.integer("max-distinct", in: range)
    let maximumPerUser = try arguments.integer("max-per-user", in: range)
    do throws(PolicyError) {
      return try Policy(
        selection: selection, maximumDistinctPerMessage: maximumDistinct ?? standard,
        maximumPerUserAndMessage: maximumPerUser, validity: validity)
    } catch {
      throw .usage("\(error)")
    }
  }
}
