import LedgerEngine
import LedgerTestSupport
import ReactionModel
import Testing

/// P10: while others come and go between the pages, nobody who stays is skipped or repeated.
@Suite struct PagingTests {
  #if DEBUG
    static let seedCount = 50
  #else
    static let seedCount = 1_000
  #endif
  /// Each test case takes a tenth of the seeds, in one ledger.
  static let groups = Array(0..<10)

  /// A list that is read in pages: those on a message, of one reaction or all; those by a user.
  enum List: CaseIterable {
    case reactors
    case onMessage
    case onMessageOfOne
    case byUser
  }

  static let lists: [(list: List, forward: Bool)] = List.allCases.flatMap { list in
    list == .reactors ? [(list, true)] : [(list, true), (list, false)]
  }

  /// What stays and what passes by, and the pages read so far.
  struct Run {
    let test: TestLedger
    let list: List
    let isForward: Bool
    /// Where all of it is: a message, or the conversation of a user's many.
    let message: MessageKey
    let me: UserID
    var generator: SeededGenerator
    /// What to add, in order; every other one passes by.
    let adds: [Command]
    let passing: [Command]

    init(_ list: List, forward isForward: Bool, seed: UInt64, in test: TestLedger) throws {
      self.test = test
      self.list = list
      self.isForward = isForward
      let name = "\(seed)-\(list)-\(isForward)"
      let place = MessageKey.group(ConversationID(stringLiteral: name), "m")
      let user = UserID(stringLiteral: "me-\(name)")
      (message, me) = (place, user)
      var generator = SeededGenerator(seed: seed)
      let count = Int(generator.next() % 40) + 4
      adds = (0..<count).map { index in
        let isB = list == .onMessage && generator.next() % 3 == 0
        return list == .byUser
          ? .add(
            ":A:",
            to: .group(place.conversation.id, MessageID(stringLiteral: "m\(index)")), by: user)
          : .add(isB ? ":B:" : ":A:", to: place, by: UserID(stringLiteral: "u\(index)"))
      }
      passing = adds.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      // What passes by may be there or not in the beginning.
      _ = try test.ledger.append(
        adds.enumerated().filter { $0.offset % 2 == 0 || generator.next() % 2 == 0 }
          .map(\.element))
      self.generator = generator
    }

    /// What an item is known by: its user and message.
    typealias Item = String

    static func item(_ command: Command) -> Item {
      "\(command.user?.text ?? "") \(command.message?.message.text ?? "") \(command.reaction ?? "")"
    }

    /// The next page, and where the one after it begins.
    func page(_ cursor: PageCursor?) throws -> (items: [Item], sequences: [UInt64], PageCursor?) {
      let direction = isForward ? PageDirection.after(cursor) : .before(cursor)
      if list == .reactors {
        let page = try test.ledger.reactors(of: .named("A"), on: message, after: cursor, limit: 3)
        return (page.users.map { "\($0) m :A:" }, [], page.cursor)
      }
      let page: ReactionPage =
        if list == .byUser {
          try test.ledger.reactions(by: me, direction, limit: 3)
        } else {
          try test.ledger.read { (snapshot: borrowing Snapshot) throws(LedgerError) in
            try snapshot.reactions(
              on: message, of: list == .onMessage ? nil : .named("A"), direction, limit: 3)
          }
        }
      return (
        page.reactions.map { "\($0.user) \($0.message.message.text) \($0.reaction)" },
        page.reactions.map(\.sequence), isForward ? page.after : page.before
      )
    }

    /// Reads all pages, with changes in between; what is wrong with them.
    mutating func problem() throws -> String? {
      var (seen, sequences, cursor, pageCount): ([Item], [UInt64], PageCursor?, Int) = (
        [], [], nil, 0
      )
      repeat {
        let (items, part, next) = try page(cursor)
        seen = isForward ? seen + items : items + seen
        sequences = isForward ? sequences + part : part + sequences
        cursor = try next.map { try PageCursor(parsing: $0.description) }
        pageCount += 1
        if pageCount > 1_000 { return "there is no end" }
        _ = try test.ledger.append(
          (0..<4).map { _ in
            let command = passing[Int(generator.next() % UInt64(passing.count))]
            guard generator.next() % 2 == 0, let user = command.user,
              let message = command.message, let reaction = command.reaction
            else { return command }
            return .remove(reaction, from: message, by: user)
          })
      } while cursor != nil
      let stays = adds.enumerated().filter { $0.offset % 2 == 0 }.map { Self.item($0.element) }
      let found = seen.filter { Set(stays).contains($0) }
      if found != stays { return "\(found), not \(stays)" }
      return sequences == sequences.sorted() && Set(sequences).count == sequences.count
        ? nil : "sequences are not in order or twice: \(sequences)"
    }
  }

  @Test(arguments: groups) func whoStays(group: Int) throws {
    let count = Self.seedCount / Self.groups.count
    let test = try TestLedger { $0.durability = .lastCommitMayVanish }
    if group % 2 == 0 { try test.ledger.indexByUser(true) }
    for seed in group * count..<(group + 1) * count {
      for (list, isForward) in Self.lists {
        var run = try Run(list, forward: isForward, seed: UInt64(seed), in: test)
        if let problem = try run.problem() {
          Issue.record("seed \(seed), \(list), \(isForward ? "forward" : "back"): \(problem)")
        }
      }
    }
    try test.requireSound()
  }
}
