import LedgerEngine
import LedgerInterchange
import ReactionModel

/// `policy`: shows the rules for adding, or sets others.
enum PolicyCommand: ToolCommand {
  static var grammar: CommandGrammar {
    CommandGrammar(
      name: "policy", summary: "Shows the rules for adding reactions, or sets others",
      details: """
        With none of the rules given it shows those in force. Rules that are not given stay as they \
        are. Reactions that are there stay, whatever the rules.
        """,
      operands: [.ledger],
      options: Option.policy + [.actor, .cause, .at, .commandID, .json],
      statuses: [
        (.done, "shown; or set, now or before under the same command id"),
        (.differs, "unchanged or refused: nothing was recorded"),
      ])
  }

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = try arguments.ledgerPath()
    guard Option.policy.contains(where: { arguments.has($0.name) }) else {
      let policy = try withLedgerToRead(at: path) { (ledger) throws(Failure) in
        try ledger.look { (snapshot) throws(LedgerError) in try snapshot.policy }
      }
      try show(policy, arguments, output)
      return .done
    }
    return try withLedger(at: path) { (ledger) throws(Failure) in
      let current = try ledger.look { (snapshot) throws(LedgerError) in try snapshot.policy }
      let command = Command(
        .setPolicy(try arguments.policy(current)), actor: try arguments.user("actor"),
        cause: try arguments.cause("cause"), at: try arguments.time("at"),
        id: try arguments.commandID("command-id"))
      let outcome = try ledger.attempt { (ledger) throws(LedgerError) in
        try ledger.append(command)
      }
      return try output.report(outcome, nil, isJSON: arguments.has("json"))
    }
  }

  private static func show(
    _ policy: Policy, _ arguments: Arguments, _ output: Output
  ) throws(Failure) {
    guard !arguments.has("json") else {
      return try output.object { $0.member("policy", policy) }
    }
    try output.line("policy: \(policy.words)")
    if case .allowed(let reactions) = policy.validity {
      for reaction in reactions { try output.line("  \(reaction)".printable) }
    }
  }
}

extension Option {
  /// The rules for adding.
  static let policy: [Option] = [
    .value(
      "selection", "KIND",
      "multiple: a user may have several reactions on a message (default); "
        + "single: adding one takes the others away"),
    .value("max-distinct", "N", "distinct reactions on a message, 1 to 100 (default 20)"),
    .value(
      "max-per-user", "N",
      "reactions of a user on a message, 1 to 100, or none for no limit (default)"),
    .value(
      "reactions", "WHICH",
      "which are valid: emoji; custom: emoji and custom ones (default); any: any text"),
    .value(
      "allow", "R", "only this reaction is valid; may be given several times", isRepeated: true),
  ]
}

extension Arguments {
  /// The policy that the options tell; what they leave out is as in `base`.
  func policy(_ base: Policy) throws(Failure) -> Policy {
    let selection: Policy.Selection? = try choice(
      "selection", ["multiple": .multiple, "single": .single])
    let range = 1...Policy.distinctCeiling
    let maximumDistinct = try integer("max-distinct", in: range)
    var maximumPerUser = base.maximumPerUserAndMessage
    if text("max-per-user") == "none" {
      maximumPerUser = nil
    } else if let limit = try integer("max-per-user", in: range) {
      maximumPerUser = limit
    }
    let validity = try validity() ?? base.validity
    do throws(PolicyError) {
      return try Policy(
        selection: selection ?? base.selection,
        maximumDistinctPerMessage: maximumDistinct ?? base.maximumDistinctPerMessage,
        maximumPerUserAndMessage: maximumPerUser, validity: validity)
    } catch {
      throw .usage("\(error)")
    }
  }

  private func validity() throws(Failure) -> Policy.Validity? {
    let validity: Policy.Validity? = try choice(
      "reactions", ["emoji": .emoji, "custom": .emojiAndCustom, "any": .anyText])
    guard let allowed = values["allow"] else { return validity }
    guard validity == nil else { throw .usage("--reactions and --allow exclude each other") }
    return .allowed(
      try allowed.map { (text) throws(Failure) in
        do throws(InvalidReaction) {
          return try Reaction(text)
        } catch {
          throw .usage("--allow: \(error)")
        }
      })
  }
}
