internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// The writer's way from ids to user numbers.
///
/// It remembers only users who are live. What a transaction gave is learnt at once: so the transaction
/// must be known to be committed, or ``forget()`` be called. Every erasure, by whichever process, makes
/// it forget.
struct UserDirectory {
  /// A user that is known.
  struct Known {
    let number: UserNumber
    /// Whether the user's erasure is under way.
    let isClosing: Bool
  }

  private let databases: Databases
  private var cache: UserNumberCache
  private var epoch: UInt64 = 0
  private var row: [UInt8] = []
  /// What reading ahead has read; kept so that the reads are not left out, and of no other use.
  private var touched: UInt64 = 0

  init(_ databases: Databases, capacity: Int) {
    self.databases = databases
    cache = UserNumberCache(capacity: capacity)
  }

  /// A transaction begins in this state.
  mutating func begin(_ state: LogState) {
    if state.meta.eraseEpoch != epoch {
      cache.removeAll()
      epoch = state.meta.eraseEpoch
    }
  }

  /// A user is being erased, or what was done in a transaction is undone.
  mutating func forget() { cache.removeAll() }

  /// The user of an id, if there is one.
  ///
  /// Complexity: O(1) if the user is remembered, else two gets.
  mutating func find(
    _ id: Span<UInt8>, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Known? {
    if let number = cache.number(of: id) { return Known(number: number, isClosing: false) }
    guard let value = try reads.get(id, in: databases.userNumbers) else { return nil }
    let number = try decoding(.userNumbers, "userNumbers \(text(id))") { () throws(CodecError) in
      try Keys.user(value)
    }
    let key = Keys.user(number)
    guard let bytes = try reads.get(key.span, in: databases.users) else {
      throw missing(.userRow, "users \(number)", "the row of \(text(id))")
    }
    guard let isClosing = UserRow.isClosing(bytes, of: id) else {
      let row = try decoding(.userRow, "users \(number)") { () throws(CodecError) in
        try UserRow(decoding: bytes)
      }
      throw .damaged(
        Finding(
          .userNumbers, place: "userNumbers \(text(id))", expected: "the number of this id",
          found: "\(number), which is \(row.id.map { "\($0)" } ?? "erased")"))
    }
    if !isClosing { cache.insert(number, for: id) }
    return Known(number: number, isClosing: isClosing)
  }

  /// Tells that the users of some commands will be looked for soon.
  mutating func expect(_ commands: ArraySlice<PreparedCommand>, _ bytes: Span<UInt8>) {
    for command in commands {
      touched ^= cache.touch(bytes.extracting(command.user.range))
    }
  }

  /// Gives a number to a new user.
  mutating func add(
    _ id: Span<UInt8>, as number: UserNumber, salt: SixteenBytes,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    row.removeAll(keepingCapacity: true)
    UserRow.encodeLive(salt: salt, id: id, into: &row)
    let key = Keys.user(number)
    try transaction.set(row.span, for: key.span, in: databases.users, .append)
    try transaction.set(key.span, for: id, in: databases.userNumbers)
    cache.insert(number, for: id)
  }

  /// What the commitment of the user who was added last is the hash of.
  var opening: Span<UInt8> {
    @_lifetime(borrow self)
    get { UserRow.opening(in: row.span) }
  }

  private func text(_ id: Span<UInt8>) -> String { String(decoding: [UInt8](id), as: UTF8.self) }
}
