import LedgerTestSupport
import ReactionModel
import Testing

@Suite("Timestamp: ISO 8601, and its limits (F3)")
struct TimestampTests {
  static let moments: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (1, "1970-01-01T00:00:00.000001Z"),
    (1_767_323_045_000_006, "2026-01-02T03:04:05.000006Z"),
    (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (-2_203_891_200_000_000, "1900-03-01T00:00:00.000000Z"),
    (-2_203_891_200_000_001, "1900-02-28T23:59:59.999999Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
    (Timestamp.range.lowerBound, "0000-01-01T00:00:00.000000Z"),
    (Timestamp.range.upperBound, "9999-12-31T23:59:59.999999Z"),
  ]

  @Test("As text and back", arguments: moments)
  func text(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).description == text)
    #expect(Timestamp(parsing: text)?.microseconds == microseconds)
  }

  @Test("Beyond the years 0000 to 9999 it is clamped")
  func clamping() {
    #expect(Timestamp(microseconds: .min).microseconds == Timestamp.range.lowerBound)
    #expect(Timestamp(microseconds: .max).microseconds == Timestamp.range.upperBound)
  }

  @Test(
    "Other ways to write the same moment",
    arguments: [
      "2026-06-29T12:34:56.789012Z", "2026-06-29 12:34:56.789012Z",
      "2026-06-29T12:34:56.7890129999Z", "2026-06-29T14:34:56.789012+02:00",
      "2026-06-29T07:04:56.789012-05:30", "2026-06-30T12:33:56.789012+23:59",
    ])
  func spellings(text: String) {
    #expect(Timestamp(parsing: text)?.description == "2026-06-29T12:34:56.789012Z")
  }

  @Test(
    "A fraction of any length",
    arguments: [
      ("2026-06-29T00:00:00Z", 0), ("2026-06-29T00:00:00.5Z", 500_000),
      ("2026-06-29T00:00:00.05Z", 50_000), ("2026-06-29T00:00:00.000001Z", 1),
      ("2026-06-29T00:00:00.0000019Z", 1),
    ] as [(String, Int64)])
  func fractions(text: String, microseconds: Int64) throws {
    let moment = try #require(Timestamp(parsing: text))
    #expect(moment.microseconds % 1_000_000 == microseconds)
  }

  @Test(
    "What is no moment",
    arguments: [
      "", "2026", "2026-06-29", "2026-06-29T12:34:56", "2026-06-29T12:34Z",
      "2026-06-29T12:34:56.Z", "2026-06-29T24:00:00Z", "2026-06-29T12:60:00Z",
      "2026-06-29T12:34:60Z", "2026-00-29T12:34:56Z", "2026-13-29T12:34:56Z",
      "2026-06-31T12:34:56Z", "2026-02-29T12:34:56Z", "1900-02-29T12:34:56Z",
      "2026-06-00T12:34:56Z", "2026-06-29T12:34:56+24:00", "2026-06-29T12:34:56+02",
      "2026-06-29T12:34:56z", " 2026-06-29T12:34:56Z", "2026-06-29T12:34:56Z ",
      "+2026-06-29T12:34:56Z", "２026-06-29T12:34:56Z", "0000-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01",
    ])
  func errors(text: String) { #expect(Timestamp(parsing: text) == nil) }

  @Test("February has 29 days in leap years alone")
  func leapYears() {
    for year in 0...9999 {
      let digits = String(repeating: "0", count: 4 - String(year).count) + String(year)
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let day = Timestamp(parsing: "\(digits)-02-29T00:00:00Z")
      #expect((day != nil) == isLeap)
    }
  }

  @Test("Every day of 400 years follows the one before; texts sort as moments do")
  func days() throws {
    var before = Timestamp(microseconds: -12_622_780_800_000_000).description  // 1570-01-01
    for day in 1...146_097 as ClosedRange<Int64> {
      let moment = Timestamp(microseconds: -12_622_780_800_000_000 + day * 86_400_000_000)
      let text = moment.description
      if text <= before || Timestamp(parsing: text) != moment {
        Issue.record("\(text) after \(before)")
        return
      }
      before = text
    }
    #expect(before == "1970-01-01T00:00:00.000000Z")
  }

  @Test("20,000 random moments: text and back, and their order")
  func randomMoments() {
    var generator = SeededGenerator(seed: 9)
    var last = Timestamp(microseconds: 0)
    for _ in 0..<20_000 {
      let moment = Timestamp(
        microseconds: Int64.random(in: Timestamp.range, using: &generator))
      let isSame = Timestamp(parsing: moment.description) == moment
      let isOrdered = (moment < last) == (moment.description < last.description)
      if !isSame || !isOrdered {
        Issue.record("\(moment.microseconds) after \(last.microseconds), seed 9")
        return
      }
      last = moment
    }
  }
}
