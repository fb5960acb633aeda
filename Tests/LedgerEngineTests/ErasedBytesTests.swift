import Foundation
import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// After 1,000 of 20,000 users are erased and the ledger is compacted, the file knows them no more.
@Suite struct ErasedBytesTests {
  struct Scale: Sendable, CustomTestStringConvertible {
    let userCount: Int
    let erasedCount: Int
    let indexed: Bool

    var testDescription: String {
      "\(erasedCount) of \(userCount), \(indexed ? "with" : "without") the index by user"
    }
  }

  #if DEBUG
    static let scales = [Scale(userCount: 2_000, erasedCount: 100, indexed: true)]
  #else
    static let scales = [
      Scale(userCount: 20_000, erasedCount: 1_000, indexed: false),
      Scale(userCount: 20_000, erasedCount: 1_000, indexed: true),
    ]
  #endif

  /// Ids that are in no file by accident; all as long as each other.
  static func users(_ count: Int) -> [UserID] {
    var generator = SeededGenerator(seed: 44)
    return (0..<count).map { index in
      let digits = String(generator.next() | 1 << 63, radix: 16)
      return UserID(stringLiteral: "person-\(digits)")
    }
  }

  @Test(arguments: scales) func gone(scale: Scale) throws {
    // The fixed number of rows is more than there are messages: one transaction for each user.
    let test = try TestLedger()
    if scale.indexed { try test.ledger.indexByUser(true) }
    let users = Self.users(scale.userCount)
    var commands: [Command] = []
    for (index, user) in users.enumerated() {
      for message in [index % 50, 50 + index % 7, 99] {
        commands.append(
          .add(
            "👍", to: .group("g1", MessageID(stringLiteral: "m\(message)")), by: user,
            actor: index % 5 == 0 ? users[(index + 1) % users.count] : nil,
            id: CommandID(high: 8, low: UInt64(commands.count))))
      }
    }
    let first = try test.ledger.append(commands)
    let step = scale.userCount / scale.erasedCount
    let erased = stride(from: 0, to: scale.userCount, by: step).map { users[$0] }
    let outcomes = try test.ledger.append(erased.map { .erase($0, actor: "admin") })
    #expect(outcomes.allSatisfy { $0.name == "recorded" })
    try test.requireSound()
    let path = test.path
    try test.reopen { try Ledger.compact(at: path) }
    let bytes = try Data(contentsOf: URL(filePath: path + "/data.mdb"))
    let found = Self.ids(in: [UInt8](bytes))
    let gone = Set(erased.map(\.text))
    #expect(found.intersection(gone).isEmpty, "ids of erased users are in the file")
    #expect(found == Set(users.map(\.text)).subtracting(gone), "those of all others are")
    try test.requireSound()
    try Self.checkReads(test, erased)

    // A retry is answered as at first, though nobody knows any more whose command it was.
    let again = try test.ledger.append(commands)
    #expect(again.map(\.name) == first.map { $0.name == "recorded" ? "repeated" : "unchanged" })
    #expect(again.map(\.receipt) == first.map(\.receipt))
    // An id that comes back is somebody new.
    let before = try test.ledger.statistics().userCount
    #expect(try test.ledger.append(.add(":new:", to: .m1, by: erased[0])).name == "recorded")
    #expect(try test.ledger.statistics().userCount == before + 1)
    #expect(try test.ledger.reactions(by: erased[0]).reactions.count == 1)
    #expect(try test.ledger.history(of: erased[0]).count == 1)
    try test.requireSound()
  }

  /// All that looks like one of the ids, whole.
  private static func ids(in bytes: [UInt8]) -> Set<String> {
    let prefix = Array("person-".utf8)
    var (found, index): (Set<String>, Int) = ([], 0)
    while let start = bytes[index...].firstIndex(of: prefix[0]) {
      index = start + 1
      let end = start + prefix.count + 16
      guard end <= bytes.count, bytes[start..<start + prefix.count].elementsEqual(prefix) else {
        continue
      }
      found.insert(String(decoding: bytes[start..<end], as: UTF8.self))
    }
    return found
  }

  private static func checkReads(_ test: TestLedger, _ erased: [UserID]) throws {
    let message = MessageKey.group("g1", "m99")
    let history = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.history(of: message)
    }
    let removed = history.filter { $0.record.place.operation == .erase }
    #expect(removed.count == erased.count)
    #expect(removed.allSatisfy { $0.user == nil && $0.actor == "admin" })
    let nameless = history.filter { $0.record.place.operation == .add && $0.user == nil }
    #expect(nameless.count == erased.count, "their adds have no name")
    let then = try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.summary(of: message, viewer: erased[0], asOf: .sequence(removed[0].sequence - 1))
    }
    #expect(then.reactions[0].count == history.count - removed.count)
    #expect(!then.reactions[0].reactedByMe)
    for user in erased.prefix(5) {
      #expect(try test.ledger.reactions(by: user).reactions.isEmpty)
      #expect(try test.ledger.history(of: user).isEmpty)
    }
  }
}
