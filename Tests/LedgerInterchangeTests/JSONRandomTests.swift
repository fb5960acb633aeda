import LedgerInterchange
import LedgerTestSupport
import Testing

/// Whatever the bytes are, the parser gives a value that is written and read again, or an error.
@Suite struct JSONRandomTests {
  /// Parses; if it is a document, what the writer makes of it must read back as the same value.
  @discardableResult
  static func check(_ bytes: [UInt8]) -> Bool {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONParser.parse(bytes)
    } catch {
      #expect((0...bytes.count).contains(error.offset))
      return false
    }
    var writer = JSONWriter()
    writer.value(value)
    #expect((try? JSONParser.parse(writer.bytes)) == value)
    return true
  }

  @Test func allBytesOfLengthUpToTwo() {
    var validCount = Self.check([]) ? 1 : 0
    for first in UInt8.min ... .max {
      if Self.check([first]) { validCount += 1 }
      for second in UInt8.min ... .max where Self.check([first, second]) { validCount += 1 }
    }
    // One byte: 10 digits. Two: 90 numbers, 10 of them negative, white space before or after a
    // digit (2 × 4 × 10), "", [] and {}.
    #expect(validCount == 10 + 90 + 10 + 80 + 3)
  }

  @Test func everyByteInsideAString() {
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        let isValid = Self.check([0x22, first, second, 0x22])
        let isPlain = { (byte: UInt8) in byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5c
        }
        let isEscape = first == 0x5c && #""\/bfnrt"#.utf8.contains(second)
        let isTwoByteScalar = (0xc2...0xdf).contains(first) && (0x80...0xbf).contains(second)
        #expect(isValid == ((isPlain(first) && isPlain(second)) || isEscape || isTwoByteScalar))
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func randomBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet =
      Array(#"{}[]",:\u0129deEtrufalsn.-+ "#.utf8) + [0x00, 0x0a, 0x80, 0xc3, 0xf0, 0xff]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &random)
      Self.check((0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 })
      Self.check((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
  }

  @Test(arguments: [4, 5] as [UInt64]) func mutatedDocuments(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let document = Array(
      #"""
      [{"path":"c1/2020-11-05.json","messages":[{"ts":"1604574471.000200","reactions":
      [{"name":"+1","users":["u2","\ud83d\udc4d"],"count":-2.5e+3}],"x":null,"y":[true,false,{}]}]}]
      """#.utf8)
    #expect(Self.check(document))
    var validCount = 0
    for _ in 0..<10_000 {
      var bytes = document
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[index], at: index)
        default: bytes.removeSubrange(index...)
        }
      }
      if Self.check(bytes) { validCount += 1 }
    }
    #expect(validCount > 0)
  }

  @Test(arguments: [6, 7] as [UInt64]) func randomValuesComeBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let value = Self.value(depth: 0, &random)
      var writer = JSONWriter()
      writer.value(value)
      #expect(try JSONParser.parse(writer.bytes) == value)
    }
  }

  private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth < 6 ? 9 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &random)))
    case 3: return .number(JSONNumber(UInt64.random(in: .min ... .max, using: &random)))
    case 4:
      let double = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
      return JSONNumber(double).map { .number($0) } ?? .null
    case 5, 6: return .string(text(&random))
    case 7:
      let count = Int.random(in: 0..<5, using: &random)
      return .array((0..<count).map { _ in value(depth: depth + 1, &random) })
    default:
      let count = Int.random(in: 0..<20, using: &random)
      return .object(
        JSONObject(
          (0..<count).map { .init(text(&random) + "\($0)", value(depth: depth + 1, &random)) }))
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      let ceiling: UInt32 = Bool.random(using: &random) ? 0x7f : 0x10ffff
      scalars.append(Unicode.Scalar(UInt32.random(in: 0...ceiling, using: &random)) ?? "\u{fffd}")
    }
    return String(scalars)
  }
}
