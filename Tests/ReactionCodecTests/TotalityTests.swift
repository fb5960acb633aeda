import Foundation
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

@Suite("Any bytes give a value that encodes to the same bytes, or a typed error (F4)")
struct TotalityTests {
  /// How a format answered to many inputs.
  private struct Tally {
    var acceptedCount = 0
    var refusedCount = 0
    /// The first input that came out as other bytes.
    var broken: [UInt8]?

    mutating func tryInput(_ bytes: [UInt8], _ format: Format) {
      do throws(CodecError) {
        let again = try format.again(bytes)
        acceptedCount += 1
        if again != bytes, broken == nil { broken = bytes }
      } catch {
        refusedCount += 1
      }
    }
  }

  @Test("All inputs of 0 to 2 bytes", arguments: Format.all)
  func shortInputs(format: Format) {
    var tally = Tally()
    tally.tryInput([], format)
    for first in 0...UInt8.max {
      tally.tryInput([first], format)
      for second in 0...UInt8.max { tally.tryInput([first, second], format) }
    }
    #expect(tally.broken == nil)
    #expect(tally.acceptedCount + tally.refusedCount == 1 + 256 + 65_536)
    switch format.name {
    case "meta format (F25)": #expect(tally.acceptedCount == 65_536)
    case "row of a user (F15)": #expect(tally.acceptedCount == 1, "the tombstone, 02")
    default: #expect(tally.acceptedCount == 0)
    }
  }

  /// Every 251st; all 16,777,216, which takes minutes, if `LEDGER_EXHAUSTIVE` is set.
  @Test(
    "Inputs of 3 bytes of the formats of variable length",
    arguments: Format.all.filter(\.isVariable))
  func inputsOfThreeBytes(format: Format) {
    let isExhaustive = ProcessInfo.processInfo.environment["LEDGER_EXHAUSTIVE"] != nil
    var tally = Tally()
    var input: [UInt8] = [0, 0, 0]
    for number in stride(from: 0, to: 1 << 24, by: isExhaustive ? 1 : 251) {
      input[0] = UInt8(number >> 16)
      input[1] = UInt8(number >> 8 & 255)
      input[2] = UInt8(number & 255)
      tally.tryInput(input, format)
    }
    #expect(tally.broken == nil)
    #expect(tally.acceptedCount == 0, "none of them has a value of 3 bytes")
  }

  @Test("200,000 damaged records")
  func damagedRecords() {
    let tally = damage(.record, count: 200_000)
    #expect(tally.broken == nil)
    #expect(tally.acceptedCount > 20_000, "enough of them still decode")
    #expect(tally.refusedCount > 20_000, "enough of them do not")
  }

  @Test("20,000 damaged values of each other format", arguments: Format.all.dropFirst())
  func damagedValues(format: Format) {
    let tally = damage(format, count: 20_000)
    #expect(tally.broken == nil)
    #expect(tally.acceptedCount > 0 && tally.refusedCount > 0)
  }

  private func damage(_ format: Format, count: Int) -> Tally {
    var sampler = Sampler(seed: 4_242)
    var tally = Tally()
    let samples = (0..<2_000).map { _ in format.sample(&sampler) }
    for _ in 0..<count { tally.tryInput(sampler.damaged(samples), format) }
    return tally
  }
}
