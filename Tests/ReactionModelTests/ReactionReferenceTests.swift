import LedgerTestSupport
import ReactionModel
import Testing

/// The rules of reactions again, written for plainness: over arrays of scalars, letters that stand
/// for them and a regular expression, with the Unicode tables of the Swift runtime.
///
/// Good for scalars whose properties have not changed since Unicode 15.0.
private struct ReactionReference {
  private let emoji = /R|(RR|[BT](M|C|G+E)?|KC)(Z(RR|[BT](M|C|G+E)?|KC))*/

  func canonicalForm(of scalars: [Unicode.Scalar]) -> Result<[Unicode.Scalar], InvalidReaction> {
    if scalars.isEmpty { return .failure(.empty) }
    let bare = scalars.filter { $0 != "\u{FE0E}" && $0 != "\u{FE0F}" }
    let isEmoji = String(bare.map(letter)).wholeMatch(of: emoji) != nil
    let result = isEmoji ? withSelectors(bare) : scalars
    let byteCount = result.reduce(0) { $0 + UTF8.width($1) }
    if byteCount > 512 { return .failure(.tooManyBytes(count: byteCount)) }
    if result.count > 128 { return .failure(.tooManyScalars(count: result.count)) }
    if isEmoji || isCustom(result) { return .success(result) }
    if let control = result.first(where: { isControl($0) || $0 == "\u{2028}" || $0 == "\u{2029}" })
    {
      return .failure(.controlCharacter(codePoint: control.value))
    }
    let showsNothing = result.allSatisfy {
      $0.properties.isDefaultIgnorableCodePoint || $0.properties.isWhitespace
        || $0.properties.isEmojiModifier
    }
    return showsNothing
      ? .failure(.nothingShown(firstCodePoint: result[0].value)) : .success(result)
  }

  func form(of scalars: [Unicode.Scalar]) -> Reaction.Form {
    let bare = scalars.filter { $0 != "\u{FE0E}" && $0 != "\u{FE0F}" }
    if String(bare.map(letter)).wholeMatch(of: emoji) != nil { return .emoji }
    return isCustom(scalars) ? .custom : .text
  }

  private func letter(_ scalar: Unicode.Scalar) -> Character {
    switch scalar {
    case "0"..."9", "#", "*": "K"
    case "\u{200D}": "Z"
    case "\u{20E3}": "C"
    case "\u{E0020}"..."\u{E007E}": "G"
    case "\u{E007F}": "E"
    case "\u{1F1E6}"..."\u{1F1FF}": "R"
    case _ where scalar.properties.isEmojiModifier: "M"
    case _ where scalar.properties.isEmojiPresentation: "B"
    case _ where scalar.properties.isEmoji: "T"
    case "\u{1F10D}", "\u{2605}": "B"  // Extended_Pictographic without Emoji
    default: "-"
    }
  }

  private func withSelectors(_ bare: [Unicode.Scalar]) -> [Unicode.Scalar] {
    bare.indices.flatMap { index -> [Unicode.Scalar] in
      let takesSelector = letter(bare[index]) == "T" || letter(bare[index]) == "K"
      let hasModifier = index + 1 < bare.count && letter(bare[index + 1]) == "M"
      return takesSelector && !hasModifier ? [bare[index], "\u{FE0F}"] : [bare[index]]
    }
  }

  private func isCustom(_ scalars: [Unicode.Scalar]) -> Bool {
    var parts = scalars.split(separator: ":", omittingEmptySubsequences: false).map(Array.init)
    guard parts.count >= 3, parts.removeFirst().isEmpty, parts.removeLast().isEmpty else {
      return false
    }
    let tones = (2...6).map { Array("skin-tone-\($0)".unicodeScalars) }
    if parts.count >= 3, parts[1].isEmpty, tones.contains(parts[2]) { parts.removeSubrange(1...2) }
    return parts.count <= 2
      && parts.allSatisfy { part in
        (1...100).contains(part.count)
          && !part.contains { isControl($0) || $0.properties.isWhitespace }
      }
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }
}

@Suite("Reaction: held against a naive reference")
struct ReactionReferenceTests {
  private let reference = ReactionReference()

  /// Compares both and canonicalizes twice.
  private func compare(_ scalars: [Unicode.Scalar], seed: UInt64? = nil) {
    let text = String(String.UnicodeScalarView(scalars))
    let place: Comment = "seed \(seed.map(String.init) ?? "none"): \(scalars)"
    let made = reaction(text)
    let expected = reference.canonicalForm(of: scalars)
    #expect(made.map { Array($0.text.unicodeScalars) } == expected, place)
    #expect(reaction(utf8: Array(text.utf8)) == made, place)
    guard case .success(let reaction) = made else { return }
    #expect(reaction.form == reference.form(of: scalars), place)
    #expect(reaction.isCanonical, place)
    #expect(ReactionModelTests.reaction(reaction.text) == made, place)
    let isCanonical = Array(reaction.text.utf8) == Array(text.utf8)
    let stored = try? Reaction(canonical: text.utf8Span.span)
    if let stored { #expect(stored.isCanonical == isCanonical, place) }
  }

  @Test("Every string of up to four of the grammar's scalars")
  func exhaustive() {
    let alphabet: [Unicode.Scalar] = [
      "\u{1F44D}", "\u{2764}", "1", "\u{1F3FB}", "\u{1F1E9}", "\u{200D}", "\u{20E3}", "\u{FE0F}",
      "\u{E0067}", "\u{E007F}", "a",
    ]
    var strings: [[Unicode.Scalar]] = [[]]
    for _ in 0...4 {
      for string in strings { compare(string) }
      strings = strings.flatMap { string in alphabet.map { string + [$0] } }
    }
  }

  @Test("20,000 random strings of interesting scalars", arguments: [UInt64(1), 2, 3, 4])
  func random(seed: UInt64) {
    let alphabet: [Unicode.Scalar] = [
      "\u{1F44D}", "\u{1F469}", "\u{1F3F4}", "\u{2764}", "\u{2764}", "\u{261D}", "\u{A9}", "1", "#",
      "*", "\u{1F3FB}", "\u{1F3FF}", "\u{1F1E9}", "\u{1F1EA}", "\u{200D}", "\u{200D}", "\u{20E3}",
      "\u{FE0E}", "\u{FE0F}", "\u{FE0F}", "\u{E0067}", "\u{E007F}", ":", ":", "a", "-", " ",
      "\u{E9}", "\u{301}", "\u{A0}", "\u{3164}", "\u{2028}", "\n", "\u{85}", "\u{2605}",
      "\u{1F10D}",
      "\u{D7FF}", "\u{FFFF}", "\u{10FFFF}",
    ]
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let scalars = (0..<Int.random(in: 0...7, using: &generator)).compactMap { _ in
        alphabet.randomElement(using: &generator)
      }
      compare(scalars, seed: seed)
    }
  }

  @Test("Random strings that mostly follow a grammar, some of them near the limits")
  func grammatical() {
    let elements = [
      "👍", "👍🏽", "\u{2764}", "\u{2764}\u{FE0F}", "\u{261D}\u{FE0F}🏻", "1\u{20E3}", "🇩🇪",
      "🏴\u{E0067}\u{E0062}\u{E007F}", "\u{2764}\u{FE0E}\u{FE0F}",
    ]
    let pieces = [":", ":", ":a", "a:", ":skin-tone-2:", ":skin-tone-9:", "été", "\u{FE0F}", "x y"]
    var generator = SeededGenerator(seed: 5)
    for round in 0..<4000 {
      let isEmoji = round.isMultiple(of: 2)
      let longest = round.isMultiple(of: 20) ? 60 : 6
      let count = Int.random(in: 1...longest, using: &generator)
      let parts = (0..<count).compactMap { _ in
        (isEmoji ? elements : pieces).randomElement(using: &generator)
      }
      compare(Array(parts.joined(separator: isEmoji ? "\u{200D}" : "").unicodeScalars), seed: 5)
    }
  }

  @Test("20,000 random byte strings never trap, and are judged as their text is")
  func randomBytes() {
    let fragments: [[UInt8]] = ["👍", "\u{2764}", "\u{FE0F}", "\u{200D}", "1", ":", "é", "\u{20E3}"]
      .map { Array($0.utf8) }
    var generator = SeededGenerator(seed: 6)
    var validCount = 0
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        if Bool.random(using: &generator), let fragment = fragments.randomElement(using: &generator)
        {
          bytes += Bool.random(using: &generator) ? fragment[...] : fragment.dropLast()
        } else if Int.random(in: 0..<4, using: &generator) == 0 {
          bytes.append(UInt8.random(in: .min ... .max, using: &generator))
        }
      }
      let made = reaction(utf8: bytes)
      if let text = String(validating: bytes, as: UTF8.self) {
        validCount += 1
        #expect(made == reaction(text), "seed 6: \(bytes)")
      } else {
        guard case .failure(.invalidUTF8(let offset)) = made else {
          Issue.record("seed 6: \(bytes) is no UTF-8 and gave \(made)")
          continue
        }
        #expect(String(validating: bytes[..<offset], as: UTF8.self) != nil, "seed 6: \(bytes)")
      }
    }
    #expect((1000...19_000).contains(validCount))
  }
}
