import Foundation
import LedgerTestSupport
import ReactionModel
import Testing

@Suite("Reaction: emoji and their canonical form")
struct ReactionEmojiTests {
  /// Input, canonical form; both in scalars.
  static let emoji = """
    1F44D                                     -> 1F44D
    1F44D FE0F                                -> 1F44D
    1F44D FE0E                                -> 1F44D
    FE0F 1F44D                                -> 1F44D
    1F44D FE0F FE0F FE0E                      -> 1F44D
    2764                                      -> 2764 FE0F
    2764 FE0F                                 -> 2764 FE0F
    2764 FE0E                                 -> 2764 FE0F
    2764 FE0F FE0F                            -> 2764 FE0F
    2764 FE0E FE0F                            -> 2764 FE0F
    FE0F 2764                                 -> 2764 FE0F
    2709                                      -> 2709 FE0F
    2709 FE0F                                 -> 2709 FE0F
    00A9                                      -> 00A9 FE0F
    00AE FE0F                                 -> 00AE FE0F
    203C                                      -> 203C FE0F
    2122                                      -> 2122 FE0F
    2139                                      -> 2139 FE0F
    21AA                                      -> 21AA FE0F
    231A                                      -> 231A
    231A FE0F                                 -> 231A
    2615                                      -> 2615
    2640                                      -> 2640 FE0F
    2B50                                      -> 2B50
    3030                                      -> 3030 FE0F
    3299                                      -> 3299 FE0F
    1F170                                     -> 1F170 FE0F
    1F202                                     -> 1F202 FE0F
    1F321                                     -> 1F321 FE0F
    1F3F3                                     -> 1F3F3 FE0F
    1F004                                     -> 1F004
    1F0CF                                     -> 1F0CF
    1F600                                     -> 1F600
    1F9B0                                     -> 1F9B0
    1FAE8                                     -> 1FAE8
    1FAE9                                     -> 1FAE9
    1F6D8                                     -> 1F6D8
    1F1E5                                     -> 1F1E5
    1F44D 1F3FB                               -> 1F44D 1F3FB
    1F44D FE0F 1F3FB                          -> 1F44D 1F3FB
    1F44D 1F3FB FE0F                          -> 1F44D 1F3FB
    261D 1F3FB                                -> 261D 1F3FB
    261D FE0F 1F3FB                           -> 261D 1F3FB
    261D 1F3FF FE0F                           -> 261D 1F3FF
    261D                                      -> 261D FE0F
    26F9 1F3FB 200D 2640                      -> 26F9 1F3FB 200D 2640 FE0F
    26F9 FE0F 200D 2642                       -> 26F9 FE0F 200D 2642 FE0F
    26F9 200D 2642                            -> 26F9 FE0F 200D 2642 FE0F
    0031 20E3                                 -> 0031 FE0F 20E3
    0031 FE0F 20E3                            -> 0031 FE0F 20E3
    0031 FE0E 20E3                            -> 0031 FE0F 20E3
    0031 20E3 FE0F                            -> 0031 FE0F 20E3
    0023 20E3                                 -> 0023 FE0F 20E3
    002A FE0F 20E3                            -> 002A FE0F 20E3
    0039 20E3 200D 2764                       -> 0039 FE0F 20E3 200D 2764 FE0F
    1F44D 20E3                                -> 1F44D 20E3
    2764 20E3                                 -> 2764 FE0F 20E3
    1F1E6                                     -> 1F1E6
    1F1E6 FE0F                                -> 1F1E6
    1F1E9 1F1EA                               -> 1F1E9 1F1EA
    1F1E9 FE0F 1F1EA FE0F                     -> 1F1E9 1F1EA
    1F1FF 1F1FF                               -> 1F1FF 1F1FF
    1F1E9 1F1EA 200D 1F44D                    -> 1F1E9 1F1EA 200D 1F44D
    1F3F4 E0067 E0062 E0065 E006E E0067 E007F -> 1F3F4 E0067 E0062 E0065 E006E E0067 E007F
    1F3F4 E0067 E007F FE0F                    -> 1F3F4 E0067 E007F
    2764 E0067 E007F                          -> 2764 FE0F E0067 E007F
    2764 200D 1F525                           -> 2764 FE0F 200D 1F525
    2764 FE0F 200D 1F525                      -> 2764 FE0F 200D 1F525
    2764 200D FE0F 1F525                      -> 2764 FE0F 200D 1F525
    1F441 200D 1F5E8                          -> 1F441 FE0F 200D 1F5E8 FE0F
    1F441 FE0F 200D 1F5E8                     -> 1F441 FE0F 200D 1F5E8 FE0F
    1F3F3 200D 1F308                          -> 1F3F3 FE0F 200D 1F308
    1F3F4 200D 2620                           -> 1F3F4 200D 2620 FE0F
    1F469 200D 2764 200D 1F48B 200D 1F468     -> 1F469 200D 2764 FE0F 200D 1F48B 200D 1F468
    1F469 1F3FD 200D 1F4BB                    -> 1F469 1F3FD 200D 1F4BB
    1F468 200D 1F469 200D 1F467 200D 1F466    -> 1F468 200D 1F469 200D 1F467 200D 1F466
    1F43B 200D 2744                           -> 1F43B 200D 2744 FE0F
    1F636 200D 1F32B                          -> 1F636 200D 1F32B FE0F
    """.split(separator: "\n")

  @Test("Emoji in any form have one canonical form", arguments: emoji)
  func canonicalForm(row: Substring) throws {
    let (input, canonical) = try halves(row)
    let reaction = try Reaction(try text(scalars: input))
    #expect(scalars(of: reaction.text) == canonical)
    #expect(reaction.form == .emoji)
    #expect(reaction.isCanonical)
    #expect(try Reaction(reaction.text) == reaction)
    #expect(try Reaction(utf8: Array(try text(scalars: input).utf8).span) == reaction)
  }

  /// Texts made of parts of emoji, and what they are.
  static let noEmoji = """
    0031
    0031 FE0F
    0023
    002A FE0F
    0031 0032 20E3
    0031 1F3FB
    0031 200D 20E3
    0031 E0067 E007F
    1F44D 1F44D
    1F44D 200D
    200D 1F44D
    1F44D 200D 200D 1F44D
    1F44D 1F3FB 1F3FC
    1F3FB 1F44D
    1F44D 1F3FB 20E3
    1F44D 20E3 1F3FB
    1F44D E0067
    1F44D E007F
    1F44D E0067 E007F E007F
    1F1E6 1F1E7 1F1E8
    1F1E6 1F3FB
    1F1E6 1F1E7 1F3FB
    1F1E6 200D 1F44D
    1F44D 200D 1F1E6
    1F44D 200D 0031
    0061 FE0F
    0061 20E3
    1F44D 0020
    0020 1F44D
    20E3
    2764 FE0F 0021
    203B
    3012
    """.split(separator: "\n")

  @Test("What only resembles an emoji is a text and keeps its bytes", arguments: noEmoji)
  func texts(row: Substring) throws {
    let input = try text(scalars: row)
    let reaction = try Reaction(input)
    #expect(reaction.form == .text)
    #expect(scalars(of: reaction.text) == scalars(of: input))
    #expect(reaction.isCanonical)
  }

  @Test("Case 31: 👍 with U+FE0F and without is one reaction")
  func thumbs() throws {
    #expect(try Reaction("\u{1F44D}") == Reaction("\u{1F44D}\u{FE0F}"))
  }

  @Test("Case 32: ❤ and ❤️ are one reaction, by text and by bytes")
  func hearts() throws {
    let (bare, full) = ("\u{2764}", "\u{2764}\u{FE0F}")
    #expect(try Reaction(bare) == Reaction(full))
    #expect(try Reaction(utf8: Array(bare.utf8).span) == Reaction(utf8: Array(full.utf8).span))
    #expect(try Reaction(bare).hashValue == Reaction(full).hashValue)
  }

  @Test("Case 34: keycaps, the envelope and joined sequences with and without U+FE0F are one")
  func foldedSelectors() throws {
    for pair in [
      "31 20E3/31 FE0F 20E3", "2709/2709 FE0F", "1F441 200D 1F5E8/1F441 FE0F 200D 1F5E8",
    ] {
      let forms = try pair.split(separator: "/").map { try Reaction(try text(scalars: $0)) }
      #expect(Set(forms).count == 1, "\(pair)")
    }
  }

  @Test("Case 35: skin tones make different reactions")
  func skinTones() throws {
    let thumbs = try ["👍", "👍🏻", "👍🏼", "👍🏽", "👍🏾", "👍🏿"].map { try Reaction($0) }
    #expect(Set(thumbs).count == 6)
    #expect(thumbs.allSatisfy { $0.form == .emoji })
  }

  @Test(
    "Case 37: every emoji of emoji-test.txt is one, in all its forms",
    .enabled(if: SharedData.isPresent, "needs the folder of shared data"))
  func emojiTestFile() throws {
    let path = try #require(SharedData.path("unicode/emoji-test.txt"))
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    var (qualified, counts) = ("", [String: Int]())
    for line in lines where !line.hasPrefix("#") {
      let fields = line.prefix { $0 != "#" }.split(separator: ";")
      let (input, status) = (try text(scalars: fields[0]), trimmed(fields[1]))
      guard status != "component" else { continue }
      // The file lists the other forms of an emoji after the fully qualified one.
      if status == "fully-qualified" { qualified = input }
      let reaction = try Reaction(input)
      #expect(reaction.form == .emoji, "\(line)")
      #expect(scalars(of: reaction.text) == scalars(of: qualified), "\(line)")
      #expect(reaction.isCanonical, "\(line)")
      counts[status, default: 0] += 1
    }
    #expect(counts["fully-qualified", default: 0] > 3000)
    #expect(counts["minimally-qualified", default: 0] > 500)
    #expect(counts["unqualified", default: 0] > 200)
  }

  private func halves(_ row: Substring) throws -> (input: Substring, canonical: String) {
    let arrow = try #require(row.range(of: "->"))
    return (row[..<arrow.lowerBound], trimmed(row[arrow.upperBound...]))
  }

  private func trimmed(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}
