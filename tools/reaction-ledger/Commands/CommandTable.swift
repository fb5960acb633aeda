import ReactionModel

/// A command of the tool.
///
/// A new one is a type that conforms, in a file of its own, and a line in ``CommandTable``.
protocol ToolCommand {
  /// What the command accepts.
  static var grammar: CommandGrammar { get }

  /// Does it.
  ///
  /// - Parameters:
  ///   - arguments: Arguments of the command's grammar.
  ///   - output: Standard output.
  /// - Returns: What the tool ends with.
  /// - Throws: ``Failure``, of which the text goes to standard error.
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus
}

/// The commands of the tool.
enum CommandTable {
  /// All of them, in the order of the help.
  static var all: [any ToolCommand.Type] {
    [
      CreateCommand.self, AddCommand.self, RemoveCommand.self, ClearCommand.self,
      EraseCommand.self, PolicyCommand.self, ApplyCommand.self,
      ShowCommand.self, ReactorsCommand.self, HistoryCommand.self, EventsCommand.self,
      ReplayCommand.self, RebuildCommand.self, ImportCommand.self, ExportCommand.self,
      RestoreCommand.self, BackupCommand.self, CompactCommand.self, StatCommand.self,
      GenerateCommand.self, KeygenCommand.self, CheckpointCommand.self, ProveCommand.self,
      CheckProofCommand.self, CheckConsistencyCommand.self,
    ]
  }

  /// The command of a name.
  static func command(named name: String) -> (any ToolCommand.Type)? {
    all.first { $0.grammar.name == name }
  }

  /// Runs a command, or prints the help that is asked for.
  ///
  /// - Parameters:
  ///   - arguments: The command's name, and what follows.
  ///   - output: Standard output.
  /// - Returns: What the tool ends with.
  /// - Throws: ``Failure``, of which the text goes to standard error.
  static func run(_ arguments: [String], _ output: Output) throws(Failure) -> ExitStatus {
    guard let name = arguments.first else { throw .usage("no command is given: name one") }
    if name == "--help" || name == "-h" {
      try output.line(HelpText.overview(all.map { $0.grammar }))
      return .done
    }
    guard let command = command(named: name) else {
      throw .usage("there is no command \"\(name)\": name one of those that --help lists")
    }
    let rest = Array(arguments.dropFirst())
    guard let arguments = try ArgumentParser.parse(rest, by: command.grammar) else {
      try output.line(HelpText.command(command.grammar))
      return .done
    }
    return try command.run(arguments, output)
  }
}

extension Operand {
  /// The folder of a ledger that must be there.
  static let ledger = Operand("L", "the folder of the ledger")
  /// The folder of a ledger that is made if it is not there.
  static let newLedger = Operand("L", "the folder of the ledger; made if there is none")
}

extension Option {
  /// For all commands that print data.
  static let json = Option.flag("json", "print JSON, one document or one on each line")
  /// In which conversation.
  static let conversation = Option.value(
    "conversation", "C", "the conversation: user:ID, group:ID or room:ID", isRequired: true)
  /// Who asks for it.
  static let actor = Option.value("actor", "A", "who asks for it, if not the user")
  /// Why.
  static let cause = Option.value(
    "cause", "NAME", Cause.allCases.map(\.name).joined(separator: ", "))
  /// When.
  static let at = Option.value(
    "at", "TIME", "when the user did it, in ISO 8601; it orders nothing")
  /// In which thread.
  static let parent = Option.value("parent", "ID", "the message's parent in its thread")
  /// As which command.
  static let commandID = Option.value(
    "command-id", "UUID",
    "an id by which the same command can be given again without being done twice")
  /// On which message.
  static let message = Option.value(
    "message", "M", "the message's id in its conversation", isRequired: true)
}
