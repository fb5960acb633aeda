internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Reads names of users that are not remembered, those that lie together at little cost.
struct NameReader: ~Copyable, ~Escapable {
  private var cursor: Cursor

  @_lifetime(borrow reads)
  init(_ reads: borrowing ReadTransaction, _ databases: Databases) throws(LedgerError) {
    cursor = try reads.scan(databases.users)
  }

  /// The id in the row of a user who has a live reaction: such a user is not erased.
  @_lifetime(&self)
  mutating func id(of number: UserNumber) throws(LedgerError) -> Span<UInt8> {
    let key = Keys.user(number)
    guard let row = try cursor.get(key.span) else {
      throw missing(.userRow, "users \(number)", "the row of a user with a live reaction")
    }
    guard let id = try userID(in: row, of: number) else {
      throw missing(.erasedIsGone, "users \(number)", "the id of a user with a live reaction")
    }
    return id
  }
}

/// The bytes of the id in a row of `users`; `nil` if the user is erased.
@_lifetime(copy row)
func userID(
  in row: Span<UInt8>, of number: UserNumber
) throws(LedgerError) -> Span<UInt8>? {
  do throws(CodecError) {
    return try UserRow.id(in: row)
  } catch {
    throw .damaged(
      Finding(
        .userRow, place: "users \(number)", expected: "bytes of the format", found: "\(error)"))
  }
}

extension NameReader {
  /// The id of a user who has a live reaction, remembered in `ids` from now on.
  mutating func learn(
    _ number: UserNumber, _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> UserID {
    let bytes = try id(of: number)
    let id = try decoding(.userRow, "users \(number)") { () throws(CodecError) in
      do throws(IdentifierError) {
        return try UserID(utf8: bytes)
      } catch {
        throw .badValue("user id")
      }
    }
    ids.learn(id, of: number)
    return id
  }
}

extension Snapshot {
  /// Gives all users of a list their names.
  ///
  /// Complexity: O(1) for each name that is remembered, else one get.
  func resolve(_ users: inout UserNames) throws(LedgerError) {
    try resolve(&users, &memory.names)
  }

  private func resolve(
    _ users: inout UserNames, _ names: inout NumberTable<ShortName>
  ) throws(LedgerError) {
    users.resolve(from: names)
    guard users.lacksNames else { return }
    var reader = try NameReader(reads, databases)
    while users.lacksNames {
      let number = users.nextNumber
      let bytes = try reader.id(of: number)
      if let name = ShortName(bytes) {
        names.learn(name, of: number)
        users.append(name)
      } else {
        users.append(long: bytes)
      }
      users.resolve(from: names)
    }
  }

  /// The id of a user who has a live reaction, remembered in `ids`.
  func reactorName(
    _ number: UserNumber, _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> UserID {
    if let id = ids[number] { return id }
    var reader = try NameReader(reads, databases)
    return try reader.learn(number, &ids)
  }

  /// The ids of users who have a live reaction, remembered in `ids`.
  func reactorNames(
    _ users: borrowing UserNames, _ ids: inout NumberTable<UserID>
  ) throws(LedgerError) -> [UserID] {
    let numbers = users.allNumbers
    return try [UserID](capacity: numbers.count) { (found) throws(LedgerError) in
      ids.append(valuesOf: numbers, to: &found)
      guard found.count < numbers.count else { return }
      var reader = try NameReader(reads, databases)
      while found.count < numbers.count {
        found.append(try reader.learn(numbers[found.count], &ids))
        ids.append(valuesOf: numbers, to: &found)
      }
    }
  }
}
