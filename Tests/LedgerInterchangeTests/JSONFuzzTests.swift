import LedgerInterchange
import LedgerTestSupport
import ReactionModel
import Testing

/// Whatever the bytes are, tape and parser give what a plain parser gives: the same value, or the same
/// error at the same byte.
@Suite struct JSONFuzzTests {
  static let lines = [
    #"{"op":"add","conversation":"group:g1","message":"m-1","user":"u1","reaction":"👍"}"#,
    #"{"op":"remove","conversation":"user:\u00e9\n","message":"m\"","user":"u\/1","reaction":"\uD83D\uDC4D","commandId":"0190a1b2-0000-7000-8000-0123456789ab"}"#,
    #" { "op" : "setPolicy" , "policy" : {"selection":"single","maxDistinct":20,"maxPerUser":null,"reactions":"allowed","allowed":["👍",":x:"]}}"#,
    #"{"sequence":2,"kind":"added","recordedAt":"2026-06-29T12:34:56.789012Z","conversation":"group:g","message":"m","user":"u","userNumber":1,"reaction":"❤️","cause":"user","previous":0,"operation":"add","introduces":[{"number":1,"commitment":"00","salt":"ff","id":"u","closing":true}],"seal":"0123456789abcdef"}"#,
    #"[[],{},[{"a":[{"b":{"c":-1.5e+10}}]}],true,false,null,"",0]"#,
    #"{"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"ka":1,"kb":2,"kc":3,"kd":4,"ke":5,"kf":6,"kg":7,"kh":8,"\u006ba2":9}"#,
    #"{"user":1,"\u0075ser":2,"u\u0073er":{"user":3}}"#,
  ].map { Array($0.utf8) }

  /// Compares; tells whether it is a document.
  @discardableResult
  static func check(_ bytes: [UInt8], _ tape: inout JSONTape) -> Bool {
    let expected = result { () throws(JSONError) in try ModelParser.parse(bytes.span) }
    #expect(result { () throws(JSONError) in try JSONParser.parse(bytes) } == expected)
    do throws(JSONError) {
      try tape.read(bytes.span)
      let value = JSONValue(tape.root)
      #expect(value == (try? expected.get()))
      return true
    } catch {
      #expect(.failure(error) == expected)
      let isNull = tape.root.isNull
      #expect(isNull)
      return false
    }
  }

  private static func result(
    _ body: () throws(JSONError) -> JSONValue
  ) -> Result<JSONValue, JSONError> {
    do throws(JSONError) {
      return .success(try body())
    } catch {
      return .failure(error)
    }
  }

  @Test func cutAtEachByte() {
    var tape = JSONTape()
    for line in Self.lines {
      for count in 0...line.count {
        let isDocument = Self.check(Array(line.prefix(count)), &tape)
        #expect(!isDocument || count == line.count)
      }
    }
  }

  @Test func eachByteChanged() {
    var tape = JSONTape()
    for line in Self.lines {
      for index in line.indices {
        for byte in Array("\"\\{}[]:,0-u\u{0}\u{1f}e".utf8) + [0x7f, 0x80, 0xc3, 0xed, 0xf4, 0xff] {
          var changed = line
          changed[index] = byte
          Self.check(changed, &tape)
        }
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func mutated(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var tape = JSONTape()
    var validCount = 0
    for _ in 0..<2_500 {
      if Self.check(Self.mutant(&random), &tape) { validCount += 1 }
    }
    #expect(validCount > 0)
  }

  /// A line with a few changes, or with a part of another one in it.
  static func mutant(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = lines.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(bytes[index], at: index)
      case 3: bytes.insert(contentsOf: #"\u00e9"#.utf8, at: index)
      case 4:
        let other = lines.randomElement(using: &random) ?? []
        let start = Int.random(in: other.indices, using: &random)
        bytes.insert(contentsOf: other[start...].prefix(20), at: index)
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  @Test func extremes() {
    var tape = JSONTape()
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    let documents = [
      repeated("[", 100_000), repeated("[", 128) + repeated("]", 128), repeated("9", 100_000),
      "-" + repeated("0", 9), "1e" + repeated("9", 1_000), "18446744073709551616", "-0",
      "\"" + repeated("a", 1_000_000) + "\"", "\"" + repeated(#"\u0061"#, 100_000) + "\"",
      "\"" + repeated("👍", 100_000), repeated(" ", 100_000), repeated("[],", 1_000),
      "{" + (0..<5_000).map { #""\#($0)":[]"# }.joined(separator: ",") + "}",
      "{" + repeated(#""a":1,"#, 40) + #""b":2}"#, #"{"":0,"":1}"#, #"{"\u0000":0,"\u0000":1}"#,
    ]
    for document in documents { Self.check(Array(document.utf8), &tape) }
    // Every second byte of a two-byte scalar is cut away.
    Self.check([0x22] + Array(repeating: 0xc3, count: 10_000) + [0x22], &tape)
  }

  @Test func numbersOfViews() throws {
    var tape = JSONTape()
    let table: [(String, UInt64?)] = [
      ("0", 0), ("-0", 0), ("7", 7), ("-1", nil), ("18446744073709551615", .max), ("1.0", nil),
      ("18446744073709551616", nil), ("1e2", nil), ("99999999999999999999999", nil), (#""1""#, nil),
    ]
    for (text, number) in table {
      try tape.read(Array(text.utf8).span)
      let (found, value) = (tape.root.uint64, JSONValue(tape.root))
      #expect(found == number && value.uint64 == number, "\(text)")
    }
  }
}
