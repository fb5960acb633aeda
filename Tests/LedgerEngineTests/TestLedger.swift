import LMDB
import LedgerEngine
import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Synchronization
import Testing

/// A ledger in a temporary folder, with a clock that the test moves.
final class TestLedger {
  let folder: TemporaryFolder
  let path: String
  let clock = TestClock()
  private(set) var ledger: Ledger
  var options: LedgerOptions

  init(
    policy: Policy = .standard, adjust: (inout LedgerOptions) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    path = folder.file("L")
    var options = LedgerOptions()
    let clock = clock
    options.clock = { clock.now() }
    // Asynchronous tests have many ledgers open at once, and the thread sanitizer leaves room for six
    // maps of the usual size.
    options.mapSizeBytes = 4 << 30
    adjust(&options)
    self.options = options
    ledger = try Ledger.create(at: path, policy: policy, options: options)
  }

  /// Closes the ledger and opens it again, with something done in between.
  func reopen(_ between: () throws -> Void = {}) throws {
    ledger.close()
    try between()
    ledger = try Ledger.open(at: path, options: options)
  }

  /// Fails the test with the findings if a replay has any.
  func requireSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let report = try ledger.replay()
    #expect(report.findings == [], sourceLocation: sourceLocation)
    #expect(report.isOK, sourceLocation: sourceLocation)
  }

  /// What a message shows, as `A=2[u1,u2] B=1[u3]`; `-` if it shows nothing.
  func shown(_ message: MessageKey = .m1) throws -> String {
    let summary = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.summary(of: message)
    }
    let parts = summary.reactions.map { reaction in
      "\(CaseScript.short(reaction.reaction.text))=\(reaction.count)[\(reaction.firstUsers.map(\.text).joined(separator: ","))]"
    }
    return parts.isEmpty ? "-" : parts.joined(separator: " ")
  }

  /// All users of a reaction, page by page.
  func allReactors(
    _ reaction: Reaction, on message: MessageKey = .m1, limit: Int = 100
  ) throws -> [UserID] {
    var (users, cursor): ([UserID], PageCursor?) = ([], nil)
    repeat {
      let page = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        try snapshot.reactors(of: reaction, on: message, after: cursor, limit: limit)
      }
      users += page.users
      cursor = page.cursor
    } while cursor != nil
    return users
  }

  func isMine(_ user: UserID, _ reaction: String, on message: MessageKey = .m1) throws -> Bool {
    let summary = try ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.summary(of: message, viewer: user)
    }
    let wanted = try Reaction(reaction)
    return summary.reactions.first { $0.reaction == wanted }?.reactedByMe ?? false
  }
}

final class TestClock: Sendable {
  private let microseconds = Atomic<Int64>(1_700_000_000_000_000)

  func now() -> Timestamp {
    Timestamp(microseconds: microseconds.add(1, ordering: .relaxed).newValue)
  }

  func set(_ value: Int64) { microseconds.store(value, ordering: .relaxed) }
}

extension MessageKey {
  static let m1 = MessageKey.group("g1", "m1")

  static func group(_ conversation: ConversationID, _ message: MessageID) -> MessageKey {
    do {
      return try MessageKey(.group(conversation), message)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// The databases of a ledger that is closed, as plain bytes.
enum RawLedger {
  typealias Pairs = [(key: [UInt8], value: [UInt8])]

  static func pairs(_ database: String, at path: String) throws -> Pairs {
    let environment = try Environment(path: path)
    defer { environment.close() }
    let handle = try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
      try transaction.openDatabase(database)
    }
    return try environment.read { (reads: borrowing ReadTransaction) throws(LMDBError) in
      var pairs: Pairs = []
      var cursor = try Cursor(reads, in: handle)
      while let row = try cursor.next() {
        pairs.append(([UInt8](row.key), [UInt8](row.value)))
      }
      return pairs
    }
  }

  static func put(
    _ value: [UInt8], for key: [UInt8], in database: String, at path: String
  ) throws {
    let environment = try Environment(path: path)
    defer { environment.close() }
    try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
      let handle = try transaction.openDatabase(database)
      try transaction.put(value.span, for: key.span, in: handle)
    }
  }

  /// Makes an LMDB file that is no ledger.
  static func create(_ database: String, at path: String) throws {
    let environment = try Environment(path: path)
    defer { environment.close() }
    try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
      _ = try transaction.openDatabase(database, .create)
    }
  }

  static func delete(_ key: [UInt8], in database: String, at path: String) throws {
    let environment = try Environment(path: path)
    defer { environment.close() }
    try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
      let handle = try transaction.openDatabase(database)
      try transaction.delete(key.span, in: handle)
    }
  }

  /// The letter of the slot that is live.
  static func liveSlot(at path: String) throws -> String {
    let meta = try pairs("meta", at: path)
    let value = meta.first { $0.key == Array(MetaFormat.stateKey.utf8) }?.value ?? []
    return try MetaFormat.State(decoding: value.span).slot == 0 ? "A" : "B"
  }

  /// Requires that two closed ledgers have the same pairs, in the log, in the users and in the live
  /// projections.
  static func expectSame(
    _ path: String, _ other: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for database in ["events", "users", "userNumbers", "meta"] {
      let (one, two) = (try pairs(database, at: path), try pairs(database, at: other))
      #expect(
        one.map(\.key) == two.map(\.key) && one.map(\.value) == two.map(\.value),
        "\(database)", sourceLocation: sourceLocation)
    }
    let (one, two) = (try projections(at: path), try projections(at: other))
    #expect(one == two, sourceLocation: sourceLocation)
  }

  /// All projections of the live slot and `userNumbers`, to be compared.
  static func projections(at path: String) throws -> [String: [[[UInt8]]]] {
    let slot = try liveSlot(at: path)
    var all: [String: [[[UInt8]]]] = [:]
    for name in ["messages", "reactors", "members", "commands", "byUser"] {
      all[name] = try pairs("\(name).\(slot)", at: path).map { [$0.key, $0.value] }
    }
    all["userNumbers"] = try pairs("userNumbers", at: path).map { [$0.key, $0.value] }
    return all
  }
}
