import ReactionModel
import Testing

@Suite("Reaction: custom reactions and texts")
struct ReactionCustomTests {
  private static let hundred = String(repeating: "n", count: 100)

  @Test(
    "Names between colons are custom reactions, with an id or a skin tone or both",
    arguments: [
      ":partyr:", ":a:", ":+1:", ":party_parrot:123456789012345678:", ":été:", ":日本:7:",
      ":clap::skin-tone-2:", ":clap::skin-tone-6:", ":clap::skin-tone-3:99:", ":1:", ":*:",
      ":👍:", ":❤:", ":❤\u{FE0F}:", ":\(hundred):", ":\(hundred):123:", ":skin-tone-2:",
    ])
  func custom(text: String) throws {
    let reaction = try Reaction(text)
    #expect(reaction.form == .custom)
    #expect(Array(reaction.text.utf8) == Array(text.utf8))
    #expect(reaction.isCanonical)
  }

  @Test(
    "Other uses of colons are texts",
    arguments: [
      ":", "::", ":::", "a", ":a", "a:", "a:b:", ":a:b", ":a:b:c:", ":a::", "::a:", ":a::b:",
      ":a b:", ":a:b c:", ":a\u{3000}:", ":a\u{A0}:", ":a::skin-tone-1:", ":a::skin-tone-7:",
      ":a::skin-tone-:", ":a::skin-tone-22:", ":a::skin-tone-2", ":a::skin-tone-2::",
      ":a::skin-tone-2:b:c:", ":a:b::skin-tone-2:", "::skin-tone-2:", ":a: ", " :a:",
      ":\(hundred)n:", ":a:\(hundred)n:", "\u{FE0F}:a:",
    ])
  func text(text: String) throws {
    let reaction = try Reaction(text)
    #expect(reaction.form == .text)
    #expect(Array(reaction.text.utf8) == Array(text.utf8))
    #expect(reaction.isCanonical)
  }

  @Test("Case 36: a shortcode equal to an emoji's name is not that emoji")
  func ownNamespace() throws {
    let (shortcode, emoji) = (try Reaction(":thumbsup:"), try Reaction("👍"))
    #expect(shortcode != emoji)
    #expect(shortcode.form == .custom && emoji.form == .emoji)
    #expect(try Reaction("thumbsup").form == .text)
    #expect(try Reaction(":👍:") != emoji)
    // Selectors inside a name are the host's business: two names.
    #expect(try Reaction(":❤:") != Reaction(":❤\u{FE0F}:"))
  }

  @Test("Case 43: one name with different ids is two reactions")
  func sameNameDifferentIDs() throws {
    let reactions = try [":blob:1:", ":blob:2:", ":blob:"].map { try Reaction($0) }
    #expect(Set(reactions).count == 3)
    #expect(reactions.allSatisfy { $0.form == .custom })
  }

  @Test("A policy sees the form")
  func policies() throws {
    let reactions = try ["👍", ":blob:", "lol"].map { try Reaction($0) }
    func allowed(_ validity: Policy.Validity) throws -> [Bool] {
      let policy = try Policy(validity: validity)
      return reactions.map(policy.allows)
    }
    #expect(try allowed(.emoji) == [true, false, false])
    #expect(try allowed(.emojiAndCustom) == [true, true, false])
    #expect(try allowed(.anyText) == [true, true, true])
    #expect(try allowed(.allowed([reactions[2]])) == [false, false, true])
  }

  @Test("Forms have names, all different")
  func formNames() {
    #expect(Reaction.Form.allCases.map(\.name) == ["emoji", "custom", "text"])
  }
}
