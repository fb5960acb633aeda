import Foundation
import LedgerEngine
import LedgerHash
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Synchronization
import Testing

/// Two small ledgers of fixed time and fixed random numbers, compared with every byte that the
/// article `FileFormat` shows of them.
@Suite("Golden ledgers of format version 0 (F1–F26)")
struct GoldenLedgerTests {
  @Test("The first ledger: every byte of every database")
  func firstLedger() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    let ledger = try makeFirstLedger(at: path)
    #expect(try ledger.replay().findings == [])
    ledger.close()
    let dump = try GoldenDump(of: path)
    #expect(dump.text(Self.alwaysThere + Self.slot("A")) == GoldenLedger.first)
    #expect(dump.text(Self.slot("B")) == "", "F26: the other slot is empty")
  }

  @Test("The second ledger: what a reaction that outgrew its row has beside it")
  func secondLedger() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    let ledger = try makeSecondLedger(at: path)
    #expect(try ledger.replay().findings == [])
    ledger.close()
    let dump = try GoldenDump(of: path)
    #expect(dump.text(["messages.A", "reactors.A", "members.A"]) == GoldenLedger.second)
  }

  @Test("F26: a rebuild makes the same bytes in the other slot, and empties the first")
  func rebuiltLedger() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    let ledger = try makeSecondLedger(at: path)
    _ = try ledger.rebuild()
    ledger.close()
    let dump = try GoldenDump(of: path)
    let found = dump.text(["messages.B", "reactors.B", "members.B"])
    #expect(found == GoldenLedger.second.replacing(".A", with: ".B"))
    #expect(dump.text(Self.slot("A")) == "")
    #expect(dump.text(["meta"]).contains("state 01000000000000000000000000000000"))
  }

  @Test("The article shows these very bytes")
  func article() throws {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: repository.appending(
        path: "Sources/LedgerEngine/LedgerEngine.docc/FileFormat.md"), encoding: .utf8)
    #expect(article.contains("```\n" + GoldenLedger.first + "```\n"))
    #expect(article.contains("```\n" + GoldenLedger.second + "```\n"))
  }

  @Test("L1: a key before that of record 1 is found")
  func keyBeforeTheFirst() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    try makeFirstLedger(at: path).close()
    try RawLedger.put([0], for: [UInt8](repeating: 0, count: 8), in: "events", at: path)
    #expect(try rules(at: path) == ["L1"])
    try RawLedger.delete([UInt8](repeating: 0, count: 8), in: "events", at: path)
    #expect(try rules(at: path) == [])
    try RawLedger.put([0], for: [0], in: "events", at: path)
    #expect(try rules(at: path) == ["L1"])
  }

  @Test("L9: an empty log is found, and nothing is built on it")
  func emptyLog() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    try makeFirstLedger(at: path).close()
    for pair in try RawLedger.pairs("events", at: path) {
      try RawLedger.delete(pair.key, in: "events", at: path)
    }
    let ledger = try Ledger.open(at: path, options: options())
    #expect(try ledger.replay(level: .log).findings.map(\.rule) == [.creation])
    #expect {
      try ledger.rebuild()
    } throws: { error in
      if case .rebuildRefused(let findings)? = error as? LedgerError {
        findings.map(\.rule) == [.creation, .userRow]
      } else {
        false
      }
    }
    ledger.close()
    let dump = try GoldenDump(of: path)
    #expect(GoldenLedger.first.contains(dump.text(Self.slot("A"))), "the projections are left")
  }

  @Test("L10: an allow-list holds canonical forms alone")
  func allowListNotCanonical() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("L")
    let ledger = try Ledger.create(at: path, options: options())
    ledger.close()
    // ❤ without its selector, as the one reaction of the list.
    let policy = [0, 20, 0, 2, 0, 1, 0, 3] + Array("❤".utf8)
    let pair = try #require(try RawLedger.pairs("events", at: path).first)
    var record = Array(pair.value.dropLast(12)) + policy
    let digest = SHA256().hash(prefix: 0, record.span)
    record.append(u64: digest.words.0)
    try RawLedger.put(record, for: pair.key, in: "events", at: path)
    try RawLedger.put(policy, for: Array("policy".utf8), in: "meta", at: path)
    #expect(try rules(at: path) == ["L10"])
  }

  /// The rules that a replay finds broken, in order of their numbers.
  private func rules(at path: String) throws -> [String] {
    let ledger = try Ledger.open(at: path, options: options())
    defer { ledger.close() }
    return try ledger.replay().findings.map(\.rule.rawValue).sorted()
  }

  private static let alwaysThere = ["meta", "users", "userNumbers", "tree", "events"]

  private static func slot(_ letter: String) -> [String] {
    ["messages", "reactors", "members", "commands", "byUser"].map { "\($0).\(letter)" }
  }

  /// A clock that starts at 2026-01-02T03:04:05.000006Z and goes on by a second at each look, and
  /// random numbers that count.
  private func options() -> LedgerOptions {
    var options = LedgerOptions()
    let sources = GoldenSources()
    options.clock = { sources.now() }
    options.entropy = { sources.draw() }
    return options
  }

  private func makeFirstLedger(at path: String) throws -> Ledger {
    let policy = try Policy(selection: .single, maximumPerUserAndMessage: 3)
    let ledger = try Ledger.create(at: path, policy: policy, options: options())
    let first = try MessageKey(.group("g1"), "m1")
    let second = try MessageKey(.user("alice-bob"), "m2")
    let commands: [(Command, name: String)] = [
      (
        .add(
          "👍", to: first, by: "alice", at: Timestamp(microseconds: 1_767_323_045_000_000),
          parent: "m0", id: CommandID(high: 0x019b_7bf2_1d0c_7000, low: 0x8000_0000_0000_0001)),
        "recorded"
      ),
      (.add("👍\u{FE0F}", to: first, by: "bob", actor: "bridge", cause: .imported), "recorded"),
      (
        .add(
          "❤", to: first, by: "alice",
          id: CommandID(high: 0x019b_7bf2_20f4_7000, low: 0x8000_0000_0000_0002)), "recorded"
      ),
      (.add("❤️", to: first, by: "alice"), "unchanged"),
      (.remove("👍", from: first, by: "bob", actor: "carol", cause: .moderation), "recorded"),
      (.add(":party:", to: second, by: "bob"), "recorded"),
      (.remove(":party:", from: second, by: "bob"), "recorded"),
    ]
    for (command, name) in commands {
      #expect(try ledger.append(command).name == name)
    }
    return ledger
  }

  private func makeSecondLedger(at path: String) throws -> Ledger {
    let ledger = try Ledger.create(at: path, options: options())
    let message = try MessageKey(.group("g1"), "m1")
    for number in 1...17 {
      let user = try UserID("u\(number)")
      #expect(try ledger.append(.add("👍", to: message, by: user)).name == "recorded")
    }
    #expect(try ledger.append(.remove("👍", from: message, by: "u2")).name == "recorded")
    return ledger
  }
}

private final class GoldenSources: Sendable {
  private let ticks = Atomic<Int64>(-1)
  private let draws = Atomic<UInt64>(0)

  func now() -> Timestamp {
    let tick = ticks.add(1, ordering: .relaxed).newValue
    return Timestamp(microseconds: 1_767_323_045_000_006 + tick * 1_000_000)
  }

  func draw() -> SixteenBytes {
    SixteenBytes(
      high: 0xa0a1_a2a3_a4a5_a6a7, low: draws.add(1, ordering: .relaxed).newValue)
  }
}

/// The pairs of a ledger's databases as text: one line for each pair, long values below their key.
private struct GoldenDump {
  private var databases: [String: RawLedger.Pairs] = [:]

  init(of path: String) throws {
    let slots = ["messages", "reactors", "members", "commands", "byUser"]
    let names =
      ["meta", "users", "userNumbers", "tree", "events"] + slots.map { $0 + ".A" }
      + slots.map { $0 + ".B" }
    for name in names { databases[name] = try RawLedger.pairs(name, at: path) }
  }

  func text(_ names: [String]) -> String {
    names.map { name in
      (databases[name] ?? []).map { pair in
        let key = name == "meta" ? String(decoding: pair.key, as: UTF8.self) : Self.hex(pair.key)
        return "\(name) \(key)" + Self.lines(pair.value) + "\n"
      }.joined()
    }.joined()
  }

  private static func lines(_ value: [UInt8]) -> String {
    if value.count <= 24 { return value.isEmpty ? "" : " " + hex(value) }
    return stride(from: 0, to: value.count, by: 32).map { start in
      "\n  " + hex(Array(value[start..<min(start + 32, value.count)]))
    }.joined()
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

/// The bytes of format version 0: they change only when the format's version does.
private enum GoldenLedger {
  static let first = """
    meta format 0000
    meta ledger a0a1a2a3a4a5a6a70000000000000001
    meta policy 01140301
    meta state 00000000000000000000000000000000000100000000
    meta tables 31352e30
    users 00000001 00a0a1a2a3a4a5a6a70000000000000002616c696365
    users 00000002 00a0a1a2a3a4a5a6a70000000000000003626f62
    users 00000003 00a0a1a2a3a4a5a6a70000000000000004627269646765
    users 00000004 00a0a1a2a3a4a5a6a700000000000000056361726f6c
    userNumbers 616c696365 00000001
    userNumbers 626f62 00000002
    userNumbers 627269646765 00000003
    userNumbers 6361726f6c 00000004
    events 0000000000000001
      000306000006475ef64cf34600000000a0a1a2a3a4a5a6a70000000000000001
      0114030156f881831cabf9d3
    events 0000000000000002
      0001001d0006475ef65c3586000000010006475ef64cf3400000000000000102
      02000467316d31f09f918d026d30019b7bf21d0c70008000000000000001dd18
      2929541478a18c1b251966d96120b02951582c034ed91dc2a52e862a6821c7b2
      3a2c8195c789
    events 0000000000000003
      000160320006475ef66b77c60000000200000003000000000002010202000467
      316d31f09f918daf237b62bfebb66da29b8b4ea5a2a2f2833a01d52d1e09ca2f
      73d0fd02f062937ffc32964161afbf65421c9aeeab13b0f0ee838e0c4dea276f
      5f07a69fdb428583d82af6ba7dcc1b
    events 0000000000000004
      000210480006475ef67aba060000000100000002000000000003000000000002
      010202000467316d31f09f918d019b7bf220f470008000000000000002adffeb
      1bcdc4ac7a
    events 0000000000000005
      000100400006475ef67aba060000000100010002000000000004010202000667
      316d31e29da4efb88f4464bf06cda7f1c3
    events 0000000000000006
      000221220006475ef6993e860000000200000004000000000005000000000003
      010202000467316d31f09f918ddf04ff98bc55b09b35b199dbd812cff1350040
      5b0491343734d8ac437d7290d3b9eecf62d4cdd222
    events 0000000000000007
      000100000006475ef6a880c6000000020000000000000009020007616c696365
      2d626f626d323a70617274793a07b84b6ebf9b3577
    events 0000000000000008
      000201000006475ef6b7c3060000000200000000000700000000000700090200
      07616c6963652d626f626d323a70617274793ae811b2e90ded7684
    messages.A 0009616c6963652d626f626d32 00000002000000000008
    messages.A 010267316d31
      000000050000000000060406e29da4efb88f0000000000050000000100000001
      000000000005
    commands.A 019b7bf21d0c70008000000000000001 000000000002
    commands.A 019b7bf220f470008000000000000002 000000000004

    """
  static let second = """
    messages.A 010267316d31
      000000120000000000138c04f09f918d00000000000200000010000000010000
      000000020000000300000000000400000004000000000005
    reactors.A 000000000002000000000002 00000001
    reactors.A 000000000002000000000004 00000003
    reactors.A 000000000002000000000005 00000004
    reactors.A 000000000002000000000006 00000005
    reactors.A 000000000002000000000007 00000006
    reactors.A 000000000002000000000008 00000007
    reactors.A 000000000002000000000009 00000008
    reactors.A 00000000000200000000000a 00000009
    reactors.A 00000000000200000000000b 0000000a
    reactors.A 00000000000200000000000c 0000000b
    reactors.A 00000000000200000000000d 0000000c
    reactors.A 00000000000200000000000e 0000000d
    reactors.A 00000000000200000000000f 0000000e
    reactors.A 000000000002000000000010 0000000f
    reactors.A 000000000002000000000011 00000010
    reactors.A 000000000002000000000012 00000011
    members.A 00000000000200000001 000000000002
    members.A 00000000000200000003 000000000004
    members.A 00000000000200000004 000000000005
    members.A 00000000000200000005 000000000006
    members.A 00000000000200000006 000000000007
    members.A 00000000000200000007 000000000008
    members.A 00000000000200000008 000000000009
    members.A 00000000000200000009 00000000000a
    members.A 0000000000020000000a 00000000000b
    members.A 0000000000020000000b 00000000000c
    members.A 0000000000020000000c 00000000000d
    members.A 0000000000020000000d 00000000000e
    members.A 0000000000020000000e 00000000000f
    members.A 0000000000020000000f 000000000010
    members.A 00000000000200000010 000000000011
    members.A 00000000000200000011 000000000012

    """
}
