/// Writes help from what commands accept.
enum HelpText {
  private static let width = 80
  private static let tool = "reaction-ledger"

  /// The help of the tool: its commands.
  static func overview(_ grammars: [CommandGrammar]) -> String {
    var lines = [
      "Usage: \(tool) COMMAND …", "",
      "Works on a ledger of message reactions. A ledger is a folder, L below.", "", "Commands:",
    ]
    for grammar in grammars { lines += entry(grammar.name, grammar.summary) }
    lines += [
      "", "\"\(tool) COMMAND --help\" says more of a command.", "", "Exit status:",
    ]
    for status in ExitStatus.allCases { lines += entry("\(status.rawValue)", status.meaning) }
    return lines.joined(separator: "\n")
  }

  /// The help of one command.
  static func command(_ grammar: CommandGrammar) -> String {
    var lines = synopsis(grammar) + [""] + wrap(grammar.summary + ".")
    if !grammar.details.isEmpty { lines += [""] + wrap(grammar.details) }
    if !grammar.operands.isEmpty { lines += ["", "Arguments:"] }
    for operand in grammar.operands { lines += entry(operand.name, operand.help) }
    lines += ["", "Options:"]
    for option in grammar.options { lines += entry(option.usage, option.help) }
    lines += entry("--help", "print this") + ["", "Exit status:"]
    for status in ExitStatus.allCases {
      let own = grammar.statuses.first { $0.status == status }?.meaning
      guard own != nil || [.done, .usage, .unusable].contains(status) else { continue }
      lines += entry("\(status.rawValue)", own ?? status.meaning)
    }
    return lines.joined(separator: "\n")
  }

  private static func synopsis(_ grammar: CommandGrammar) -> [String] {
    let operands = grammar.operands.map { operand in
      let name = operand.isRepeated ? operand.name + "…" : operand.name
      return operand.isOptional ? "[\(name)]" : name
    }
    let options = grammar.options.map { option in
      let usage = option.isRepeated ? option.usage + "…" : option.usage
      return option.isRequired ? usage : "[\(usage)]"
    }
    let optional = options.filter { $0.utf8.first == UInt8(ascii: "[") }
    let required = options.filter { $0.utf8.first != UInt8(ascii: "[") }
    let parts = operands.prefix(1) + required + operands.dropFirst() + optional
    return wrap(
      "Usage: \(tool) \(grammar.name)", parts: Array(parts), indentation: 4)
  }

  /// A name and what it is, side by side, or one below the other where the name is long.
  private static func entry(_ name: String, _ text: String) -> [String] {
    let column = 24
    var lines = wrap("", parts: text.split(separator: " ").map(String.init), indentation: column)
    if name.count + 4 <= column {
      let padding = String(repeating: " ", count: column - 2 - name.count)
      lines[0] = "  " + name + padding + lines[0].drop { $0 == " " }
    } else {
      lines.insert("  " + name, at: 0)
    }
    return lines
  }

  private static func wrap(_ text: String) -> [String] {
    wrap("", parts: text.split(separator: " ").map(String.init), indentation: 0)
  }

  /// Lines of at most 80 characters, unless a part alone is longer.
  private static func wrap(_ start: String, parts: [String], indentation: Int) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    var lines: [String] = []
    var line = start.isEmpty ? margin : start
    var isEmpty = start.isEmpty
    for part in parts {
      if !isEmpty, line.count + 1 + part.count > width {
        lines.append(line)
        (line, isEmpty) = (margin, true)
      }
      line += isEmpty ? part : " " + part
      isEmpty = false
    }
    return lines + [line]
  }
}
