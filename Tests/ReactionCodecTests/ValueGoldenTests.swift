import ReactionCodec
import ReactionModel
import Testing

@Suite("Golden bytes of policies, rows, keys and meta (F11, F14–F25)")
struct ValueGoldenTests {
  @Test("Policies (F11)")
  func policies() throws {
    let goldens: [(Policy, String)] = [
      (.standard, "00 14 00 01"),
      (
        try Policy(
          selection: .single, maximumDistinctPerMessage: 1, maximumPerUserAndMessage: 100,
          validity: .emoji), "01 01 64 00"
      ),
      (try Policy(maximumDistinctPerMessage: 100, validity: .anyText), "00 64 00 03"),
      (try Policy(validity: .allowed([])), "00 14 00 02 0000"),
      (
        // In order of bytes and once each, whatever order they were given in.
        try Policy(
          validity: .allowed([Reaction("👍"), Reaction("❤"), Reaction(":a:"), Reaction("👍")])),
        "00 14 00 02 0003 0003 3a613a 0006 e29da4efb88f 0004 f09f918d"
      ),
    ]
    for (policy, text) in goldens {
      var encoded: [UInt8] = []
      PolicyFormat.encode(policy, into: &encoded)
      #expect(hexadecimal(encoded) == hexadecimal(bytes(text)))
      #expect(try PolicyFormat.decode(encoded.span) == policy)
    }
  }

  @Test("Rows of messages (F18, F19)")
  func rows() throws {
    let thumb = MessageRow.Block(
      reaction: try Reaction("👍"), opened: 2, count: 2, isSpilled: false,
      entries: [Reactor(user: 1, sequence: 2), Reactor(user: 258, sequence: 0x0a0b)])
    let party = MessageRow.Block(
      reaction: try Reaction(":party:"), opened: 5, count: 1_000_000, isSpilled: true,
      entries: [
        Reactor(user: 1, sequence: 5), Reactor(user: 2, sequence: 6), Reactor(user: 3, sequence: 8),
      ])
    let blocks = (
      "0804 f09f918d 000000000002 00000002 00000001 000000000002 00000102 000000000a0b",
      "8c07 3a70617274793a 000000000005 000f4240"
        + "00000001 000000000005 00000002 000000000006 00000003 000000000008"
    )
    let goldens: [(MessageRow, String)] = [
      (MessageRow(eventCount: 2, lastSequence: 3, blocks: []), "00000002 000000000003"),
      (
        MessageRow(eventCount: 2, lastSequence: 0x0a0b, blocks: [thumb]),
        "00000002 000000000a0b" + blocks.0
      ),
      (
        MessageRow(eventCount: 1_000_005, lastSequence: 1 << 40, blocks: [thumb, party]),
        "000f4245 010000000000" + blocks.0 + blocks.1
      ),
    ]
    for (row, text) in goldens {
      #expect(hexadecimal(row.encode()) == hexadecimal(bytes(text)))
      let encoded = row.encode()
      #expect(try MessageRow(decoding: encoded.span) == row)
    }
  }

  @Test("Rows of users (F15), and what a commitment is the hash of (F14)")
  func users() throws {
    let salt = SixteenBytes(high: 0x0001_0203_0405_0607, low: 0x0809_0a0b_0c0d_0e0f)
    let goldens: [(UserRow, String)] = [
      (.live(salt: salt, id: "ada"), "00 000102030405060708090a0b0c0d0e0f 616461"),
      (.closing(salt: salt, id: "ada"), "01 000102030405060708090a0b0c0d0e0f 616461"),
      (.erased, "02"),
    ]
    for (row, text) in goldens {
      var encoded: [UInt8] = []
      row.encode(into: &encoded)
      #expect(hexadecimal(encoded) == hexadecimal(bytes(text)))
      #expect(try UserRow(decoding: encoded.span) == row)
    }
    #expect(
      UserRow.opening(salt: salt, id: Array("ada".utf8).span)
        == bytes("000102030405060708090a0b0c0d0e0f 616461"))
    #expect(UserRow.live(salt: salt, id: "ada").id == "ada")
    #expect(UserRow.closing(salt: salt, id: "ada").id == "ada")
    #expect(UserRow.erased.id == nil)
  }

  @Test("Keys (F3, F4, F17, F20–F22)")
  func keys() throws {
    var message: [UInt8] = [9, 9, 9]
    Keys.message(try MessageKey(.group("g1"), "m42"), into: &message)
    #expect(message == bytes("01 02 6731 6d3432"), "whatever was in the buffer before")
    Keys.message(try MessageKey(.user("é"), "m"), into: &message)
    #expect(message == bytes("00 02 c3a9 6d"))
    #expect([UInt8](Keys.event(0x0102_0304).span) == bytes("0000000001020304"))
    #expect(
      [UInt8](Keys.reactor(opened: 0x0102, sequence: 0x0304).span)
        == bytes("000000000102 000000000304"))
    #expect(
      [UInt8](Keys.member(opened: 0x0102, user: 0x0304).span) == bytes("000000000102 00000304"))
    #expect(
      [UInt8](Keys.byUser(user: 0x0102, sequence: 0x0304).span) == bytes("00000102 000000000304"))
    #expect(
      [UInt8](Keys.command(CommandID(high: 0x0102, low: 0x0304)).span)
        == bytes("0000000000000102 0000000000000304"))
    #expect([UInt8](Keys.user(0x0102).span) == bytes("00000102"))
    #expect([UInt8](Keys.sequence(0x0102).span) == bytes("000000000102"))
  }

  @Test("Meta (F25)")
  func meta() throws {
    let token = SixteenBytes(high: 0x0a, low: 0x0b)
    let goldens: [(MetaFormat.State, String)] = [
      (MetaFormat.State(noticeCount: 1), "00 00 0000000000000000 0000000000000001 00000000"),
      (
        MetaFormat.State(
          slot: 1, indexesByUser: true, eraseEpoch: 2, noticeCount: 3, closingCount: 4,
          rebuild: token),
        "01 01 0000000000000002 0000000000000003 00000004 000000000000000a 000000000000000b"
      ),
    ]
    for (state, text) in goldens {
      let encoded = state.encode()
      #expect(hexadecimal(encoded) == hexadecimal(bytes(text)))
      #expect(try MetaFormat.State(decoding: encoded.span) == state)
    }
    let (format, ledger) = (MetaFormat.encodeFormat(), MetaFormat.encode(token))
    #expect(format == [0, 0])
    #expect(try MetaFormat.decodeFormat(format.span) == 0)
    #expect(ledger == bytes("000000000000000a 000000000000000b"))
    #expect(try MetaFormat.decodeLedger(ledger.span) == token)
    let keys = [
      MetaFormat.formatKey, MetaFormat.ledgerKey, MetaFormat.policyKey, MetaFormat.stateKey,
      MetaFormat.tablesKey,
    ]
    #expect(keys == ["format", "ledger", "policy", "state", "tables"])
  }
}
