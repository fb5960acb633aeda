import LedgerInterchange
import Testing

/// The parser against tables of documents, valid and not.
@Suite struct JSONParserTests {
  static let valid: [(document: String, compact: String)] = [
    ("null", "null"), ("true", "true"), ("false", "false"), (" \t\r\n1 \n", "1"),
    ("0", "0"), ("-0", "-0"), ("-1", "-1"), ("1.5", "1.5"), ("1E+2", "1E+2"), ("0e-0", "0e-0"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    (#""""#, #""""#), (#""a""#, #""a""#), (#""\u0061""#, #""a""#), (#""\/""#, #""/""#),
    (#""\b\f\n\r\t\"\\""#, #""\b\f\n\r\t\"\\""#), (#""\u0000\u001F""#, #""\u0000\u001f""#),
    ("\"\u{7f}\u{2028}\u{fffe}\"", "\"\u{7f}\u{2028}\u{fffe}\""),
    (#""\uD83D\uDC4D""#, "\"👍\""), (#""\ud83d\udc4d""#, "\"👍\""), (#""x👍\n👍y""#, #""x👍\n👍y""#),
    (#""\uDBFF\uDFFF""#, "\"\u{10ffff}\""), (#""\uFEFF""#, "\"\u{feff}\""),
    ("[]", "[]"), ("[ ]", "[]"), ("[1 ,\n2]", "[1,2]"), ("[[],{}]", "[[],{}]"),
    ("{}", "{}"), ("{ }", "{}"), (#"{"":0}"#, #"{"":0}"#),
    (#" { "b" : 1 , "a" : [ null ] } "#, #"{"b":1,"a":[null]}"#),
    // Canonically equivalent keys have different bytes: they are two.
    ("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"\u{e9}\":1,\"e\u{301}\":2}"),
  ]

  @Test(arguments: valid) func isRead(document: String, compact: String) throws {
    var writer = JSONWriter()
    writer.value(try JSONParser.parse(Array(document.utf8)))
    #expect(writer.bytes == Array(compact.utf8))
  }

  static let invalid: [(document: String, offset: Int, reason: JSONError.Reason)] = [
    ("", 0, .expectedValue), (" ", 1, .expectedValue), ("\0", 0, .expectedValue),
    ("nul", 0, .expectedValue), ("True", 0, .expectedValue), ("nulls", 4, .expectedEnd),
    ("1 2", 2, .expectedEnd), ("[]]", 2, .expectedEnd), ("1\0", 1, .expectedEnd),
    ("\u{feff}1", 0, .expectedValue), ("NaN", 0, .expectedValue), ("Infinity", 0, .expectedValue),
    ("01", 0, .leadingZero), ("-01", 1, .leadingZero), ("00", 0, .leadingZero),
    ("-", 1, .expectedDigit), ("+1", 0, .expectedValue), (".5", 0, .expectedValue),
    ("1.", 2, .expectedDigit), ("1.e2", 2, .expectedDigit), ("1e", 2, .expectedDigit),
    ("1e+", 3, .expectedDigit), ("0x1", 1, .expectedEnd), ("1,", 1, .expectedEnd),
    ("--1", 1, .expectedDigit), ("-a", 1, .expectedDigit), ("1e1.5", 3, .expectedEnd),
    ("\"", 0, .unterminatedString), ("\"a", 0, .unterminatedString),
    (#""\"#, 0, .unterminatedString), (#""\"#, 0, .unterminatedString),
    ("'a'", 0, .expectedValue), ("\"\n\"", 1, .controlCharacter), ("\"a\0\"", 2, .controlCharacter),
    (#""\x""#, 1, .invalidEscape), (#""\u12""#, 1, .invalidEscape), (#""\u"#, 1, .invalidEscape),
    (#""\U0041""#, 1, .invalidEscape), (#""\u00g0""#, 1, .invalidEscape),
    (#""\uD83D""#, 1, .loneSurrogate), (#""\uDC4D""#, 1, .loneSurrogate),
    (#""\uD83Dx""#, 1, .loneSurrogate), (#""\uD83D\n""#, 1, .loneSurrogate),
    (#""\uD83D\uD83D""#, 1, .loneSurrogate), (#""\uDC4D\uD83D""#, 1, .loneSurrogate),
    (#""ab\uD83D\u12""#, 9, .invalidEscape),
    ("[", 1, .expectedValue), ("[1", 2, .expectedCommaOrEndOfArray), ("[1,", 3, .expectedValue),
    ("[1,]", 3, .expectedValue), ("[,1]", 1, .expectedValue),
    ("[1 2]", 3, .expectedCommaOrEndOfArray),
    ("[1}", 2, .expectedCommaOrEndOfArray), ("]", 0, .expectedValue), ("[1,,2]", 3, .expectedValue),
    ("{", 1, .expectedKey), ("{a:1}", 1, .expectedKey), ("{1:1}", 1, .expectedKey),
    (#"{"a"}"#, 4, .expectedColon), (#"{"a" 1}"#, 5, .expectedColon),
    (#"{"a":}"#, 5, .expectedValue), (#"{"a":1"#, 6, .expectedCommaOrEndOfObject),
    (#"{"a":1,}"#, 7, .expectedKey), (#"{,"a":1}"#, 1, .expectedKey),
    (#"{"a":1]"#, 6, .expectedCommaOrEndOfObject),
    (#"{"a":1 "b":2}"#, 7, .expectedCommaOrEndOfObject),
    (#"{"a":1,"a":2}"#, 7, .duplicateKey("a")), (#"{"\u0061":1,"a":2}"#, 12, .duplicateKey("a")),
    (#"[{"x":{"b":0},"b":1,"x":2}]"#, 20, .duplicateKey("x")),
    ("// c\n1", 0, .expectedValue), ("/**/1", 0, .expectedValue), ("1 // c", 2, .expectedEnd),
    ("\u{a0}1", 0, .expectedValue),
  ]

  @Test(arguments: invalid) func isRefused(
    document: String, offset: Int, reason: JSONError.Reason
  ) {
    #expect(throws: JSONError(reason, at: offset)) {
      try JSONParser.parse(Array(document.utf8))
    }
  }

  static let invalidUTF8: [(bytes: [UInt8], offset: Int)] = [
    ([0xff], 0), ([0x80], 0), ([0xc0, 0xaf], 0), ([0xc3], 0), ([0x61, 0xe2, 0x82], 1),
    ([0xed, 0xa0, 0x80], 0), ([0xf4, 0x90, 0x80, 0x80], 0), ([0xf0, 0x80, 0x80, 0x80], 0),
    ([0xfe], 0), ([0x61, 0x62, 0xe9], 2), ([0x5c, 0x6e, 0xe9], 2),
  ]

  @Test(arguments: invalidUTF8) func mustBeUTF8(bytes: [UInt8], offset: Int) {
    #expect(throws: JSONError(.invalidUTF8, at: offset + 1)) {
      try JSONParser.parse([0x22] + bytes + [0x22])
    }
  }

  @Test func depthIsBounded() throws {
    for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
      func document(_ depth: Int) -> [UInt8] {
        let middle = opening == "[" ? "" : "0"
        return Array(
          (String(repeating: opening, count: depth) + middle
            + String(repeating: closing, count: depth)).utf8)
      }
      _ = try JSONParser.parse(document(128))
      #expect(throws: JSONError(.tooDeep, at: 128 * opening.utf8.count)) {
        try JSONParser.parse(document(129))
      }
      #expect(throws: JSONError(.tooDeep, at: 128 * opening.utf8.count)) {
        try JSONParser.parse(Array(String(repeating: opening, count: 100_000).utf8))
      }
    }
    // Beside each other, not in each other.
    _ = try JSONParser.parse(Array(("[" + String(repeating: "[],", count: 1_000) + "[]]").utf8))
  }

  @Test func duplicatesAreFoundAmongManyKeys() throws {
    let keys = (0..<1_000).map { #""k\#($0)":0"# }
    let object = try JSONParser.parse(Array("{\(keys.joined(separator: ","))}".utf8))
    #expect(object.object?.members.count == 1_000)
    #expect(object["k999"] == .number(JSONNumber(0)))
    let document = "{" + (keys + [#""k7":1"#, #""k3":1"#]).joined(separator: ",") + "}"
    let offset = document.utf8.count - 14
    #expect(throws: JSONError(.duplicateKey("k7"), at: offset)) {
      try JSONParser.parse(Array(document.utf8))
    }
  }

  @Test func numbersKeepTheirDigits() throws {
    func number(_ text: String) throws -> JSONNumber {
      try #require(try JSONParser.parse(Array(text.utf8)).number)
    }
    #expect(try number("9223372036854775807").int64 == .max)
    #expect(try number("-9223372036854775808").int64 == .min)
    #expect(try number("9223372036854775808").int64 == nil)
    #expect(try number("18446744073709551615").uint64 == .max)
    #expect(try number("-1").uint64 == nil)
    #expect(try number("-0").uint64 == 0)
    #expect(try number("1.0").int64 == nil)
    #expect(try number("1e2").int64 == nil)
    #expect(try number("1e2").double == 100)
    #expect(try number("1e999").double == nil)
    #expect(try number("1.10").text == "1.10")
    #expect(JSONNumber(1e-300)?.text == "1e-300")
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber("01") == nil && JSONNumber("1 ") == nil && JSONNumber("1")?.int64 == 1)
  }

  @Test func lookUpGoesByBytes() throws {
    let value = try JSONParser.parse(Array("{\"\u{e9}\":1}".utf8))
    #expect(value["\u{e9}"] != nil)
    #expect(value["e\u{301}"] == nil)
    #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    #expect(JSONValue.array([])["a"] == nil)
  }
}
