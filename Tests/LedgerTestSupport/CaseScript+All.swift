extension CaseScript {
  private static let distinct = (0..<20).map { "+u1 r\($0)" }.joined(separator: ", ")
  private static let distinctLeft =
    (1..<20).map { "r\($0)=1[u1]" }.joined(separator: " ")
  private static let thumbs = String(repeating: "👍", count: 128)
  private static let accents = "e" + String(repeating: "\u{301}", count: 1_000)

  /// The cases that a script on one message can tell.
  public static let all: [CaseScript] = counts + mine + order + unicode + lifeCycle

  private static let counts: [CaseScript] = [
    CaseScript("Case 1", "+u1 A, -u1 A, -u1 A", "rru", "-"),
    CaseScript("Case 2", "+u1 A, +u2 A, -u1 A, -u1 A", "rrru", "A=1[u2]"),
    CaseScript(
      "Case 3", String(repeating: "+u1 A, -u1 A, ", count: 50) + "+u1 A",
      String(repeating: "r", count: 101), "A=1[u1]"),
    CaseScript("Case 4", "+u1 A, +u2 A, erase u1", "rrr", "A=1[u2]"),
    CaseScript(
      "Case 5: membership is nothing to the ledger", "+u1 A, +u2 A, +u3 A, +u4 A", "rrrr",
      "A=4[u1,u2,u3]"),
    CaseScript("Case 7", "+u2 A, +u3 A, +u4 A, +u1 A", "rrrr", "A=4[u2,u3,u4]"),
    CaseScript("Case 8", "+u1 A, +u2 A, -u1 A #7, -u1 A #7", "rrrp", "A=1[u2]"),
    CaseScript("Case 9", "+u2 A, -u2 A", "rr", "-"),
    CaseScript("Case 12: three adds", "+u1 A, +u1 A, +u1 A", "ruu", "A=1[u1]"),
    CaseScript("Case 13", "+u1 A #1, +u1 A #2", "ru", "A=1[u1]"),
    CaseScript("Case 13: one remove ends both", "+u1 A #1, +u1 A #2, -u1 A", "rur", "-"),
    CaseScript("Case 14", "single, +u1 A, +u1 B, +u1 B, +u1 A", "rrrur", "A=1[u1]"),
    CaseScript("Case 15", "single, +u1 A #1, +u1 B #2, +u1 A #1", "rrrp", "B=1[u1]"),
    CaseScript("Case 16", "single, +u2 A, +u1 A, +u1 B", "rrrr", "A=1[u2] B=1[u1]"),
    CaseScript(
      "Case 17", distinct + ", +u2 Z, +u2 r0, -u1 r0, +u2 Z, -u2 r0, +u2 Z",
      String(repeating: "r", count: 20) + "xrrxrr", distinctLeft + " Z=1[u2]"),
  ]

  private static let mine: [CaseScript] = [
    CaseScript("Case 18", "+u1 A, +u2 A", "rr", "A=2[u1,u2]"),
    CaseScript("Case 19", "+u1 A, +u2 B", "rr", "A=1[u1] B=1[u2]"),
    CaseScript("Case 20", "+u1 \u{2764}", "r", "\u{2764}\u{FE0F}=1[u1]"),
    CaseScript(
      "Case 20: removed as it was replied", "+u1 \u{2764}, -u1 \u{2764}\u{FE0F}", "rr", "-"),
    CaseScript("Case 21", "+u1 A, -u1 A", "rr", "-"),
  ]

  private static let order: [CaseScript] = [
    CaseScript("Case 22", "+u1 A, +u1 B, +u2 A, +u2 B, -u1 A", "rrrrr", "A=1[u2] B=2[u1,u2]"),
    CaseScript("Case 23", "+u1 A, -u1 A, +u2 A", "rrr", "A=1[u2]"),
    CaseScript("Case 24", "+u1 A, +u2 A, +u3 A, +u4 A, +u5 A", "rrrrr", "A=5[u1,u2,u3]"),
    CaseScript("Case 25", "+u1 A, +u2 A, +u3 A, +u4 A, +u5 A, -u2 A", "rrrrrr", "A=4[u1,u3,u4]"),
    CaseScript(
      "Case 25: to the end", "+u1 A, +u2 A, +u3 A, +u4 A, +u5 A, -u2 A, +u2 A", "rrrrrrr",
      "A=5[u1,u3,u4]"),
    CaseScript("Case 26", "+u1 B, +u1 A, +u2 A, +u3 A", "rrrr", "B=1[u1] A=3[u1,u2,u3]"),
    CaseScript(
      "Case 29", "+u1 A, +u1 B, +u1 C, +u1 D, +u1 E, +u1 F", "rrrrrr",
      "A=1[u1] B=1[u1] C=1[u1] D=1[u1] E=1[u1] F=1[u1]"),
    CaseScript(
      "P5: the place is lost at 0", "+u1 A, +u1 B, -u1 A, +u1 A", "rrrr", "B=1[u1] A=1[u1]"),
    CaseScript(
      "P4: adding again goes to the end", "+u1 A, +u2 A, -u1 A, +u1 A", "rrrr", "A=2[u2,u1]"),
  ]

  private static let unicode: [CaseScript] = [
    CaseScript("Case 31", "+u1 \u{1F44D}, +u2 \u{1F44D}\u{FE0F}", "rr", "\u{1F44D}=2[u1,u2]"),
    CaseScript(
      "Case 32", "+u1 \u{2764}, +u2 \u{2764}\u{FE0F}, +u2 \u{2764}", "rru",
      "\u{2764}\u{FE0F}=2[u1,u2]"),
    CaseScript(
      "Case 33", "+u1 \u{FE0F}, +u1 \u{200D}, +u1 \u{1F3FB}, +u1 \u{1}, +u1 \u{1F1E6}", "xxxxr",
      "\u{1F1E6}=1[u1]"),
    CaseScript(
      "Case 34: a keycap", "+u1 \u{31}\u{20E3}, +u2 \u{31}\u{FE0F}\u{20E3}", "rr",
      "\u{31}\u{FE0F}\u{20E3}=2[u1,u2]"),
    CaseScript(
      "Case 34: an envelope", "+u1 \u{2709}\u{FE0F}, +u2 \u{2709}", "rr",
      "\u{2709}\u{FE0F}=2[u1,u2]"),
    CaseScript(
      "Case 34: inside a sequence",
      "+u1 \u{1F3C3}\u{200D}\u{27A1}, +u2 \u{1F3C3}\u{200D}\u{27A1}\u{FE0F}", "rr",
      "\u{1F3C3}\u{200D}\u{27A1}\u{FE0F}=2[u1,u2]"),
    CaseScript("Case 35", "+u1 👍🏻, +u1 👍🏽, +u2 👍", "rrr", "👍🏻=1[u1] 👍🏽=1[u1] 👍=1[u2]"),
    CaseScript("Case 36", "+u1 ❤️, +u1 heart, -u1 ❤️", "rrr", "heart=1[u1]"),
    CaseScript(
      "Case 36: retired", "+u1 parrot, +u2 parrot, emoji, +u3 tada, +u3 parrot, -u1 parrot",
      "rrrxrr", "parrot=2[u2,u3]"),
    CaseScript("Case 38: 128 of any text", "any, +u1 \(thumbs)", "rr", "\(thumbs)=1[u1]"),
    CaseScript("Case 38: too many bytes", "any, +u1 \(accents)", "rx", "-"),
  ]

  private static let lifeCycle: [CaseScript] = [
    CaseScript("Case 39", "+u1 A, +u2 A, +u1 B, deleted", "rrrr", "-"),
    CaseScript("Case 40", "+u1 A #1, deleted, -u1 A, +u1 A #1, deleted", "rrupu", "-"),
    CaseScript("Case 42", "+u1 A", "r", "A=1[u1]"),
    CaseScript("Case 43", "+u1 :a:1:, +u1 :a:2:", "rr", ":a:1:=1[u1] :a:2:=1[u1]"),
    CaseScript("Case 44: the host has not announced the message", "+u1 A", "r", "A=1[u1]"),
    CaseScript("Case 45", "+u1 A, +u1 A", "ru", "A=1[u1]"),
    CaseScript(
      "A moderator clears one reaction", "+u1 A, +u2 A, +u1 B, clear A", "rrrr", "B=1[u1]"),
    CaseScript(
      "An erased user comes back as another", "+u1 A, +u2 A, erase u1, erase u1, +u1 A", "rrrur",
      "A=2[u2,u1]"),
  ]
}
