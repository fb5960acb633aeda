import LMDB

/// A pair copied out of the map.
struct Pair: Hashable {
  var key: [UInt8]
  var value: [UInt8]

  init(_ key: [UInt8], _ value: [UInt8]) {
    self.key = key
    self.value = value
  }

  /// A copy of a row.
  init(_ row: Row) { self.init([UInt8](row.key), [UInt8](row.value)) }

  /// A copy of a row, if there is one.
  static func copy(_ row: Row?) -> Pair? {
    guard let row else { return nil }
    return Pair(row)
  }
}

extension [UInt8] {
  /// A copy of the bytes of a span.
  init(_ span: Span<UInt8>) {
    self.init()
    reserveCapacity(span.count)
    for index in span.indices { append(span[index]) }
  }

  /// The UTF-8 of a text.
  init(_ text: String) { self = Array(text.utf8) }

  /// A number, most significant byte first: these sort as the numbers do.
  init(number: Int) { self = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
}

extension ReadTransaction {
  /// A copy of a value.
  borrowing func copy(_ key: [UInt8], _ database: Database) throws(LMDBError) -> [UInt8]? {
    guard let found = try value(for: key.span, in: database) else { return nil }
    return [UInt8](found)
  }

  /// All pairs in their order.
  borrowing func pairs(_ database: Database) throws(LMDBError) -> [Pair] {
    var cursor = try Cursor(self, in: database)
    var pairs: [Pair] = []
    while let row = try cursor.next() { pairs.append(Pair(row)) }
    return pairs
  }
}
