import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

@Suite("Records: golden bytes of every kind, operation and flag (F5–F9, F13)")
struct RecordGoldenTests {
  struct Golden: Sendable, CustomTestStringConvertible {
    let name: String
    let record: Record
    let bytes: String
    var testDescription: String { name }
  }

  private static func change(
    _ kind: Record.Change.Kind = .added, parent: MessageID? = nil, previous: UInt64 = 0
  ) -> Record.Content {
    do {
      return .change(
        Record.Change(
          kind, message: try MessageKey(.group("g1"), "m1"), parent: parent,
          reaction: try Reaction("👍"), previous: previous))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static func record(
    _ content: Record.Content, _ place: Record.Place, cause: Cause = .user, user: UserNumber = 1,
    _ adjust: (inout Record) -> Void = { _ in }
  ) -> Record {
    var record = Record(
      recordedAt: Timestamp(microseconds: 0x0102_0304_0506), cause: cause, place: place,
      user: user, content: content)
    adjust(&record)
    return record
  }

  private static let time = "0000010203040506"
  private static let message = "01 02 02 0004 6731 6d31 f09f918d"
  private static let seal = "0000000000000000"
  private static let commitment = Commitment(
    (0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f, 0x1011_1213_1415_1617, 0x1819_1a1b_1c1d_1e1f))
  private static let commitmentBytes =
    "0001020304050607 08090a0b0c0d0e0f 1011121314151617 18191a1b1c1d1e1f"

  static let kinds: [Golden] = [
    Golden(
      name: "added by add", record: record(change(), Record.Place(.add)),
      bytes: "00 01 00 00 \(time) 00000001 000000000000 \(message) \(seal)"),
    Golden(
      name: "removed by remove",
      record: record(change(.removed(ends: 0x0a0b), previous: 0x0c0d), Record.Place(.remove)),
      bytes: "00 02 01 00 \(time) 00000001 000000000c0d 000000000a0b \(message) \(seal)"),
    Golden(
      name: "removed by add, replaced, first of two",
      record: record(
        change(.removed(ends: 2), previous: 3), Record.Place(.add, index: 0, count: 2),
        cause: .replaced),
      bytes: "00 02 10 40 \(time) 00000001 0000 0002 000000000003 000000000002 \(message) \(seal)"),
    Golden(
      name: "removed by clearMessage, last of 8,192",
      record: record(
        change(.removed(ends: 2), previous: 3),
        Record.Place(.clearMessage, index: 8191, count: 8192), cause: .messageDeleted),
      bytes: "00 02 32 40 \(time) 00000001 1fff 2000 000000000003 000000000002 \(message) \(seal)"),
    Golden(
      name: "removed by clearReaction",
      record: record(
        change(.removed(ends: 2), previous: 3), Record.Place(.clearReaction), cause: .expired),
      bytes: "00 02 53 00 \(time) 00000001 000000000003 000000000002 \(message) \(seal)"),
    Golden(
      name: "removed by erase",
      record: record(
        change(.removed(ends: 2), previous: 3), Record.Place(.erase), cause: .userErased),
      bytes: "00 02 44 00 \(time) 00000001 000000000003 000000000002 \(message) \(seal)"),
    Golden(
      name: "created",
      record: record(
        .created(
          ledger: LedgerID(high: 0xa0a1_a2a3_a4a5_a6a7, low: 1), policy: .standard),
        Record.Place(.create), user: 0),
      bytes: "00 03 06 00 \(time) 00000000 a0a1a2a3a4a5a6a7 0000000000000001 00 14 00 01 \(seal)"),
    Golden(
      name: "policyChanged, by moderation",
      record: record(
        .policyChanged(.standard), Record.Place(.setPolicy), cause: .moderation, user: 0),
      bytes: "00 04 25 00 \(time) 00000000 00 14 00 01 \(seal)"),
    Golden(
      name: "userErased",
      record: record(.userErased, Record.Place(.erase), cause: .userErased, user: 258),
      bytes: "00 05 44 00 \(time) 00000102 \(seal)"),
    Golden(
      name: "cause imported, in a conversation of two",
      record: record(
        .change(Self.oneToOne), Record.Place(.add), cause: .imported),
      bytes: "00 01 60 00 \(time) 00000001 000000000000 00 01 03 000c 61 6d3432"
        + "3a70617274793a31323334 3a \(seal)"),
  ]

  private static let oneToOne: Record.Change = {
    do {
      return Record.Change(
        .added, message: try MessageKey(.user("a"), "m42"),
        reaction: try Reaction(":party:1234:"), previous: 0)
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  @Test("Kinds, operations and causes (F5, F6, F8, F9)", arguments: kinds)
  func kindsAndOperations(golden: Golden) {
    #expect(hexadecimal(encoded(golden.record)) == hexadecimal(bytes(golden.bytes)))
    #expect(decodeRecord(bytes(golden.bytes)) == .success(golden.record))
  }

  /// The 64 combinations of the six flags that a record of index 0 may have, and those with a place.
  @Test("Every combination of flags (F7)", arguments: 0...UInt8(127))
  func flags(bits: UInt8) {
    let (isIndexed, hasID) = (bits & 64 != 0, bits & 8 != 0)
    let index = isIndexed && !hasID ? 1 : 0
    let place = Record.Place(.add, index: index, count: isIndexed ? 2 : 1)
    let content = Self.change(parent: bits & 4 != 0 ? "p" : nil, previous: 7)
    // A commitment to the actor needs an actor: that flag alone is an error, see below.
    let hasActor = bits & 2 != 0
    let record = Self.record(content, place) { record in
      if bits & 1 != 0 { record.clientTime = Timestamp(microseconds: -2) }
      if hasActor { record.actor = 9 }
      if hasID { record.commandID = CommandID(high: 0x11, low: 0x22) }
      if bits & 16 != 0 { record.userCommitment = Self.commitment }
      if bits & 32 != 0 { record.actorCommitment = Self.commitment }
    }
    var expected = "00 01 00 " + hexadecimal([bits]) + Self.time + "00000001"
    if bits & 1 != 0 { expected += "fffffffffffffffe" }
    if hasActor { expected += "00000009" }
    if isIndexed { expected += "000\(index) 0002" }
    expected += "000000000007" + Self.message
    if bits & 4 != 0 { expected += "01 70" }
    if hasID { expected += "0000000000000011 0000000000000022" }
    if bits & 16 != 0 { expected += Self.commitmentBytes }
    if bits & 32 != 0 { expected += Self.commitmentBytes }
    expected += Self.seal
    #expect(hexadecimal(encoded(record)) == hexadecimal(bytes(expected)))
    if bits & 32 != 0, !hasActor {
      #expect(decodeRecord(bytes(expected)) == .failure(.badValue("actor commitment")))
    } else {
      #expect(decodeRecord(bytes(expected)) == .success(record))
    }
  }

  @Test("Which kinds fit which operations: nine pairs of 256 × 16 (F6)")
  func fits() throws {
    let change = "000000000003 \(Self.message)"
    let removal = "000000000003 000000000002 \(Self.message)"
    let contents: [UInt8: String] = [
      1: change, 2: removal, 3: "\(Self.seal)\(Self.seal) 00140001", 4: "00140001", 5: "",
    ]
    var found: [String] = []
    for kind in 0...UInt8.max {
      for operation in 0..<UInt8(16) {
        let user = kind == 3 || kind == 4 ? "00000000" : "00000001"
        let text =
          hexadecimal([0, kind, operation, 0]) + Self.time + user + (contents[kind] ?? change)
        if case .success = decodeRecord(bytes(text + Self.seal)) {
          found.append("\(kind) \(operation)")
        }
      }
    }
    #expect(found == ["1 0", "2 0", "2 1", "2 2", "2 3", "2 4", "3 6", "4 5", "5 4"])
  }

  @Test("The seal is the last 8 bytes (F12)")
  func seal() {
    let record = Self.kinds[0].record
    let sealed = encoded(record, seal: 0x0102_0304_0506_0708)
    #expect(sealed.suffix(8) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(seal(of: sealed) == 0x0102_0304_0506_0708)
    #expect(seal(of: Array(sealed.prefix(8))) == nil)
    #expect(decodeRecord(sealed) == .success(record))
  }

  private func seal(of bytes: [UInt8]) -> UInt64? { RecordFormat.seal(of: bytes.span) }
}
