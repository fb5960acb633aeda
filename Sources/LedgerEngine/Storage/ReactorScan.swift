internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Goes through the reactors of one reaction that is too popular for its row, in order of adding.
struct ReactorScan: ~Copyable, ~Escapable {
  private var cursor: Cursor
  private let opened: UInt64
  /// The reactor at the starting place, until it is given.
  private var pending: Reactor?
  /// Whether nothing is at or after the starting place, of any reaction.
  private let isAtEnd: Bool
  private var hasGoneBack = false

  /// Begins at the first add whose sequence is `sequence` or later.
  @_lifetime(borrow reads)
  init(
    _ slot: ProjectionSlot, opened: UInt64, from sequence: UInt64,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    var cursor = try reads.scan(slot.reactors)
    let start = Keys.reactor(opened: opened, sequence: sequence)
    var (pending, isAtEnd): (Reactor?, Bool) = (nil, true)
    if let row = try cursor.move(to: start.span) {
      pending = try Self.reactor(row, of: opened)
      isAtEnd = false
    }
    self.cursor = cursor
    self.opened = opened
    self.pending = pending
    self.isAtEnd = isAtEnd
  }

  /// The next reactor, or `nil` after the last one; none is left once `nil` was given.
  @_lifetime(self: copy self)
  @inline(__always)
  mutating func next() throws(LedgerError) -> Reactor? {
    if let first = pending {
      pending = nil
      return first
    }
    let opened = opened
    guard !isAtEnd, let row = try cursor.step() else { return nil }
    return try Self.reactor(row, of: opened)
  }

  /// The reactor before, or `nil` before the first one; begins before the starting place.
  @_lifetime(self: copy self)
  mutating func previous() throws(LedgerError) -> Reactor? {
    let opened = opened
    if isAtEnd, !hasGoneBack {
      hasGoneBack = true
      guard let row = try cursor.end() else { return nil }
      return try Self.reactor(row, of: opened)
    }
    hasGoneBack = true
    guard let row = try cursor.stepBack() else { return nil }
    return try Self.reactor(row, of: opened)
  }

  @inline(__always)
  private static func reactor(_ row: Row, of opened: UInt64) throws(LedgerError) -> Reactor? {
    let (key, value) = (row.key, row.value)
    return try decoding(.reactors, "reactors \(opened)") { () throws(CodecError) in
      let place = try Keys.reactor(key)
      guard place.opened == opened else { return nil }
      return Reactor(user: try Keys.user(value), sequence: place.sequence)
    }
  }
}
