internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// Goes through the reactors of one reaction that is too popular for its row, in order of adding.
struct ReactorScan: ~Copyable, ~Escapable {
  private var cursor: Cursor
  private let opened: UInt64
  private let start: InlineArray<12, UInt8>
  private var hasBegun = false

  /// Begins at the first add whose sequence is `sequence` or later.
  @_lifetime(borrow reads)
  init(
    _ slot: ProjectionSlot, opened: UInt64, from sequence: UInt64,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    cursor = try reads.scan(slot.reactors)
    self.opened = opened
    start = Keys.reactor(opened: opened, sequence: sequence)
  }

  /// The next reactor, or `nil` after the last one.
  @_lifetime(self: copy self)
  mutating func next() throws(LedgerError) -> Reactor? {
    let opened = opened
    if hasBegun {
      guard let row = try cursor.step() else { return nil }
      return try Self.reactor(row, of: opened)
    }
    hasBegun = true
    let start = start
    guard let row = try cursor.move(to: start.span) else { return nil }
    return try Self.reactor(row, of: opened)
  }

  /// The reactor before, or `nil` before the first one; begins before the starting place.
  @_lifetime(self: copy self)
  mutating func previous() throws(LedgerError) -> Reactor? {
    let (opened, start) = (opened, start)
    if !hasBegun {
      hasBegun = true
      let isAtEnd = try cursor.move(to: start.span) == nil
      if isAtEnd {
        guard let row = try cursor.end() else { return nil }
        return try Self.reactor(row, of: opened)
      }
    }
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
