internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// The ids of `users` in order of their bytes: what `userNumbers` holds.
///
/// Memory: the ids, and 40 bytes for each.
struct UserIndex {
  /// The users who have an id, in order of their numbers.
  private(set) var numbers: [UserNumber] = []
  /// Indices of them, in order of the ids.
  private(set) var order: [UInt32] = []
  private var bytes: [UInt8] = []
  /// Where each id ends in `bytes`.
  private var ends: [Int] = []

  /// Reads `users`.
  init(_ reads: borrowing ReadTransaction, _ databases: Databases) throws(LedgerError) {
    var cursor = try reads.scan(databases.users)
    while let row = try cursor.step() {
      let (key, value) = (row.key, row.value)
      if let user = UserRowView(value), let number = try? Keys.user(key) {
        numbers.append(number)
        bytes.append(user.id)
        ends.append(bytes.count)
      } else {
        // A tombstone; or damage, which is an error.
        _ = try decoding(.userRow, "users") { () throws(CodecError) in
          try UserRow(decoding: value)
        }
      }
    }
    order = KeyOrder.sorted(count: numbers.count) { KeyOrder.word(id($0), $1) }
  }

  /// The id of an index.
  @_lifetime(borrow self)
  func id(_ index: UInt32) -> Span<UInt8> {
    let start = index == 0 ? 0 : ends[Int(index) - 1]
    return bytes.span.extracting(start..<ends[Int(index)])
  }
}
