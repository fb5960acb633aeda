import Testing

@testable import reaction_ledger

/// How arguments are sorted.
struct ArgumentParserTests {
  private static let grammar = CommandGrammar(
    name: "test", summary: "Tests",
    operands: [Operand("A", "an A"), Operand("B", "some B", isOptional: true, isRepeated: true)],
    options: [
      .flag("json", "a flag"), .value("user", "U", "a value"),
      .value("item", "I", "values", isRepeated: true),
    ])

  /// Arguments, and what comes of them: operands, then options in order of their names.
  static let table: [(arguments: [String], result: String)] = [
    (["a"], "A=a B="),
    (["a", "b", "c"], "A=a B=b,c"),
    (["--json", "a"], "A=a B= json="),
    (["a", "--user", "u"], "A=a B= user=u"),
    (["a", "--user=u"], "A=a B= user=u"),
    (["a", "--user="], "A=a B= user="),
    (["a", "--user", ""], "A=a B= user="),
    (["a", "--user=x=y"], "A=a B= user=x=y"),
    (["a", "--user=--json"], "A=a B= user=--json"),
    (["a", "--user", "-1"], "A=a B= user=-1"),
    (["a", "--user", "-"], "A=a B= user=-"),
    (["a", "--item", "1", "b", "--item=2"], "A=a B=b item=1,2"),
    (["-", ""], "A=- B="),
    (["", "x"], "A= B=x"),
    (["--", "--json", "--help"], "A=--json B=--help"),
    (["a", "--", "--", "-x"], "A=a B=--,-x"),
    (["👍", "--user", "❤️"], "A=👍 B= user=❤️"),
    // To Swift, = and the stroke that follows are one character, and so are - and the accent.
    (["a", "--user=\u{338}x"], "A=a B= user=\u{338}x"),
    (["a", "--user", "-\u{301}"], "A=a B= user=-\u{301}"),
    (["--help"], "help"),
    (["a", "-h", "--nonsense"], "help"),
    (["--user", "u"], "A is missing: give an A"),
    ([], "A is missing: give an A"),
    (["a", "--user"], "--user needs a value: write --user U"),
    (
      ["a", "--user", "--json"],
      "--user needs a value: if --json is meant, write --user=--json"
    ),
    (["a", "--user", "--"], "--user needs a value: if -- is meant, write --user=--"),
    (["a", "--user", "u", "--user=u"], "--user is given twice: give it once"),
    (["a", "--json", "--json"], "--json is given twice: give it once"),
    (["a", "--json=yes"], "--json takes no value: write it without ="),
    (
      ["a", "--jsonx"],
      "there is no option --jsonx: write -- before arguments that begin with a dash"
    ),
    (["a", "-x=1"], "there is no option -x: write -- before arguments that begin with a dash"),
    (
      ["a", "-\u{301}"],
      "there is no option -\u{301}: write -- before arguments that begin with a dash"
    ),
    (["a", "--=x"], "there is no option --: write -- before arguments that begin with a dash"),
  ]

  @Test(arguments: table) func sorts(arguments: [String], result: String) {
    #expect(Array(Self.describe(arguments, Self.grammar).utf8) == Array(result.utf8))
  }

  @Test("What is one too many, and what is required") func counts() {
    var grammar = Self.grammar
    grammar.operands.removeLast()
    #expect(
      Self.describe(["a", "b"], grammar)
        == "\"b\" is one argument too many: take it away, or quote what it belongs to")
    grammar.options = [.value("user", "U", "a value", isRequired: true)]
    #expect(Self.describe(["a"], grammar) == "--user is missing: add --user U")
  }

  private static func describe(_ arguments: [String], _ grammar: CommandGrammar) -> String {
    do throws(Failure) {
      guard let parsed = try ArgumentParser.parse(arguments, by: grammar) else { return "help" }
      let operands = grammar.operands.map { operand in
        "\(operand.name)=\(parsed.operands[operand.name, default: []].joined(separator: ","))"
      }
      let options = parsed.values.sorted { $0.key < $1.key }.map { name, values in
        "\(name)=\(values.joined(separator: ","))"
      }
      return (operands + options).joined(separator: " ")
    } catch {
      return error.status == .usage ? error.text : "\(error)"
    }
  }

  @Test("Arguments that are not UTF-8 are no text") func bytes() throws {
    #expect(try RawArguments.text(of: Array("👍é".utf8), index: 1) == "👍é")
    #expect(try RawArguments.text(of: [], index: 1).isEmpty)
    for (bytes, offset) in [
      ([0xff], 0), ([0x61, 0xc3], 1), ([0xed, 0xa0, 0x80], 0), ([0x61, 0xc0, 0x80], 1),
      ([0xf4, 0x90, 0x80, 0x80], 0),
    ] as [([UInt8], Int)] {
      let failure = #expect(throws: Failure.self) {
        try RawArguments.text(of: bytes, index: 3)
      }
      #expect(failure?.status == .usage)
      #expect(failure?.text.hasPrefix("argument 3 is not valid UTF-8 at byte \(offset):") == true)
    }
  }

  @Test("What would steer a terminal is escaped, what emoji are made of is not")
  func printable() {
    #expect(
      "a\nb\u{1b}[2J\u{7f}\u{9b}\u{2028}\u{202e}".printable
        == "a\\u{A}b\\u{1B}[2J\\u{7F}\\u{9B}\\u{2028}\\u{202E}")
    let emoji = "👨‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ é"
    #expect(Array(emoji.printable.utf8) == Array(emoji.utf8))
  }
}
