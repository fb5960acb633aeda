internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Goes through the pairs of `reactors` or of `members` that belong to one opening sequence.
struct OpeningScan: ~Copyable, ~Escapable {
  /// What a pair says.
  enum Pair: Hashable {
    case reactor(Reactor)
    /// The key of a user in `members`, with a value that is no sequence.
    case member(UserNumber)
    /// Bytes that are no pair of the database.
    case other
  }

  private var cursor: Cursor
  private let name: ProjectionSlot.Name
  private let opened: UInt64
  private var hasBegun = false

  @_lifetime(borrow reads)
  init(
    _ name: ProjectionSlot.Name, of slot: ProjectionSlot, opened: UInt64,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    cursor = try reads.scan(slot.database(name))
    self.name = name
    self.opened = opened
  }

  /// The next pair, in order of keys; none is left once `nil` was given.
  @_lifetime(self: copy self)
  mutating func next() throws(LedgerError) -> Pair? {
    let (name, opened) = (name, opened)
    if hasBegun {
      guard let row = try cursor.step() else { return nil }
      return Self.pair(row, name, opened)
    }
    hasBegun = true
    let start = Keys.sequence(opened)
    guard let row = try cursor.move(to: start.span) else { return nil }
    return Self.pair(row, name, opened)
  }

  /// The opening sequence that a key begins with; `nil` if it is too short.
  static func opening(_ key: Span<UInt8>) -> UInt64? {
    key.count < 6 ? nil : key.bigEndian(at: 0, byteCount: 6)
  }

  private static func pair(
    _ row: borrowing Row, _ name: ProjectionSlot.Name, _ opened: UInt64
  ) -> Pair? {
    guard opening(row.key) == opened else { return nil }
    do throws(CodecError) {
      if name == .reactors {
        let key = try Keys.reactor(row.key)
        return .reactor(Reactor(user: try Keys.user(row.value), sequence: key.sequence))
      }
      let user = try Keys.member(row.key).user
      guard row.value.count == 6 else { return .member(user) }
      return .reactor(Reactor(user: user, sequence: try Keys.sequence(row.value)))
    } catch {
      return .other
    }
  }
}
