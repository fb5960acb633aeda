import ReactionCodec
import Testing

@Suite("UTF-8 is what the standard library takes for it")
struct UTF8CheckTests {
  /// The first bytes of which the two disagree.
  private struct Tally {
    var validCount = 0
    var otherCount = 0
    var broken: [UInt8]?

    /// Compares bytes alone, and inside of others, of which some go on with a character.
    mutating func compare(_ bytes: [UInt8], after head: Int = 0) {
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      if isValid { validCount += 1 } else { otherCount += 1 }
      let whole = Array(repeating: 0xBF, count: head) + bytes + Array(repeating: 0xBF, count: 8)
      let range = head..<head + bytes.count
      let isASCII = bytes.allSatisfy { $0 < 0x80 }
      if bytes.span.isUTF8() != isValid || whole.span.isUTF8(range) != isValid
        || whole.span.isASCII(range) != isASCII
      {
        broken = broken ?? bytes
      }
    }
  }

  private static let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]

  @Test("Every one and two bytes, and three and four with the edges of each range")
  func short() {
    var tally = Tally()
    for first in UInt8.min...UInt8.max {
      tally.compare([first])
      for second in UInt8.min...UInt8.max { tally.compare([first, second], after: 3) }
    }
    for first in UInt8(0xC0)...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for third in Self.edges { tally.compare([first, second, third]) }
      }
      for second in Self.edges {
        for third in Self.edges {
          for fourth in Self.edges { tally.compare([first, second, third, fourth], after: 1) }
        }
      }
    }
    #expect(tally.broken == nil)
    #expect(tally.validCount > 10_000 && tally.otherCount > 100_000)
  }

  @Test("100,000 texts of characters of every length, some of them damaged")
  func long() {
    var (sampler, tally) = (Sampler(seed: 82), Tally())
    let pieces = ["a", "é", "€", "❤️", "👍🏽", "0123456789abcdef", "\u{10FFFF}", "\u{D7FF}\u{E000}"]
    for _ in 0..<100_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int(sampler.word() % 6) {
        bytes += pieces[Int(sampler.word() % UInt64(pieces.count))].utf8
      }
      if sampler.word() % 2 == 0, !bytes.isEmpty {
        bytes[Int(sampler.word() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: sampler.word())
      }
      if sampler.word() % 4 == 0 { _ = bytes.popLast() }
      tally.compare(bytes, after: Int(sampler.word() % 9))
    }
    #expect(tally.broken == nil)
    #expect(tally.validCount > 10_000 && tally.otherCount > 10_000)
  }
}
