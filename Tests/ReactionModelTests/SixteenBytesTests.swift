import LedgerTestSupport
import ReactionModel
import Testing

@Suite("SixteenBytes: a UUID as text (F3, RFC 9562)")
struct SixteenBytesTests {
  static let values: [(SixteenBytes, String)] = [
    (SixteenBytes(high: 0, low: 0), "00000000-0000-0000-0000-000000000000"),
    (SixteenBytes(high: .max, low: .max), "ffffffff-ffff-ffff-ffff-ffffffffffff"),
    (
      SixteenBytes(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210),
      "01234567-89ab-cdef-fedc-ba9876543210"
    ),
    // The example of a UUID of version 7 in RFC 9562, appendix A.6.
    (
      SixteenBytes(high: 0x017f_22e2_79b0_7cc3, low: 0x98c4_dc0c_0c07_398f),
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
    ),
  ]

  @Test("As text and back, in either case", arguments: values)
  func text(value: SixteenBytes, text: String) {
    #expect(value.description == text)
    #expect(SixteenBytes(parsing: text) == value)
    #expect(SixteenBytes(parsing: text.uppercased()) == value)
  }

  @Test(
    "What is no UUID",
    arguments: [
      "", "0123456789abcdeffedcba9876543210", "01234567-89ab-cdef-fedc-ba987654321",
      "01234567-89ab-cdef-fedc-ba98765432100", "01234567-89ab-cdef-fedc-ba987654321g",
      "0123456-789ab-cdef-fedc-ba9876543210", "{1234567-89ab-cdef-fedc-ba987654321}",
      "01234567_89ab-cdef-fedc-ba9876543210", "-1234567-89ab-cdef-fedc-ba9876543210",
      " 1234567-89ab-cdef-fedc-ba9876543210", "01234567-89ab-cdef-fedc-ba98765432\u{E9}",
    ])
  func errors(text: String) { #expect(SixteenBytes(parsing: text) == nil) }

  @Test("In order of bytes, as their texts are")
  func order() {
    var generator = SeededGenerator(seed: 3)
    var values = (0..<100).map { _ in
      SixteenBytes(high: generator.next(), low: generator.next())
    }
    values += [
      SixteenBytes(high: 1, low: 0), SixteenBytes(high: 0, low: .max),
      SixteenBytes(high: 1 << 63, low: 0), SixteenBytes(high: 1, low: 1),
    ]
    for first in values {
      #expect(SixteenBytes(parsing: first.description) == first)
      let wrong = values.filter { ($0 < first) != ($0.description < first.description) }
      #expect(wrong == [], "seed 3")
    }
  }
}
