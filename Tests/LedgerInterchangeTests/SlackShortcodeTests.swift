import LedgerTestSupport
import ReactionModel
import Testing

@testable import LedgerInterchange

/// Slack's names for reactions, against the same reactions typed directly (cases 34, 36 and 50).
@Suite struct SlackShortcodeTests {
  @Test func theTableIsWhole() throws {
    #expect(SlackShortcode.emojiByName.count == ShortcodeTable.count)
    for (name, emoji) in SlackShortcode.emojiByName where !name.hasPrefix("skin-tone-") {
      #expect(try Reaction(emoji).form == .emoji, "\(name)")
      #expect(SlackShortcode.reaction(for: name) == emoji)
    }
  }

  static let typed: [(name: String, text: String)] = [
    ("+1", "👍"), ("+1::skin-tone-2", "👍🏻"), ("+1::skin-tone-3", "👍🏼"), ("+1::skin-tone-6", "👍🏿"),
    ("100", "💯"), ("two", "2\u{fe0f}\u{20e3}"), ("two", "2\u{20e3}"), ("one", "1\u{20e3}"),
    ("fr", "🇫🇷"), ("flag-fr", "🇫🇷"), ("flag-ar", "🇦🇷"), ("gb", "🇬🇧"), ("us", "🇺🇸"),
    ("email", "\u{2709}"), ("email", "\u{2709}\u{fe0f}"), ("heart", "❤"), ("heart", "❤️"),
    ("thumbsup", "👍"), ("woman-bowing", "🙇‍♀️"), ("male_superhero", "🦸‍♂️"),
    ("face_palm::skin-tone-4", "🤦🏽"), ("man-facepalming::skin-tone-3", "🤦🏼‍♂️"),
    ("point_up::skin-tone-2", "☝🏻"), ("male-detective::skin-tone-5", "🕵🏾‍♂️"),
    ("handshake::skin-tone-2", "🤝🏻"), ("people_holding_hands::skin-tone-6", "🧑🏿‍🤝‍🧑🏿"),
    ("woman-kiss-man::skin-tone-4", "👩🏽‍❤️‍💋‍👨🏽"), ("rainbow-flag", "🏳️‍🌈"),
  ]

  @Test(arguments: typed) func isTheSameAsTyped(name: String, text: String) throws {
    let reaction = try #require(SlackShortcode.reaction(for: name))
    #expect(try Reaction(reaction) == Reaction(text))
  }

  static let custom: [(name: String, text: String)] = [
    ("rlogo", ":rlogo:"), ("thumbsup_all", ":thumbsup_all:"), ("+1x", ":+1x:"),
    ("partyr::skin-tone-2", ":partyr::skin-tone-2:"), ("日本", ":日本:"), ("Heart", ":Heart:"),
    // Known, but without skin: no emoji is made up.
    ("heart::skin-tone-2", ":heart::skin-tone-2:"), ("100::skin-tone-6", ":100::skin-tone-6:"),
    ("man-woman-boy::skin-tone-3", ":man-woman-boy::skin-tone-3:"),
    (String(repeating: "x", count: 100), ":" + String(repeating: "x", count: 100) + ":"),
  ]

  @Test(arguments: custom) func staysCustom(name: String, text: String) throws {
    #expect(SlackShortcode.reaction(for: name) == text)
    #expect(try Reaction(text).form == .custom)
  }

  static let none = [
    "", ":", "::", "a:b", "a:b:", ":a", "a b", "a\u{a0}b", "a\nb", "a\u{0}", "::skin-tone-2",
    "+1::skin-tone-1", "+1::skin-tone-7", "+1::skin-tone-22", "+1::skin-tone-",
    "+1::skin-tone-2::skin-tone-3", "+1:skin-tone-2", "skin-tone-2", "skin-tone-2::skin-tone-2",
    String(repeating: "x", count: 101),
  ]

  @Test(arguments: none) func isNoReaction(name: String) {
    let expected: String? = name == "skin-tone-2::skin-tone-2" ? ":\(name):" : nil
    #expect(SlackShortcode.reaction(for: name) == expected)
  }

  @Test func aShortcodeAsTextIsNotTheEmoji() throws {
    let emoji = try Reaction(#require(SlackShortcode.reaction(for: "heart")))
    #expect(try Reaction(":heart:") != emoji)
    #expect(try Reaction(":heart:").form == .custom)
  }

  @Test func modifierBasesAreUnicodes() {
    for value in 0...0x1ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // The runtime may know a newer Unicode, in which none was taken away.
      if SkinTone.takesTone(scalar) { #expect(scalar.properties.isEmojiModifierBase) }
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared emoji-test.txt"))
  func tonedShortcodesAreThoseOfUnicode() throws {
    let path = try #require(SharedData.path("unicode/emoji-test.txt"))
    let sequences = try EmojiTest.fullyQualified(path: path)
    var checkedCount = 0
    for (name, emoji) in SlackShortcode.emojiByName {
      for tone in SkinTone.allCases {
        let key = EmojiTest.Key(emoji, tone)
        guard let expected = sequences[key] else { continue }
        let reaction = SlackShortcode.reaction(for: "\(name)::skin-tone-\(tone.rawValue)")
        #expect(reaction.map { Array($0.unicodeScalars) } == expected, "\(name) \(tone)")
        checkedCount += 1
      }
    }
    #expect(checkedCount > 1_500)
    // Every emoji that the file has in exactly one tone can be reached from one without.
    #expect(sequences.count > 1_000)
  }
}

/// The sequences of Unicode's emoji-test.txt that have one skin tone.
private enum EmojiTest {
  /// An emoji without variation selectors and modifiers, and the tone.
  struct Key: Hashable {
    let scalars: [Unicode.Scalar]
    let modifier: Unicode.Scalar

    init(_ emoji: String, _ tone: SkinTone) {
      self.init(Array(emoji.unicodeScalars), tone.modifier)
    }

    init(_ scalars: [Unicode.Scalar], _ modifier: Unicode.Scalar) {
      self.scalars = scalars.filter { $0 != "\u{fe0f}" && $0 != modifier }
      self.modifier = modifier
    }
  }

  static func fullyQualified(path: String) throws -> [Key: [Unicode.Scalar]] {
    var sequences: [Key: [Unicode.Scalar]] = [:]
    for line in try TemporaryExport.text(of: path).split(separator: "\n") {
      let fields = line.split(separator: ";", maxSplits: 1)
      guard !line.hasPrefix("#"), fields.count == 2,
        fields[1].drop(while: { $0 == " " }).hasPrefix("fully-qualified")
      else { continue }
      let scalars = fields[0].split(separator: " ").compactMap {
        UInt32($0, radix: 16).flatMap { Unicode.Scalar($0) }
      }
      let modifiers = Set(scalars.filter { $0.properties.isEmojiModifier })
      guard modifiers.count == 1, let modifier = modifiers.first else { continue }
      sequences[Key(scalars, modifier)] = scalars
    }
    return sequences
  }
}
