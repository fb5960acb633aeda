import Testing

@testable import reaction_ledger

/// What `--help` says.
struct HelpTests {
  @Test("The overview lists every command and every exit status") func overview() throws {
    let folder = try WorkFolder()
    let run = try folder.succeed("--help")
    #expect(run.output.hasPrefix("Usage: reaction-ledger COMMAND …\n\nWorks on a ledger of"))
    let names = run.lines.drop { $0 != "Commands:" }.dropFirst()
      .prefix { $0.hasPrefix("  ") }
      .compactMap { $0.hasPrefix("   ") ? nil : $0.split(separator: " ").first.map(String.init) }
    #expect(names == CommandTable.all.map { $0.grammar.name })
    #expect(
      Set(["create", "add", "remove", "show", "reactors", "history", "events"]).isSubset(of: names))
    #expect(
      Set(["replay", "rebuild", "import", "stat", "generate"]).isSubset(of: names))
    let statuses = run.lines.drop { $0 != "Exit status:" }.dropFirst()
      .compactMap { $0.hasPrefix("   ") ? nil : $0.split(separator: " ").first.map(String.init) }
    #expect(statuses == ["0", "1", "2", "3", "4", "129", "130", "143"])
    for line in run.lines { #expect(line.count <= 80 || !line.contains(" "), "\(line)") }
    #expect(try folder.succeed("-h").output == run.output)
  }

  @Test func reactors() throws {
    try Transcript.expect(
      """
      $ reactors --help
      Usage: reaction-ledger reactors L --conversation C --message M --reaction R
          [--limit N] [--cursor CURSOR] [--json]
      Lists the users who have a reaction on a message.
      In order of their adds, a page at a time. A page that is not the last one ends
      with the cursor of the next.
      Arguments:
        L                     the folder of the ledger
      Options:
        --conversation C      the conversation: user:ID, group:ID or room:ID
        --message M           the message's id in its conversation
        --reaction R          the reaction
        --limit N             users on a page, 1 to 100 (default 100)
        --cursor CURSOR       where the last page ended; the first page without it
        --json                print JSON, one document or one on each line
        --help                print this
      Exit status:
        0                     done
        2                     wrong usage; nothing was done
        3                     the ledger is damaged or cannot be opened, or storage or
                              output failed
      """, in: WorkFolder())
  }

  @Test(
    "Every command tells its options and fits a terminal",
    arguments: CommandTable.all.map { $0.grammar.name })
  func help(of name: String) throws {
    let folder = try WorkFolder()
    let run = try folder.succeed("\(name) --help")
    let grammar = try #require(CommandTable.command(named: name)).grammar
    #expect(run.output.hasPrefix("Usage: reaction-ledger \(name) "))
    #expect(run.output.contains("\nExit status:\n"))
    for option in grammar.options { #expect(run.output.contains("\n  \(option.usage)")) }
    for operand in grammar.operands { #expect(run.output.contains("\n  \(operand.name) ")) }
    for line in run.lines { #expect(line.count <= 80 || !line.contains(" "), "\(line)") }
    #expect(try folder.succeed("\(name) -h").output == run.output)
  }

  @Test("Operands come last where they may be absent or many") func grammars() {
    var names: Set<String> = []
    for command in CommandTable.all {
      let grammar = command.grammar
      #expect(names.insert(grammar.name).inserted)
      for operand in grammar.operands.dropLast() {
        #expect(!operand.isOptional && !operand.isRepeated)
      }
      #expect(Set(grammar.options.map(\.name)).count == grammar.options.count)
    }
  }
}
