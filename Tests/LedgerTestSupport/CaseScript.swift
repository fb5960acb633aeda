public import ReactionModel

/// A case from another system's bug report: commands on message m1 of group g1, what becomes of
/// each, and what the message shows in the end.
///
/// Commands are separated by commas: `+u1 A` adds, `-u1 A` removes, ` #7` gives an id; `clear` and
/// `clear A` are a moderator's, `deleted` clears because the message is deleted; `erase u1`;
/// `single`, `emoji` and `any` set a policy. Letters and digits stand for the custom reaction of that
/// name. Outcomes are `r`ecorded, re`p`eated, `u`nchanged and refused (`x`); an outcome of a policy
/// counts too.
public struct CaseScript: Sendable, CustomStringConvertible {
  /// The number and what it is about.
  public let name: String
  /// The commands.
  public let script: String
  /// A letter for each command.
  public let outcomes: String
  /// What the message shows, as `A=2[u1,u2] B=1[u3]`; `-` if nothing.
  public let shown: String

  /// The name, which a test run shows.
  public var description: String { name }

  init(_ name: String, _ script: String, _ outcomes: String, _ shown: String) {
    self.name = name
    self.script = script
    self.outcomes = outcomes
    self.shown = shown
  }

  /// The message.
  public static let message: MessageKey = {
    do {
      return try MessageKey(.group("g1"), "m1")
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// The commands of the script.
  public var commands: [Command] {
    get throws { try script.split(separator: ",").map { try Self.command($0) } }
  }

  /// The letter of an outcome of this name.
  public static func letter(_ outcome: String) -> Character {
    switch outcome {
    case "recorded": "r"
    case "repeated": "p"
    case "unchanged": "u"
    default: "x"
    }
  }

  /// `A` for `:A:`.
  public static func short(_ reaction: String) -> String {
    reaction.hasPrefix(":") && !reaction.dropFirst().dropLast().contains(":")
      ? String(reaction.dropFirst().dropLast()) : reaction
  }

  private static func long(_ word: String) -> String {
    let isName =
      word.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
      || word.hasPrefix("r") && Int(word.dropFirst()) != nil
    return isName ? ":\(word):" : word
  }

  private static func command(_ text: Substring) throws -> Command {
    var words = text.split(separator: " ").map(String.init)
    var id: CommandID?
    if let last = words.last, last.hasPrefix("#"), let number = UInt64(last.dropFirst()) {
      id = CommandID(high: 7, low: number)
      words.removeLast()
    }
    let operand = words.count > 1 ? words[1] : nil
    switch words[0] {
    case "clear":
      return .clear(message, reaction: operand.map(long), actor: "mod", cause: .moderation, id: id)
    case "deleted": return .clear(message, cause: .messageDeleted, id: id)
    case "erase": return .erase(try UserID(operand ?? ""), actor: "mod", id: id)
    case "single": return .setPolicy(try Policy(selection: .single), id: id)
    case "emoji": return .setPolicy(try Policy(validity: .emoji), id: id)
    case "any": return .setPolicy(try Policy(validity: .anyText), id: id)
    default:
      return Command(
        words[0].hasPrefix("+") ? .add : .remove, long(operand ?? ""), on: message,
        by: try UserID(String(words[0].dropFirst())), id: id)
    }
  }
}
