/// Sorts the arguments of a command by its grammar.
///
/// Options are `--name value`, `--name=value` or `--flag`, in any place; after `--` everything is an
/// operand. `--help` and `-h` end the parsing. All comparing and splitting is by bytes: to Swift "="
/// and a following accent are one character.
struct ArgumentParser {
  private let grammar: CommandGrammar
  private var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var rest: ArraySlice<String>

  /// Sorts arguments.
  ///
  /// - Parameters:
  ///   - arguments: What follows the command's name.
  ///   - grammar: What the command accepts.
  /// - Returns: The arguments by name; `nil` if help is asked for.
  /// - Throws: ``Failure`` with the status *usage*.
  static func parse(
    _ arguments: [String], by grammar: CommandGrammar
  ) throws(Failure) -> Arguments? {
    var parser = ArgumentParser(grammar, arguments[...])
    guard try parser.sort() else { return nil }
    return try parser.finish()
  }

  private init(_ grammar: CommandGrammar, _ arguments: ArraySlice<String>) {
    self.grammar = grammar
    rest = arguments
  }

  /// Returns whether the arguments are to be used, not help to be given.
  private mutating func sort() throws(Failure) -> Bool {
    while let argument = rest.popFirst() {
      let bytes = argument.utf8
      guard bytes.count > 1, bytes.first == UInt8(ascii: "-") else {
        operands.append(argument)
        continue
      }
      switch argument {
      case "--":
        operands += rest
        return true
      case "--help", "-h":
        return false
      default:
        try takeOption(argument)
      }
    }
    return true
  }

  private mutating func takeOption(_ argument: String) throws(Failure) {
    let parts = argument.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
    let written = String(Substring(parts[0]))
    guard let option = grammar.options.first(where: { written == "--\($0.name)" }) else {
      throw .usage(
        "there is no option \(written): write -- before arguments that begin with a dash")
    }
    let inline =
      argument.utf8.count > written.utf8.count
      ? String(Substring(argument.utf8.dropFirst(written.utf8.count + 1))) : nil
    let value = try value(of: option, inline: inline)
    guard option.isRepeated || values[option.name] == nil else {
      throw .usage("--\(option.name) is given twice: give it once")
    }
    values[option.name, default: []].append(value)
  }

  private mutating func value(of option: Option, inline: String?) throws(Failure) -> String {
    guard let placeholder = option.placeholder else {
      guard inline == nil else {
        throw .usage("--\(option.name) takes no value: write it without =")
      }
      return ""
    }
    if let inline { return inline }
    guard let next = rest.first else {
      throw .usage("--\(option.name) needs a value: write --\(option.name) \(placeholder)")
    }
    guard !next.utf8.starts(with: "--".utf8) else {
      throw .usage(
        "--\(option.name) needs a value: if \(next) is meant, write --\(option.name)=\(next)")
    }
    rest.removeFirst()
    return next
  }

  private func finish() throws(Failure) -> Arguments {
    for option in grammar.options where option.isRequired && values[option.name] == nil {
      throw .usage("--\(option.name) is missing: add \(option.usage)")
    }
    var remaining = operands[...]
    var named: [String: [String]] = [:]
    for operand in grammar.operands {
      if remaining.isEmpty && !operand.isOptional {
        throw .usage("\(operand.name) is missing: give \(operand.help)")
      }
      let count = operand.isRepeated ? remaining.count : min(1, remaining.count)
      named[operand.name] = Array(remaining.prefix(count))
      remaining = remaining.dropFirst(count)
    }
    if let extra = remaining.first {
      throw .usage(
        "\"\(extra)\" is one argument too many: take it away, or quote what it belongs to")
    }
    return Arguments(operands: named, values: values)
  }
}
