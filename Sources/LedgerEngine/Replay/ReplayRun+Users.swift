internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks `users`: a row for each number, which opens the commitment in the log (U1, U2, U3).
  mutating func checkUsers() throws(LedgerError) {
    var next: UserNumber = 1
    while true {
      let isDone = try chunk { (reads, _, run) throws(LedgerError) -> Bool in
        let count = run.log.reducer.users.count
        let end = min(Int(next) + run.chunkCount, count + 1)
        let sealer = Sealer()
        // In order of keys, so a cursor is nearly there.
        var rows = try reads.scan(run.databases.users)
        while Int(next) < end {
          try run.checkUser(next, &rows, sealer)
          next += 1
        }
        run.report(.users, Int(next) - 1, count)
        return Int(next) > count
      }
      if isDone { return }
    }
  }

  /// Checks that `users` has no row for a number that the log does not give (U1): one that was cut
  /// off has.
  mutating func checkUserCount() throws(LedgerError) {
    try chunk { (reads, _, run) throws(LedgerError) in
      let (found, expected) = (
        try reads.count(of: run.databases.users), run.log.reducer.users.count
      )
      if found != expected {
        run.report(
          .userRow, at: FindingPlace(.userCount), "users, number of pairs", "\(expected)",
          "\(found)")
      }
    }
  }

  private mutating func checkUser(
    _ number: UserNumber, _ rows: inout Cursor, _ sealer: Sealer
  ) throws(LedgerError) {
    let key = Keys.user(number)
    let user = log.reducer.users[Int(number) - 1]
    let expected = log.reducer.commitments[Int(number) - 1]
    guard let bytes = try rows.get(key.span) else {
      report(.userRow, at: .user(number), "users \(number)", "a row", "nothing")
      return
    }
    guard let row = UserRowView(bytes) else {
      return checkTombstone(bytes, of: number, isErased: user.isErased)
    }
    if row.isClosing { closing.append(number) }
    if user.isErased {
      report(.tombstone, at: .user(number), "users \(number)", "a tombstone", "salt and id")
    }
    let commitment = sealer.commitment(opening: row.opening)
    if commitment != expected {
      report(
        .commitmentOpens, at: .user(number), "users \(number)",
        "what opens \(hexadecimal(expected.words.0))…",
        "what opens \(hexadecimal(commitment.words.0))…")
    }
  }

  /// Checks a row that has no id: a tombstone, or damaged.
  private mutating func checkTombstone(
    _ bytes: Span<UInt8>, of number: UserNumber, isErased: Bool
  ) {
    do throws(CodecError) {
      _ = try UserRow(decoding: bytes)
      guard !isErased else { return }
      report(
        .tombstone, at: .user(number), "users \(number)", "a user who was not erased", "a tombstone"
      )
    } catch {
      report(.userRow, at: .user(number), "users \(number)", "a row", "\(error)")
    }
  }

  /// Checks that each pair of `userNumbers` is what `users` says (J6).
  mutating func checkUserNumbers() throws(LedgerError) {
    try walk(nil) { (databases, _) in
      databases.userNumbers
    } _: { (row, reads, run) throws(LedgerError) in
      try run.checkUserNumber(row.key, row.value, reads)
    }
  }

  private mutating func checkUserNumber(
    _ key: Span<UInt8>, _ value: Span<UInt8>, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let number: UserNumber
    do throws(CodecError) {
      number = try Keys.user(value)
    } catch {
      report(
        .userNumbers, at: FindingPlace(.userNumbers, [UInt8](key)), Self.place(key), "a number",
        "\(value.count) bytes")
      return
    }
    let row = Keys.user(number)
    let bytes = try reads.get(row.span, in: databases.users)
    if let bytes, let user = UserRowView(bytes) {
      if !user.id.equals(key) {
        report(
          .userNumbers, at: FindingPlace(.userNumbers, [UInt8](key)), Self.place(key),
          "the number of this id",
          "\(number), which is \(Self.text(user.id))")
      }
    } else {
      report(
        .userNumbers, at: FindingPlace(.userNumbers, [UInt8](key)), Self.place(key),
        "the number of this id",
        "\(number), which is nobody")
    }
  }

  private static func place(_ key: Span<UInt8>) -> String { "userNumbers \(text(key))" }

  private static func text(_ bytes: Span<UInt8>) -> String {
    String(decoding: [UInt8](bytes), as: UTF8.self)
  }
}

extension FindingPlace {
  /// The place of a row of `users`.
  static func user(_ number: UserNumber) -> FindingPlace {
    FindingPlace(.users, [UInt8](Keys.user(number).span))
  }
}
