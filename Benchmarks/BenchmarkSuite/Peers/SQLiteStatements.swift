#if SQLitePeer
  import CSQLite

  /// The schema, and the statements that are prepared once.
  final class SQLiteStatements {
    static let pragmas = [
      "PRAGMA journal_mode=WAL", "PRAGMA cache_size=-1048576", "PRAGMA mmap_size=34359738368",
      "PRAGMA temp_store=MEMORY", "PRAGMA wal_autocheckpoint=1000",
    ]

    static let schema = [
      "CREATE TABLE users(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)",
      """
      CREATE TABLE messages(
        number INTEGER PRIMARY KEY, conversation TEXT NOT NULL, message TEXT NOT NULL,
        events INTEGER NOT NULL, last INTEGER NOT NULL, UNIQUE(conversation, message))
      """,
      """
      CREATE TABLE events(
        sequence INTEGER PRIMARY KEY, kind INTEGER, time INTEGER, conversation TEXT, message TEXT,
        user INTEGER, reaction TEXT, previous INTEGER)
      """,
      """
      CREATE TABLE reactions(
        message INTEGER, reaction TEXT, user INTEGER, sequence INTEGER NOT NULL,
        PRIMARY KEY(message, reaction, user)) WITHOUT ROWID
      """,
      "CREATE UNIQUE INDEX reactors ON reactions(message, reaction, sequence)",
      """
      CREATE TABLE summary(
        message INTEGER, reaction TEXT, opened INTEGER NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY(message, reaction)) WITHOUT ROWID
      """,
    ]

    private(set) var all: [SQLiteStatement] = []

    var begin: SQLiteStatement { all[0] }
    var commit: SQLiteStatement { all[1] }
    var beginRead: SQLiteStatement { all[2] }
    var addUser: SQLiteStatement { all[3] }
    var findMessage: SQLiteStatement { all[4] }
    var addMessage: SQLiteStatement { all[5] }
    var touchMessage: SQLiteStatement { all[6] }
    var addReaction: SQLiteStatement { all[7] }
    var dropReaction: SQLiteStatement { all[8] }
    var count: SQLiteStatement { all[9] }
    var uncount: SQLiteStatement { all[10] }
    var close: SQLiteStatement { all[11] }
    var addEvent: SQLiteStatement { all[12] }
    var summary: SQLiteStatement { all[13] }
    var firstUsers: SQLiteStatement { all[14] }
    var isLive: SQLiteStatement { all[15] }
    var countOf: SQLiteStatement { all[16] }

    private static let texts = [
      "BEGIN IMMEDIATE", "COMMIT", "BEGIN", "INSERT INTO users VALUES(?1, ?2)",
      "SELECT number, last, events FROM messages WHERE conversation=?1 AND message=?2",
      "INSERT INTO messages VALUES(?1, ?2, ?3, 1, ?4)",
      "UPDATE messages SET events=events+1, last=?2 WHERE number=?1",
      "INSERT OR IGNORE INTO reactions VALUES(?1, ?2, ?3, ?4)",
      "DELETE FROM reactions WHERE message=?1 AND reaction=?2 AND user=?3",
      "INSERT INTO summary VALUES(?1, ?2, ?3, 1) ON CONFLICT DO UPDATE SET count=count+1",
      "UPDATE summary SET count=count-1 WHERE message=?1 AND reaction=?2",
      "DELETE FROM summary WHERE message=?1 AND reaction=?2 AND count=0",
      "INSERT INTO events VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      "SELECT reaction, count FROM summary WHERE message=?1 ORDER BY opened",
      """
      SELECT u.id FROM reactions r JOIN users u ON u.number=r.user
      WHERE r.message=?1 AND r.reaction=?2 ORDER BY r.sequence LIMIT ?3
      """,
      "SELECT 1 FROM reactions WHERE message=?1 AND reaction=?2 AND user=?3",
      "SELECT count FROM summary WHERE message=?1 AND reaction=?2",
    ]

    init(_ database: OpaquePointer) throws {
      for text in Self.texts { all.append(unsafe try SQLiteStatement(database, text)) }
    }

    /// Frees them, without which the database is not closed.
    func end() { all = [] }
  }
#endif
