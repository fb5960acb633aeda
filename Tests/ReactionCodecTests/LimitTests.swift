import ReactionCodec
import ReactionModel
import Testing

@Suite("Limits: the last value that is allowed, and the first that is not (F3, F8, F10, F11, F13)")
struct LimitTests {
  /// A record with these ids and this reaction, written byte by byte.
  private func record(
    conversation: Int, message: Int, reaction: Int, parent: Int? = nil
  ) -> [UInt8] {
    var result = bytes("00 01 00")
    result.append(parent == nil ? 0 : 4)
    result += bytes("0000010203040506 00000001 000000000000 01")
    result.append(UInt8(truncatingIfNeeded: conversation))
    result.append(UInt8(truncatingIfNeeded: message))
    result.append(u16: UInt16(reaction))
    result += [UInt8](repeating: 0x61, count: conversation + message + reaction)
    if let parent {
      result.append(UInt8(truncatingIfNeeded: parent))
      result += [UInt8](repeating: 0x61, count: parent)
    }
    return result + bytes("0000000000000000")
  }

  @Test(
    "Ids of 255 bytes and 480 together; a reaction of 512 bytes",
    arguments: [
      (1, 255, 1, 255, nil), (255, 225, 1, nil, nil), (225, 255, 512, 1, nil),
      (255, 226, 1, nil, CodecError.badValue("message key")),
      (226, 255, 1, nil, .badValue("message key")),
      (1, 1, 513, nil, .badValue("reaction")), (1, 1, 0xFFFF, nil, .badValue("reaction")),
    ] as [(Int, Int, Int, Int?, CodecError?)])
  func lengths(conversation: Int, message: Int, reaction: Int, parent: Int?, error: CodecError?) {
    let input = record(
      conversation: conversation, message: message, reaction: reaction, parent: parent)
    let decoded = decodeRecord(input)
    #expect(decoded.error == error)
    if case .success(let record) = decoded { #expect(encoded(record) == input) }
  }

  @Test("Lengths are one byte, so an id of 256 bytes cannot be written; the model refuses it")
  func idsOf256Bytes() {
    #expect(throws: IdentifierError.tooLong(byteCount: 256)) {
      try MessageID(text(byteCount: 256))
    }
    #expect(throws: IdentifierError.keyTooLong(byteCount: 481)) {
      try MessageKey(
        .group(ConversationID(text(byteCount: 255))), MessageID(text(byteCount: 226)))
    }
    // 256 is written as 0.
    #expect(
      decodeRecord(record(conversation: 1, message: 256, reaction: 1)).error != nil)
  }

  @Test("Sequences end at 2^48 - 1 (F3)")
  func sequences() throws {
    let last: UInt64 = (1 << 48) - 1
    let key = try MessageKey(.group("g"), "m")
    let record = Record(
      recordedAt: Timestamp(microseconds: 0), cause: .user, place: Record.Place(.remove), user: 1,
      content: .change(
        Record.Change(
          .removed(ends: last), message: key, reaction: try Reaction("👍"), previous: last)))
    #expect(decodeRecord(encoded(record)) == .success(record))
    let bytes = [UInt8](Keys.sequence(last).span)
    #expect(hexadecimal(bytes) == "ffffffffffff")
    #expect(try Keys.sequence(bytes.span) == last)
  }

  @Test("A sequence of 2^48 traps instead of being cut off (F3)")
  func sequenceTooLarge() async {
    await #expect(processExitsWith: .failure) { _ = Keys.sequence(1 << 48) }
    await #expect(processExitsWith: .failure) {
      var bytes: [UInt8] = []
      bytes.append(u48: 1 << 48)
    }
  }

  @Test("User numbers end at 2^32 - 1 (F3)")
  func userNumbers() throws {
    let bytes = [UInt8](Keys.user(.max).span)
    #expect(hexadecimal(bytes) == "ffffffff")
    #expect(try Keys.user(bytes.span) == .max)
  }

  @Test(
    "Times are of the years 0000 to 9999 (F3)",
    arguments: [
      (Timestamp.range.lowerBound, true), (Timestamp.range.lowerBound - 1, false),
      (Timestamp.range.upperBound, true), (Timestamp.range.upperBound + 1, false),
      (-1, true), (Int64.min, false), (Int64.max, false),
    ])
  func times(microseconds: Int64, isAllowed: Bool) {
    for isClientTime in [false, true] {
      var input = bytes("00 05 44")
      input.append(isClientTime ? 1 : 0)
      input.append(u64: isClientTime ? 0 : UInt64(bitPattern: microseconds))
      input += bytes("00000001")
      if isClientTime { input.append(u64: UInt64(bitPattern: microseconds)) }
      input += bytes("0000000000000000")
      let expected: CodecError? =
        isAllowed ? nil : .badValue(isClientTime ? "client time" : "recorded time")
      #expect(decodeRecord(input).error == expected)
    }
  }

  @Test("A command has at most 8,192 records (F13)", arguments: [8_192, 8_193])
  func recordsOfACommand(count: Int) {
    var input = bytes("00 01 00 40 0000010203040506 00000001 0000")
    input.append(u16: UInt16(count))
    input += bytes("000000000000 01 02 02 0004 6731 6d31 f09f918d 0000000000000000")
    #expect(decodeRecord(input).error == (count == 8_192 ? nil : .badValue("index and count")))
    #expect(Record.Place.countCeiling == 8_192)
  }

  @Test("An allow-list has at most 1,000 reactions and 49,152 bytes (F11)")
  func allowList() throws {
    let names = (0..<1000).map { String($0 + 1000) }
    var policy: [UInt8] = bytes("00 14 00 02 03e8")
    for name in names { policy += [0, 4] + Array(name.utf8) }
    #expect(
      try PolicyFormat.decode(policy.span).validity == .allowed(names.map { try Reaction($0) }))
    // 96 reactions of 510 bytes and two for each length are 49,152; one byte more is too much.
    for excess in [0, 1] {
      var input = bytes("00 14 00 02 0060")
      for index in 0..<96 {
        let count = 510 + (index == 95 ? excess : 0)
        input.append(u16: UInt16(count))
        input += [UInt8(index + 0x20)] + [UInt8](repeating: 0x61, count: count - 1)
      }
      if excess == 0 {
        #expect(try PolicyFormat.decode(input.span).maximumDistinctPerMessage == 20)
      } else {
        #expect(throws: CodecError.badValue("policy")) { try PolicyFormat.decode(input.span) }
      }
    }
  }

  @Test("The longest record that can be: it fits 65,535 bytes by far (F10)")
  func longestRecord() throws {
    let reactions = try (0..<96).map { index in
      try Reaction(stored: String(Unicode.Scalar(UInt8(index + 0x20))) + text(byteCount: 509))
    }
    let policy = try Policy(validity: .allowed(reactions))
    let commitment = Commitment((1, 2, 3, 4))
    let record = Record(
      recordedAt: Timestamp(microseconds: 0), cause: .user, place: Record.Place(.create),
      clientTime: Timestamp(microseconds: 0), user: 0, actor: 1,
      commandID: CommandID(high: 1, low: 1), actorCommitment: commitment,
      content: .created(ledger: LedgerID(high: 1, low: 1), policy: policy))
    let bytes = encoded(record)
    #expect(bytes.count == 16 + 8 + 4 + 16 + 6 + 49_152 + 16 + 32 + 8)
    #expect(bytes.count <= RecordFormat.maximumByteCount)
    #expect(decodeRecord(bytes) == .success(record))
  }
}
