/// What a command accepts, from which it is parsed and its help is written.
struct CommandGrammar: Sendable {
  /// The command's name.
  var name: String
  /// What it does, in a line.
  var summary: String
  /// What else must be known of it, in a paragraph; empty if nothing.
  var details = ""
  /// Its arguments, in order.
  var operands: [Operand]
  /// Its options, in the order of the help.
  var options: [Option]
  /// What its exit statuses mean, where that is more than their general meaning.
  var statuses: [(status: ExitStatus, meaning: String)] = []
}

/// An argument that is known by its place.
struct Operand: Sendable {
  /// Its name in help and messages.
  let name: String
  /// What it is.
  let help: String
  /// Whether it may be left out; only the last one.
  var isOptional = false
  /// Whether it may be given several times; only the last one.
  var isRepeated = false

  /// Makes an argument.
  init(_ name: String, _ help: String, isOptional: Bool = false, isRepeated: Bool = false) {
    self.name = name
    self.help = help
    self.isOptional = isOptional
    self.isRepeated = isRepeated
  }
}

/// An argument that is known by its name.
struct Option: Sendable {
  /// Its name, without the dashes.
  let name: String
  /// What its value is called in help and messages; `nil` for a flag, which has no value.
  let placeholder: String?
  /// What it does.
  let help: String
  /// Whether it must be given.
  var isRequired = false
  /// Whether it may be given several times.
  var isRepeated = false

  /// An option that has no value.
  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, placeholder: nil, help: help)
  }

  /// An option with a value.
  static func value(
    _ name: String, _ placeholder: String, _ help: String, isRequired: Bool = false,
    isRepeated: Bool = false
  ) -> Option {
    Option(
      name: name, placeholder: placeholder, help: help, isRequired: isRequired,
      isRepeated: isRepeated)
  }

  /// The option as it is written, with its placeholder.
  var usage: String { placeholder.map { "--\(name) \($0)" } ?? "--\(name)" }
}
