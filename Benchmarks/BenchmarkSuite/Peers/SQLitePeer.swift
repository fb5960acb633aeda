#if SQLitePeer
  import CSQLite
  import ReactionModel

  /// SQLite with the tables that a careful person would make: WAL, no row ids where the key is the
  /// row, prepared statements, one transaction for each batch.
  ///
  /// It keeps the numbers of all users in memory, which is in its favour.
  @safe final class SQLitePeer: Peer {
    static var title: String { "SQLite \(unsafe String(cString: sqlite3_libversion()))" }

    private let database: OpaquePointer
    private let statements: SQLiteStatements
    private var userNumbers: [UserID: Int] = [:]
    private var messageCount = 0
    private var sequence = 0

    init(at path: String, isDurable: Bool) throws {
      var opened: OpaquePointer?
      let code = unsafe sqlite3_open("\(path)/store.db", &opened)
      guard code == SQLITE_OK, let opened = unsafe opened else {
        throw BenchError.peer("SQLite cannot open \(path)")
      }
      unsafe database = opened
      let setting = "PRAGMA synchronous=\(isDurable ? "FULL" : "NORMAL")"
      for text in SQLiteStatements.pragmas + [setting] + SQLiteStatements.schema {
        let statement = unsafe try SQLiteStatement(opened, text)
        while try statement.step() {}
      }
      statements = unsafe try SQLiteStatements(opened)
    }

    func append(_ commands: [Command]) throws -> Int {
      try statements.begin.run()
      var recordedCount = 0
      for command in commands {
        if let change = PeerChange(command), try run(change) { recordedCount += 1 }
      }
      try statements.commit.run()
      return recordedCount
    }

    /// Makes a change; false if nothing changes.
    private func run(_ asked: PeerChange) throws -> Bool {
      let isAdd = asked.isAdd
      let user = try number(of: asked.user)
      let known = try find(asked.message)
      let message = known?.number ?? messageCount + 1
      let next = sequence + 1
      let change = isAdd ? statements.addReaction : statements.dropReaction
      try change.bind(1, message)
      try change.bind(2, asked.reaction)
      try change.bind(3, user)
      if isAdd { try change.bind(4, next) }
      guard try change.run() > 0 else { return false }
      sequence = next
      try count(asked, message)
      try note(asked.message, message, isKnown: known != nil)
      let event = statements.addEvent
      try event.bind(1, sequence)
      try event.bind(2, isAdd ? 0 : 1)
      try event.bind(3, Int(asked.time?.microseconds ?? 0))
      try event.bind(4, asked.message.conversation.id.text)
      try event.bind(5, asked.message.message.text)
      try event.bind(6, user)
      try event.bind(7, asked.reaction)
      try event.bind(8, known?.last ?? 0)
      try event.run()
      return true
    }

    private func number(of user: UserID) throws -> Int {
      if let number = userNumbers[user] { return number }
      let number = userNumbers.count + 1
      userNumbers[user] = number
      try statements.addUser.bind(1, number)
      try statements.addUser.bind(2, user.text)
      try statements.addUser.run()
      return number
    }

    private func find(_ key: MessageKey) throws -> (number: Int, last: Int, eventCount: Int)? {
      let find = statements.findMessage
      try find.bind(1, key.conversation.id.text)
      try find.bind(2, key.message.text)
      guard try find.step() else { return nil }
      defer { find.reset() }
      return (find.number(0), find.number(1), find.number(2))
    }

    private func count(_ change: PeerChange, _ message: Int) throws {
      if change.isAdd {
        let count = statements.count
        try count.bind(1, message)
        try count.bind(2, change.reaction)
        try count.bind(3, sequence)
        try count.run()
      } else {
        for statement in [statements.uncount, statements.close] {
          try statement.bind(1, message)
          try statement.bind(2, change.reaction)
          try statement.run()
        }
      }
    }

    private func note(_ key: MessageKey, _ number: Int, isKnown: Bool) throws {
      guard !isKnown else {
        try statements.touchMessage.bind(1, number)
        try statements.touchMessage.bind(2, sequence)
        try statements.touchMessage.run()
        return
      }
      messageCount = number
      let add = statements.addMessage
      try add.bind(1, number)
      try add.bind(2, key.conversation.id.text)
      try add.bind(3, key.message.text)
      try add.bind(4, sequence)
      try add.run()
    }

    func summaries(of messages: [MessageKey], viewer: UserID?) throws -> [PeerSummary] {
      let viewer = viewer.map { userNumbers[$0] ?? 0 }
      try statements.beginRead.run()
      let found = try messages.map { try summary(of: $0, viewer) }
      try statements.commit.run()
      return found
    }

    private func summary(of key: MessageKey, _ viewer: Int?) throws -> PeerSummary {
      guard let message = try find(key) else { return PeerSummary(eventCount: 0, reactions: []) }
      var reactions: [PeerSummary.Reaction] = []
      let summary = statements.summary
      try summary.bind(1, message.number)
      while try summary.step() {
        let (text, count) = (summary.text(0), summary.number(1))
        reactions.append(
          PeerSummary.Reaction(
            text: text, count: count, isViewers: try isLive(message.number, text, viewer),
            firstUsers: try users(message.number, text, limit: PeerSummary.firstUserCount)))
      }
      return PeerSummary(eventCount: message.eventCount, reactions: reactions)
    }

    private func isLive(_ message: Int, _ reaction: String, _ viewer: Int?) throws -> Bool {
      guard let viewer else { return false }
      let isLive = statements.isLive
      try isLive.bind(1, message)
      try isLive.bind(2, reaction)
      try isLive.bind(3, viewer)
      guard try isLive.step() else { return false }
      isLive.reset()
      return true
    }

    private func users(_ message: Int, _ reaction: String, limit: Int) throws -> [String] {
      var users: [String] = []
      let first = statements.firstUsers
      try first.bind(1, message)
      try first.bind(2, reaction)
      try first.bind(3, limit)
      while try first.step() { users.append(first.text(0)) }
      return users
    }

    func reactors(
      of reaction: String, on message: MessageKey, limit: Int
    ) throws -> (count: Int, users: [String]) {
      try statements.beginRead.run()
      defer { _ = try? statements.commit.run() }
      guard let found = try find(message) else { return (0, []) }
      let count = statements.countOf
      try count.bind(1, found.number)
      try count.bind(2, reaction)
      guard try count.step() else { return (0, []) }
      let number = count.number(0)
      count.reset()
      return (number, try users(found.number, reaction, limit: limit))
    }

    func settle() throws {
      let statement = unsafe try SQLiteStatement(database, "PRAGMA wal_checkpoint(TRUNCATE)")
      while try statement.step() {}
    }

    func close() {
      statements.end()
      unsafe sqlite3_close(database)
    }
  }
#endif
