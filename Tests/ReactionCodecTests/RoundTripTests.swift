import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

@Suite("Random valid values: encode, decode, encode gives the same value and bytes (F3–F25)")
struct RoundTripTests {
  private static let count = 20_000
  private static let seed: UInt64 = 20_260_629

  @Test("20,000 records (F4–F11)")
  func records() throws {
    var sampler = Sampler(seed: Self.seed)
    var kinds: [UInt8: Int] = [:]
    for index in 0..<Self.count {
      let (record, seal) = (sampler.record(), sampler.word())
      let bytes = encoded(record, seal: seal)
      let decoded = try RecordFormat.decode(bytes.span)
      try #require(
        decoded == record, "seed \(Self.seed), record \(index): \(hexadecimal(bytes))")
      try #require(encoded(decoded, seal: seal) == bytes, "seed \(Self.seed), record \(index)")
      try #require(RecordFormat.seal(of: bytes.span) == seal)
      kinds[bytes[1], default: 0] += 1
    }
    #expect(kinds.keys.sorted() == [1, 2, 3, 4, 5], "records of every kind were tried")
  }

  @Test("20,000 rows of messages (F18)")
  func rows() throws {
    var sampler = Sampler(seed: Self.seed)
    for index in 0..<Self.count {
      let row = sampler.row()
      let bytes = row.encode()
      let decoded = try MessageRow(decoding: bytes.span)
      try #require(decoded == row, "seed \(Self.seed), row \(index): \(hexadecimal(bytes))")
      try #require(decoded.encode() == bytes, "seed \(Self.seed), row \(index)")
      try #require(
        RowFormat.blockCount(bytes.span) == row.blocks.count, "seed \(Self.seed), row \(index)")
    }
  }

  @Test("20,000 policies (F11)")
  func policies() throws {
    var sampler = Sampler(seed: Self.seed)
    for index in 0..<Self.count {
      let policy = sampler.policy()
      var (bytes, again): ([UInt8], [UInt8]) = ([], [])
      PolicyFormat.encode(policy, into: &bytes)
      let decoded = try PolicyFormat.decode(bytes.span)
      try #require(decoded == policy, "seed \(Self.seed), policy \(index): \(hexadecimal(bytes))")
      PolicyFormat.encode(decoded, into: &again)
      try #require(again == bytes, "seed \(Self.seed), policy \(index)")
    }
  }

  @Test("20,000 rows of users (F15) and states (F25)")
  func usersAndStates() throws {
    var sampler = Sampler(seed: Self.seed)
    for index in 0..<Self.count {
      let row = sampler.userRow()
      var bytes: [UInt8] = []
      row.encode(into: &bytes)
      try #require(try UserRow(decoding: bytes.span) == row, "seed \(Self.seed), user \(index)")
      let state = sampler.state()
      let stateBytes = state.encode()
      try #require(
        try MetaFormat.State(decoding: stateBytes.span) == state,
        "seed \(Self.seed), state \(index)")
    }
  }

  @Test("20,000 keys of each database (F4, F17, F20–F22)")
  func keys() throws {
    var sampler = Sampler(seed: Self.seed)
    var (bytes, buffer): ([UInt8], MessageKeyBuffer) = ([], MessageKeyBuffer())
    for index in 0..<Self.count {
      let comment: Comment = "seed \(Self.seed), key \(index)"
      let message = sampler.messageKey()
      Keys.message(message, into: &bytes)
      buffer.write(message)
      try #require([UInt8](buffer.span) == bytes, comment)
      let two = [sampler.messageKey(), message]
      buffer.write(two.span, at: 1)
      try #require([UInt8](buffer.span) == bytes, comment)
      try #require(bytes.count <= 511, comment)
      try #require(try Keys.message(bytes.span) == message, comment)
      let (opened, sequence, user) = (sampler.sequence(), sampler.sequence(), sampler.user())
      let reactor = Keys.reactor(opened: opened, sequence: sequence)
      try #require(try Keys.reactor(reactor.span) == (opened, sequence), comment)
      let member = Keys.member(opened: opened, user: user)
      try #require(try Keys.member(member.span) == (opened, user), comment)
      let id = sampler.sixteenBytes()
      let command = Keys.command(id)
      try #require(try Keys.command(command.span) == id, comment)
      let event = Keys.event(sequence)
      try #require(try Keys.sequence(ofEvent: event.span) == sequence, comment)
    }
  }

  @Test("What a sampler makes is what every format accepts", arguments: Format.all)
  func samples(format: Format) throws {
    var sampler = Sampler(seed: Self.seed)
    for index in 0..<1000 {
      let bytes = format.sample(&sampler)
      try #require(try format.again(bytes) == bytes, "seed \(Self.seed), sample \(index)")
    }
  }
}
