import LedgerTestSupport
import ReactionModel
import Testing

/// The reaction that a text makes, or why it makes none.
func reaction(_ text: String) -> Result<Reaction, InvalidReaction> {
  do {
    return .success(try Reaction(text))
  } catch {
    return .failure(error)
  }
}

/// The text whose scalars are written in hexadecimal, separated by spaces.
func text(scalars: some StringProtocol) throws -> String {
  var text = String.UnicodeScalarView()
  for digits in scalars.split(separator: " ") {
    text.append(try #require(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)))
  }
  return String(text)
}

/// The scalars of a text in hexadecimal, separated by spaces.
func scalars(of text: String) -> String {
  text.unicodeScalars.map { scalar in
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }.joined(separator: " ")
}

@Suite("Reaction: what is one, equality and limits")
struct ReactionTests {
  @Test(
    "Case 33: what shows nothing is invalid, each for its own reason",
    arguments: [
      ("", InvalidReaction.empty),
      ("\u{FE0F}", .nothingShown(firstCodePoint: 0xFE0F)),
      ("\u{FE0E}\u{FE0F}", .nothingShown(firstCodePoint: 0xFE0E)),
      ("\u{200D}", .nothingShown(firstCodePoint: 0x200D)),
      ("\u{1F3FB}", .nothingShown(firstCodePoint: 0x1F3FB)),
      ("\u{1F3FF}\u{FE0F}", .nothingShown(firstCodePoint: 0x1F3FF)),
      ("\u{200D}\u{1F3FB}\u{200D}", .nothingShown(firstCodePoint: 0x200D)),
      ("\u{E0067}\u{E007F}", .nothingShown(firstCodePoint: 0xE0067)),
      ("\u{200B}\u{2060}\u{FEFF}", .nothingShown(firstCodePoint: 0x200B)),
      ("\u{3164}", .nothingShown(firstCodePoint: 0x3164)),
      (" ", .nothingShown(firstCodePoint: 0x20)),
      ("\u{3000} \u{A0}", .nothingShown(firstCodePoint: 0x3000)),
      ("\u{0}", .controlCharacter(codePoint: 0)),
      ("a\nb", .controlCharacter(codePoint: 0x0A)),
      ("👍\u{7F}", .controlCharacter(codePoint: 0x7F)),
      ("\u{85}", .controlCharacter(codePoint: 0x85)),
      (":a\tb:", .controlCharacter(codePoint: 0x09)),
      ("\u{FE0F}\u{2028}", .controlCharacter(codePoint: 0x2028)),
      ("a\u{2029}", .controlCharacter(codePoint: 0x2029)),
    ])
  func invalidTexts(text: String, reason: InvalidReaction) {
    #expect(reaction(text) == .failure(reason))
    #expect(reaction(utf8: Array(text.utf8)) == .failure(reason))
  }

  @Test("Case 33: a single regional indicator is an emoji, with a selector or without")
  func loneRegionalIndicator() throws {
    for letter in UInt32(0x1F1E6)...0x1F1FF {
      let text = String(try #require(Unicode.Scalar(letter)))
      let reaction = try Reaction(text)
      #expect(reaction.form == .emoji)
      #expect(scalars(of: reaction.text) == scalars(of: text))
      #expect(try Reaction(text + "\u{FE0F}") == reaction)
    }
  }

  @Test("Case 38: 128 thumbs are a text of 512 bytes, one scalar more is refused")
  func longestText() throws {
    let text = String(repeating: "👍", count: 128)
    let reaction = try Reaction(text)
    #expect(reaction.form == .text)
    #expect(reaction.text.utf8.count == 512)
    #expect(reaction.isCanonical)
    #expect(ReactionModelTests.reaction(text + "a") == .failure(.tooManyBytes(count: 513)))
    let letters = String(repeating: "a", count: 129)
    #expect(ReactionModelTests.reaction(letters) == .failure(.tooManyScalars(count: 129)))
    #expect(try Reaction(String(repeating: "a", count: 128)).form == .text)
  }

  @Test("Case 38: one letter with 1,000 accents is refused by the byte limit")
  func manyAccents() {
    let text = "e" + String(repeating: "\u{301}", count: 1000)
    #expect(text.count == 1)
    #expect(reaction(text) == .failure(.tooManyBytes(count: 2001)))
  }

  @Test("The limits are judged on the canonical form")
  func limitsOfCanonicalForm() throws {
    // 👍 and 1,000 selectors are one scalar; 43 hearts joined are 85 scalars, canonical 128.
    let padded = "👍" + String(repeating: "\u{FE0F}", count: 1000)
    #expect(try Reaction(padded) == Reaction("👍"))
    func hearts(_ count: Int) -> String {
      Array(repeating: "\u{2764}", count: count).joined(separator: "\u{200D}")
    }
    #expect(try Reaction(hearts(43)).text.unicodeScalars.count == 128)
    #expect(reaction(hearts(44)) == .failure(.tooManyScalars(count: 131)))
    #expect(hearts(58).utf8.count == 345)
    #expect(reaction(hearts(58)) == .failure(.tooManyBytes(count: 519)))
  }

  @Test("Canonically equivalent texts of different bytes are different reactions")
  func canonicalEquivalence() throws {
    let (composed, decomposed) = (try Reaction("\u{E9}"), try Reaction("e\u{301}"))
    #expect(composed.text == decomposed.text)
    #expect(composed != decomposed)
    #expect(decomposed < composed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed.form == .text && decomposed.form == .text)
  }

  @Test("Order and equality are those of the bytes")
  func order() throws {
    let texts = ["", "a", "b", ":a:", "👍", "👍🏻", "❤", "ab", "é", "e\u{301}", "z", "\u{FFFD}a"]
    for a in texts where !a.isEmpty {
      for b in texts where !b.isEmpty {
        let (first, second) = (try Reaction(a), try Reaction(b))
        let (firstBytes, secondBytes) = (Array(first.text.utf8), Array(second.text.utf8))
        #expect((first < second) == firstBytes.lexicographicallyPrecedes(secondBytes))
        #expect((first == second) == (firstBytes == secondBytes))
        if first == second { #expect(first.hashValue == second.hashValue) }
      }
    }
  }

  @Test("Bytes that are not UTF-8 are refused, with the place of the first wrong one")
  func invalidBytes() {
    #expect(reaction(utf8: []) == .failure(.empty))
    #expect(reaction(utf8: [0x61, 0xFF]) == .failure(.invalidUTF8(byteOffset: 1)))
    #expect(reaction(utf8: [0xF0, 0x9F, 0x91]) == .failure(.invalidUTF8(byteOffset: 0)))
    #expect(reaction(utf8: [0xED, 0xA0, 0x80]) == .failure(.invalidUTF8(byteOffset: 0)))
    #expect(reaction(utf8: [0xC0, 0x80]) == .failure(.invalidUTF8(byteOffset: 0)))
  }

  @Test("Stored bytes are checked for UTF-8 and length only; isCanonical tells the rest")
  func storedBytes() {
    let rows: [(bytes: [UInt8], isCanonical: Bool)] = [
      (Array("👍".utf8), true), (Array("❤\u{FE0F}".utf8), true), (Array(":a:".utf8), true),
      (Array("❤".utf8), false), (Array("👍\u{FE0F}".utf8), false), (Array("\n".utf8), false),
      (Array("\u{200D}".utf8), false), (Array(repeating: 0x61, count: 128), true),
      (Array(repeating: 0x61, count: 129), false), (Array(repeating: 0x61, count: 512), false),
    ]
    for row in rows {
      let reaction = stored(row.bytes)
      #expect(reaction.map { Array($0.text.utf8) } == .success(row.bytes))
      #expect(reaction.map(\.isCanonical) == .success(row.isCanonical))
    }
    #expect(stored([]) == .failure(.empty))
    #expect(stored([0x80]) == .failure(.invalidUTF8(byteOffset: 0)))
    #expect(
      stored(Array(repeating: 0x61, count: 513)) == .failure(.tooManyBytes(count: 513)))
  }

  @Test("Reasons are told in words with the value that is wrong")
  func reasonsInWords() {
    let rows: [(InvalidReaction, String)] = [
      (.empty, "at least 1 byte"), (.invalidUTF8(byteOffset: 7), "offset 7"),
      (.tooManyBytes(count: 513), "513"), (.tooManyScalars(count: 129), "129"),
      (.controlCharacter(codePoint: 0x0A), "U+000A"),
      (.nothingShown(firstCodePoint: 0x1F3FB), "U+1F3FB"), (.notAllowed(.custom), "custom"),
    ]
    for (reason, words) in rows { #expect(reason.description.contains(words)) }
  }
}

/// The reaction that bytes make, or why they make none.
func reaction(utf8 bytes: [UInt8]) -> Result<Reaction, InvalidReaction> {
  do {
    return .success(try Reaction(utf8: bytes.span))
  } catch {
    return .failure(error)
  }
}

/// The reaction that stored bytes are, or why they are none.
private func stored(_ bytes: [UInt8]) -> Result<Reaction, InvalidReaction> {
  do {
    return .success(try Reaction(canonical: bytes.span))
  } catch {
    return .failure(error)
  }
}
