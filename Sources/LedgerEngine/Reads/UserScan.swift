internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Looks for a user's live reactions, those nearest to a bound on one side of it.
///
/// With the index by user that is one step; without it the rows of `messages` are gone through, all
/// at once or in chunks. Memory: at most four times what is wanted.
struct UserScan {
  let user: UserNumber
  let direction: PageDirection
  let bound: UInt64?
  /// How many are wanted.
  let count: Int
  /// The sequences of the adds that were found, in no order.
  private var found: [UInt64] = []
  private var lastKey: [UInt8] = []
  private(set) var isDone = false

  init(_ user: UserNumber, _ direction: PageDirection, _ bound: UInt64?, count: Int) {
    self.user = user
    self.direction = direction
    self.bound = bound
    self.count = count
  }

  /// The adds that were found, ascending; those nearest to the bound, at most as many as are wanted.
  var nearest: [UInt64] {
    let sorted = found.sorted()
    return if case .after = direction { Array(sorted.prefix(count)) } else { sorted.suffix(count) }
  }

  /// Goes on, through at most `rowLimit` rows if there is no index.
  mutating func advance(
    in snapshot: borrowing Snapshot, rowLimit: Int
  ) throws(LedgerError) {
    if snapshot.meta.indexesByUser {
      try readIndex(snapshot)
      isDone = true
      return
    }
    var cursor = try snapshot.reads.scan(snapshot.slot.messages)
    if !lastKey.isEmpty {
      // Rows of messages are never taken away, so the last key is there.
      guard try cursor.move(to: lastKey.span) != nil else {
        isDone = true
        return
      }
    }
    var rowCount = 0
    while rowCount < rowLimit {
      guard let row = try cursor.step() else {
        isDone = true
        return
      }
      let (key, value) = (row.key, row.value)
      try take(value, snapshot)
      rowCount += 1
      if rowCount == rowLimit {
        lastKey.removeAll(keepingCapacity: true)
        lastKey.append(key)
      }
    }
  }

  private mutating func take(
    _ row: Span<UInt8>, _ snapshot: borrowing Snapshot
  ) throws(LedgerError) {
    for block in try Snapshot.blocks(of: nil, in: row, "messages") {
      let sequence = try snapshot.slot.liveAdd(by: user, in: block, of: row, snapshot.reads)
      if let sequence, isWanted(sequence) { found.append(sequence) }
    }
    if found.count > 4 * count { found = nearest }
  }

  private func isWanted(_ sequence: UInt64) -> Bool {
    guard let bound else { return true }
    return if case .after = direction { sequence > bound } else { sequence < bound }
  }

  private mutating func readIndex(_ snapshot: borrowing Snapshot) throws(LedgerError) {
    found.removeAll(keepingCapacity: true)
    if case .after = direction { try readForward(snapshot) } else { try readBack(snapshot) }
  }

  private mutating func readForward(_ snapshot: borrowing Snapshot) throws(LedgerError) {
    let last = RecordFormat.sequenceBound - 1
    let start = Keys.byUser(user: user, sequence: bound.map { min($0, last - 1) + 1 } ?? 0)
    var cursor = try snapshot.reads.scan(snapshot.slot.byUser)
    do {
      guard let row = try cursor.move(to: start.span), let add = try Self.add(of: user, row) else {
        return
      }
      found.append(add)
    }
    while found.count < count, let row = try cursor.step(), let add = try Self.add(of: user, row) {
      found.append(add)
    }
  }

  private mutating func readBack(_ snapshot: borrowing Snapshot) throws(LedgerError) {
    let end = Keys.byUser(user: user, sequence: bound ?? RecordFormat.sequenceBound - 1)
    var cursor = try snapshot.reads.scan(snapshot.slot.byUser)
    let isBeyond = try cursor.move(to: end.span) == nil
    if isBeyond {
      guard let row = try cursor.end(), let add = try Self.add(of: user, row) else { return }
      found.append(add)
    }
    while found.count < count, let row = try cursor.stepBack(),
      let add = try Self.add(of: user, row)
    { found.append(add) }
  }

  /// The add in a row of `byUser`; `nil` if it is another user's.
  private static func add(of user: UserNumber, _ row: Row) throws(LedgerError) -> UInt64? {
    let key = row.key
    let found = try decoding(.byUser, "byUser \(user)") { () throws(CodecError) in
      try Keys.byUser(key)
    }
    return found.user == user ? found.sequence : nil
  }
}
