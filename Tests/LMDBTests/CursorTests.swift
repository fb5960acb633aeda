import LMDB
import Testing

@Suite("Cursors")
struct CursorTests {
  /// Pairs with the even keys from 2 to 2 × `count`, the value beside the key.
  private func withEvenKeys(
    _ count: Int, _ body: (borrowing ReadTransaction, Database) throws(LMDBError) -> Void
  ) throws {
    try withEnvironment { environment, database in
      try environment.write { (transaction) throws(LMDBError) in
        for number in 0..<count {
          let key = [UInt8](number: 2 * number + 2)
          try transaction.put(key.span, for: key.span, in: database, .append)
        }
      }
      try environment.read { (snapshot) throws(LMDBError) in try body(snapshot, database) }
    }
  }

  private static func number(_ row: Row?) -> Int? {
    guard let row else { return nil }
    let (key, value) = ([UInt8](row.key), [UInt8](row.value))
    #expect(key == value)
    return key.reduce(0) { $0 << 8 | Int($1) }
  }

  private func expect(
    _ row: Row?, is expected: Int?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = Self.number(row)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  @Test("Both ways through databases of one page and of several levels", arguments: [1, 2, 50_000])
  func bothWays(_ count: Int) throws {
    try withEvenKeys(count) { (snapshot, database) throws(LMDBError) in
      let depth = try snapshot.statistics(of: database).depth
      #expect(depth >= (count > 2 ? 3 : 1))
      var forward = try Cursor(snapshot, in: database)
      var expected = 0
      while let found = Self.number(try forward.next()), found == expected + 2 {
        expected = found
      }
      #expect(expected == 2 * count, "the first that differs")
      var backward = try Cursor(snapshot, in: database)
      while let found = Self.number(try backward.previous()) {
        guard found == expected else { break }
        expected -= 2
      }
      #expect(expected == 0)
    }
  }

  @Test("Pairs are copied as they follow, up to the limit, the end, or one of another size")
  func copying() throws {
    try withEnvironment { environment, database in
      // Every seventh key is longer, and every eleventh value.
      let pairs = (1...1_000).map { index in
        Pair(
          [UInt8](number: index) + (index % 7 == 0 ? [0] : []),
          [UInt8](repeating: UInt8(index % 251), count: index % 11 == 0 ? 5 : 4))
      }
      try environment.write { (transaction) throws(LMDBError) in
        for pair in pairs {
          try transaction.put(pair.value.span, for: pair.key.span, in: database)
        }
      }
      try environment.read { (snapshot) throws(LMDBError) in
        var cursor = try Cursor(snapshot, in: database)
        for start in 1...1_001 {
          for limit in [0, 1, 5, 20] {
            let following = pairs.dropFirst(start - 1).prefix(limit)
              .prefix { $0.key.count == 8 && $0.value.count == 4 }
            var bytes: [UInt8] = [9]
            let count = try cursor.copyPairs(
              from: [UInt8](number: start).span, valueByteCount: 4, limit: limit, to: &bytes)
            #expect(count == following.count)
            #expect(bytes == following.reduce(into: [9]) { $0 += $1.key + $1.value })
          }
        }
      }
    }
  }

  @Test("Seeking finds the first key that is not below")
  func seek() throws {
    try withEvenKeys(50_000) { (snapshot, database) throws(LMDBError) in
      var cursor = try Cursor(snapshot, in: database)
      let places = [
        (0, 2), (1, 2), (2, 2), (3, 4), (77_777, 77_778), (99_999, 100_000), (100_000, 100_000),
      ]
      for (key, expected) in places {
        expect(try cursor.seek([UInt8](number: key).span), is: expected)
        let following = expected < 100_000 ? expected + 2 : nil
        expect(try cursor.next(), is: following)
      }
      expect(try cursor.seek([UInt8](number: 100_001).span), is: nil)
      expect(try cursor.next(), is: nil)
      expect(try cursor.seek([1].span), is: nil)
      expect(try cursor.last(), is: 100_000)
      expect(try cursor.next(), is: nil)
      expect(try cursor.next(), is: nil)
      expect(try cursor.first(), is: 2)
      expect(try cursor.previous(), is: nil)
      expect(try cursor.seek([0].span), is: 2)
    }
  }

  @Test("A prefix of a key comes before the key")
  func prefixes() throws {
    try withEnvironment { environment, database in
      let keys: [[UInt8]] = [[1], [1, 0], [1, 0, 0], [1, 1], [1, 255], [2], [255], [255, 255]]
      for key in keys.reversed() { try environment.put([], key, database) }
      #expect(try environment.pairs(database).map(\.key) == keys)
    }
  }

  @Test("An empty database has no pairs anywhere")
  func empty() throws {
    try withEvenKeys(0) { (snapshot, database) throws(LMDBError) in
      var cursor = try Cursor(snapshot, in: database)
      for _ in 0..<2 {
        expect(try cursor.next(), is: nil)
        expect(try cursor.previous(), is: nil)
        expect(try cursor.first(), is: nil)
        expect(try cursor.last(), is: nil)
        expect(try cursor.seek([0].span), is: nil)
      }
    }
  }

  @Test("Several cursors move on their own")
  func several() throws {
    try withEvenKeys(3) { (snapshot, database) throws(LMDBError) in
      var a = try Cursor(snapshot, in: database)
      var b = try Cursor(snapshot, in: database)
      expect(try a.next(), is: 2)
      expect(try b.last(), is: 6)
      expect(try a.next(), is: 4)
      expect(try b.previous(), is: 4)
    }
  }

  @Test("A cursor in a write transaction sees what was written before")
  func inWrite() throws {
    try withEnvironment { environment, database in
      try environment.write { (transaction) throws(LMDBError) in
        for number in 0..<3 {
          let key = [UInt8](number: number)
          try transaction.put(key.span, for: key.span, in: database)
          let pairs = try transaction.reads.pairs(database)
          #expect(pairs == (0...number).map { Pair([UInt8](number: $0), [UInt8](number: $0)) })
        }
      }
    }
  }

  @Test("The rows of a span stay while the cursor stands still")
  func rowBytes() throws {
    try withEvenKeys(2) { (snapshot, database) throws(LMDBError) in
      var cursor = try Cursor(snapshot, in: database)
      guard let row = try cursor.next() else {
        Issue.record("no row")
        return
      }
      #expect(row.key.count == 8 && row.key[7] == 2)
      #expect(row.value.count == 8 && row.value[7] == 2)
    }
  }
}
