import ReactionCodec
import ReactionModel
import Testing

/// Bytes that are wrong in exactly one way, and what is said of them.
struct Wrong: Sendable, CustomTestStringConvertible {
  let rule: String
  let bytes: String
  let error: CodecError
  var testDescription: String { "\(rule): \(error)" }

  init(_ rule: String, _ bytes: String, _ error: CodecError) {
    self.rule = rule
    self.bytes = bytes
    self.error = error
  }
}

/// Why there is no value in these bytes.
private func failure<R>(_ body: () throws(CodecError) -> R) -> CodecError? {
  do throws(CodecError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

@Suite("Every error of the codec, each by bytes that break one rule alone")
struct CodecErrorTests {
  // A record in parts: head, time, user; previous; message and reaction; seal.
  private static let head = "00 01 00 00"
  private static let time = "0000010203040506"
  private static let key = "01 02 02 0004 6731 6d31"
  private static let change = "000000000000 \(key) f09f918d"
  private static let seal = "0000000000000000"
  private static let sixteen = seal + seal
  private static let thirtyTwo = sixteen + sixteen

  private static func added(flags: String = "00", _ options: String = "", _ end: String = "")
    -> String
  {
    "00 01 00 \(flags) \(time) 00000001 \(options) \(change) \(end) \(seal)"
  }

  private static func removed(_ end: String) -> String {
    "00 02 01 00 \(time) 00000001 000000000000 \(end) \(seal)"
  }

  private static func notice(_ head: String, _ rest: String) -> String {
    "00 \(head) \(time) \(rest) \(seal)"
  }

  static let records: [Wrong] = [
    Wrong("F5", "", .endsInside("seal")),
    Wrong("F5", seal, .endsInside("seal")),
    Wrong("F5", "01" + seal, .unknownVersion(1)),
    Wrong("F5", "ff" + seal, .unknownVersion(255)),
    Wrong("F5", "00" + seal, .endsInside("kind")),
    Wrong("F5", "00 01" + seal, .endsInside("cause and operation")),
    Wrong("F5", "00 01 00" + seal, .endsInside("flags")),
    Wrong("F5", head + "00000102030405" + seal, .endsInside("recorded time")),
    Wrong("F5", head + time + "000001" + seal, .endsInside("user")),
    Wrong("F6", "00 01 70 00 \(time) 00000001 \(change) \(seal)", .badValue("cause")),
    Wrong("F6", "00 01 07 00 \(time) 00000001 \(change) \(seal)", .badValue("operation")),
    Wrong("F6", "00 00 00 00 \(time) 00000001 \(change) \(seal)", .badValue("kind")),
    Wrong("F6", "00 06 00 00 \(time) 00000001 \(change) \(seal)", .badValue("kind")),
    Wrong(
      "F6", "00 01 01 00 \(time) 00000001 \(change) \(seal)", .badValue("kind for this operation")),
    Wrong("F7", added(flags: "80"), .endsInside("tag")),
    Wrong("F7", added(flags: "80", "", "2a"), .newerField(tag: 42)),
    Wrong("F7", added(flags: "00", "", "2a2a"), .trailingBytes(count: 2)),
    Wrong("F7", "00 01 00 01 \(time) 00000001 00000000000000 \(seal)", .endsInside("client time")),
    Wrong("F7", "00 01 00 02 \(time) 00000001 000000 \(seal)", .endsInside("actor")),
    Wrong("F7", "00 01 00 40 \(time) 00000001 00 \(seal)", .endsInside("index")),
    Wrong("F7", "00 01 00 40 \(time) 00000001 0000 00 \(seal)", .endsInside("count")),
    Wrong("F7", added(flags: "04"), .endsInside("parent length")),
    Wrong("F7", added(flags: "04", "", "02 70"), .endsInside("parent")),
    Wrong("F7", added(flags: "04", "", "00"), .badValue("parent")),
    Wrong("F7", added(flags: "04", "", "01 ff"), .badValue("parent")),
    Wrong("F7", added(flags: "08", "", "00"), .endsInside("command id")),
    Wrong("F7", added(flags: "10", "", sixteen), .endsInside("commitment")),
    Wrong(
      "F7", added(flags: "32", "00000009", thirtyTwo + sixteen), .endsInside("commitment")),
    Wrong("F3", added().replacing(time, with: "7fffffffffffffff"), .badValue("recorded time")),
    Wrong("F3", added(flags: "01", "8000000000000000"), .badValue("client time")),
    Wrong("F8", "00 01 00 00 \(time) 00000001 0000000000 \(seal)", .endsInside("previous")),
    Wrong("F8", removed("0000000000"), .endsInside("ends")),
    Wrong("F8", removed("000000000000 \(key) f09f918d"), .badValue("ends")),
    Wrong("F8", removed("000000000001"), .endsInside("conversation kind")),
    Wrong("F8", removed("000000000001 01"), .endsInside("conversation length")),
    Wrong("F8", removed("000000000001 01 02"), .endsInside("message length")),
    Wrong("F8", removed("000000000001 01 02 02 00"), .endsInside("reaction length")),
    Wrong("F8", removed("000000000001 01 02 02 0004 67"), .endsInside("conversation")),
    Wrong("F8", removed("000000000001 01 02 02 0004 6731 6d"), .endsInside("message")),
    Wrong("F8", removed("000000000001 01 02 02 0004 6731 6d31 f09f91"), .endsInside("reaction")),
    Wrong(
      "F8", removed("000000000001 02 02 02 0004 6731 6d31 f09f918d"),
      .badValue("conversation kind")),
    Wrong(
      "F8", removed("000000000001 03 02 02 0004 6731 6d31 f09f918d"),
      .badValue("conversation kind")),
    Wrong("F8", removed("000000000001 01 00 02 0004 6d31 f09f918d"), .badValue("conversation")),
    Wrong(
      "F8", removed("000000000001 01 02 02 0004 c328 6d31 f09f918d"), .badValue("conversation")),
    Wrong("F8", removed("000000000001 01 02 00 0004 6731 f09f918d"), .badValue("message")),
    Wrong("F8", removed("000000000001 01 02 02 0004 6731 eda0 f09f918d"), .badValue("message")),
    Wrong("F8", removed("000000000001 01 02 02 0000 6731 6d31"), .badValue("reaction")),
    Wrong("F8", removed("000000000001 01 02 02 0004 6731 6d31 f09f91ff"), .badValue("reaction")),
    Wrong("F10", added().replacing("00000001 ", with: "00000000 "), .badValue("user")),
    Wrong("F10", notice("03 06 00", "00000001 \(sixteen) 00140001"), .badValue("user")),
    Wrong("F10", notice("04 05 00", "00000001 00140001"), .badValue("user")),
    Wrong("F10", notice("05 04 00", "00000000"), .badValue("user")),
    Wrong("F10", added(flags: "02", "00000000"), .badValue("actor")),
    Wrong("F10", added(flags: "02", "00000001"), .badValue("actor")),
    Wrong(
      "F10", notice("04 05 10", "00000000 00140001 \(thirtyTwo)"), .badValue("user commitment")),
    Wrong("F10", added(flags: "20", "", thirtyTwo), .badValue("actor commitment")),
    Wrong("F10", added(flags: "48", "0001 0002", sixteen), .badValue("command id")),
    Wrong("F10", notice("05 04 40", "00000001 0000 0002"), .badValue("count of a notice")),
    Wrong("F10", notice("05 04 04", "00000001 01 70"), .badValue("parent of a notice")),
    Wrong("F13", added(flags: "40", "0000 0000"), .badValue("index and count")),
    Wrong("F13", added(flags: "40", "0000 0001"), .badValue("index and count")),
    Wrong("F13", added(flags: "40", "0002 0002"), .badValue("index and count")),
    Wrong("F13", added(flags: "40", "0000 2001"), .badValue("index and count")),
    Wrong("F9", notice("03 06 00", "00000000 \(seal)"), .endsInside("ledger id")),
    Wrong("F9", notice("03 06 00", "00000000 \(sixteen)"), .endsInside("selection")),
    Wrong("F9", notice("05 04 00", "00000001 00"), .trailingBytes(count: 1)),
  ]

  @Test("Records (F5–F10, F13)", arguments: records)
  func record(wrong: Wrong) { #expect(decodeRecord(bytes(wrong.bytes)).error == wrong.error) }

  static let policies: [Wrong] = [
    Wrong("F11", "", .endsInside("selection")),
    Wrong("F11", "02 14 00 01", .badValue("selection")),
    Wrong("F11", "00", .endsInside("most distinct")),
    Wrong("F11", "00 14", .endsInside("most per user")),
    Wrong("F11", "00 14 00", .endsInside("validity")),
    Wrong("F11", "00 14 00 04", .badValue("validity")),
    Wrong("F11", "00 00 00 01", .badValue("policy")),
    Wrong("F11", "00 65 00 01", .badValue("policy")),
    Wrong("F11", "00 14 65 01", .badValue("policy")),
    Wrong("F11", "00 14 00 01 00", .trailingBytes(count: 1)),
    Wrong("F11", "00 14 00 02 00", .endsInside("count of the allow-list")),
    Wrong("F11", "00 14 00 02 03e9", .badValue("count of the allow-list")),
    Wrong("F11", "00 14 00 02 0001 00", .endsInside("length of a reaction")),
    Wrong("F11", "00 14 00 02 0001 0002 61", .endsInside("reaction")),
    Wrong("F11", "00 14 00 02 0001 0000", .badValue("reaction")),
    Wrong("F11", "00 14 00 02 0002 0001 62 0001 61", .badValue("order of the allow-list")),
    Wrong("F11", "00 14 00 02 0002 0001 61 0001 61", .badValue("order of the allow-list")),
  ]

  @Test("Policies (F11)", arguments: policies)
  func policy(wrong: Wrong) {
    let input = bytes(wrong.bytes)
    #expect(
      failure { () throws(CodecError) in try PolicyFormat.decode(input.span) } == wrong.error)
  }

  private static let header = "00000001 000000000009"
  private static let entry = "00000001 000000000002"

  static let rows: [Wrong] = [
    Wrong("F18", "", .endsInside("row")),
    Wrong("F18", "00000001 0000000000", .endsInside("row")),
    Wrong("F18", "00000000 000000000009", .badValue("row header")),
    Wrong("F18", "00000001 000000000000", .badValue("row header")),
    Wrong("F18", header + "0401 61 000000000002 000000", .endsInside("block")),
    Wrong("F18", header + "0404 61 000000000002 00000001", .endsInside("block")),
    Wrong("F18", header + "0401 61 000000000002 00000001 00", .endsInside("entries")),
    Wrong("F18", header + "0400 000000000002 00000001 \(entry)", .badValue("number of entries")),
    Wrong("F19", header + "0001 61 000000000002 00000000", .badValue("number of entries")),
    Wrong("F19", header + "0401 61 000000000002 00000002 \(entry)", .badValue("number of entries")),
    Wrong("F19", header + "8401 61 000000000002 00000002 \(entry)", .badValue("number of entries")),
    Wrong("F18", header + "0401 ff 000000000002 00000001 \(entry)", .badValue("reaction")),
    Wrong(
      "F18", header + "0401 61 000000000002 00000001 00000000 000000000002", .badValue("entry")),
    Wrong(
      "F18", header + "0401 61 000000000002 00000001 00000001 000000000000", .badValue("entry")),
    Wrong(
      "F18", header + "0401 61 000000000002 00000001 00000001 00000000000a", .badValue("entry")),
    Wrong(
      "F18", header + "0801 61 000000000002 00000002 \(entry) 00000002 000000000002",
      .badValue("entry")),
    Wrong(
      "F18", header + "0401 61 000000000000 00000001 \(entry)", .badValue("opening sequence")),
    Wrong(
      "F18", header + "0401 61 000000000003 00000001 \(entry)", .badValue("opening sequence")),
    Wrong(
      "F18",
      header + "0401 61 000000000002 00000001 \(entry) 0401 62 000000000002 00000001 \(entry)",
      .badValue("opening sequence")),
    Wrong(
      "F18",
      "00000065 000000000066"
        + (1...101).map {
          "0401 61 0000000000\(hexadecimal([UInt8($0)])) 00000001 00000001 000000000066"
        }
        .joined(), .badValue("number of blocks")),
  ]

  @Test("Rows of messages (F18, F19)", arguments: rows)
  func row(wrong: Wrong) {
    let input = bytes(wrong.bytes)
    #expect(
      failure { () throws(CodecError) in try MessageRow(decoding: input.span) } == wrong.error)
  }

  @Test("Inline blocks end at 16 entries (F19)", arguments: [16, 17])
  func inlineCapacity(count: Int) {
    let entries = (1...count).map { Reactor(user: UInt32($0), sequence: UInt64($0)) }
    let head = RowFormat.headerByteCount
    var input = bytes("00000011 000000000020")
    input.append(u16: UInt16(count << 10 | 1))
    input += bytes("61 000000000001")
    input.append(u32: UInt32(count))
    for entry in entries {
      input.append(u32: entry.user)
      input.append(u48: entry.sequence)
    }
    #expect(input.count == head + 13 + count * RowFormat.entryByteCount)
    let error = failure { () throws(CodecError) in try MessageRow(decoding: input.span) }
    #expect(error == (count == 16 ? nil : .badValue("number of entries")))
  }

  static let users: [Wrong] = [
    Wrong("F15", "", .endsInside("user state")),
    Wrong("F15", "03", .badValue("user state")),
    Wrong("F15", "02 00", .trailingBytes(count: 1)),
    Wrong("F15", "00" + seal + "00000000000000", .endsInside("salt")),
    Wrong("F15", "00" + sixteen, .badValue("user id")),
    Wrong("F15", "01" + sixteen + "ff", .badValue("user id")),
    Wrong("F15", "00" + sixteen + String(repeating: "61", count: 256), .badValue("user id")),
  ]

  @Test("Rows of users (F15)", arguments: users)
  func user(wrong: Wrong) {
    let input = bytes(wrong.bytes)
    #expect(failure { () throws(CodecError) in try UserRow(decoding: input.span) } == wrong.error)
  }

  static let states: [Wrong] = [
    Wrong("F25", "", .endsInside("slot")),
    Wrong("F25", "02" + sixteen, .badValue("slot")),
    Wrong("F25", "00", .endsInside("whether byUser is kept")),
    Wrong("F25", "00 02" + sixteen, .badValue("whether byUser is kept")),
    Wrong("F25", "00 00 00000000000000", .endsInside("erase epoch")),
    Wrong("F25", "00 00 \(seal) 00", .endsInside("number of notices")),
    Wrong("F25", "00 01 \(sixteen) 000000", .endsInside("number of users being erased")),
    Wrong("F25", "00 00 \(sixteen) 00000000 00", .endsInside("rebuild token")),
    Wrong("F25", "00 00 \(sixteen) 00000000 \(seal)", .endsInside("rebuild token")),
    Wrong("F25", "00 00 \(sixteen) 00000000 \(sixteen) 00", .trailingBytes(count: 1)),
  ]

  @Test("States (F25)", arguments: states)
  func state(wrong: Wrong) {
    let input = bytes(wrong.bytes)
    #expect(
      failure { () throws(CodecError) in try MetaFormat.State(decoding: input.span) }
        == wrong.error)
  }

  @Test("Format version and ledger id (F25)")
  func otherMeta() {
    let (short, long, id) = ([UInt8(0)], [UInt8](repeating: 0, count: 3), bytes(Self.sixteen))
    let (shorter, longer) = (Array(id.dropLast()), id + [0])
    #expect(
      failure { () throws(CodecError) in try MetaFormat.decodeFormat(short.span) }
        == .endsInside("format version"))
    #expect(
      failure { () throws(CodecError) in try MetaFormat.decodeFormat(long.span) }
        == .trailingBytes(count: 1))
    #expect(
      failure { () throws(CodecError) in try MetaFormat.decodeLedger(shorter.span) }
        == .endsInside("ledger id"))
    #expect(
      failure { () throws(CodecError) in try MetaFormat.decodeLedger(longer.span) }
        == .trailingBytes(count: 1))
  }

  static let messageKeys: [Wrong] = [
    Wrong("F17", "", .endsInside("conversation kind")),
    Wrong("F17", "02 01 61 62", .badValue("conversation kind")),
    Wrong("F17", "ff 01 61 62", .badValue("conversation kind")),
    Wrong("F17", "00", .endsInside("conversation length")),
    Wrong("F17", "00 02 61", .endsInside("conversation")),
    Wrong("F17", "00 00 61", .badValue("conversation")),
    Wrong("F17", "00 01 ff 61", .badValue("conversation")),
    Wrong("F17", "00 01 61", .badValue("message")),
    Wrong("F17", "00 01 61 ff", .badValue("message")),
    Wrong("F17", "00 01 61" + String(repeating: "62", count: 256), .badValue("message")),
    Wrong(
      "F17", "00 e2" + String(repeating: "61", count: 226 + 255), .badValue("message key")),
  ]

  @Test("Keys of messages (F17)", arguments: messageKeys)
  func messageKey(wrong: Wrong) {
    let input = bytes(wrong.bytes)
    #expect(failure { () throws(CodecError) in try Keys.message(input.span) } == wrong.error)
  }

  @Test(
    "Keys and values of fixed length (F3, F4, F20–F22): one byte less, one more",
    arguments: [-1, 1])
  func fixedLengths(difference: Int) {
    func input(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count + difference) }
    let (event, reactor, member) = (input(8), input(12), input(10))
    let (command, user, sequence) = (input(16), input(4), input(6))
    #expect(
      failure { () throws(CodecError) in try Keys.sequence(ofEvent: event.span) }
        == .badValue("length of a key of events"))
    #expect(
      failure { () throws(CodecError) in try Keys.reactor(reactor.span) }
        == .badValue("length of a key of reactors"))
    #expect(
      failure { () throws(CodecError) in try Keys.member(member.span) }
        == .badValue("length of a key of members"))
    #expect(
      failure { () throws(CodecError) in try Keys.command(command.span) }
        == .badValue("length of a key of commands"))
    #expect(
      failure { () throws(CodecError) in try Keys.user(user.span) }
        == .badValue("length of a user number"))
    #expect(
      failure { () throws(CodecError) in try Keys.sequence(sequence.span) }
        == .badValue("length of a sequence"))
  }

  @Test("Every error says in words what is wrong")
  func descriptions() {
    #expect(CodecError.endsInside("user").description == "the bytes end inside user")
    #expect(
      CodecError.badValue("user").description == "user has a value that the format does not allow")
    #expect(
      CodecError.trailingBytes(count: 2).description == "2 bytes follow after the last field")
    #expect(CodecError.unknownVersion(9).description == "format version 9 is not known")
    #expect(CodecError.newerField(tag: 3).description == "field 3 belongs to a newer format")
  }
}
