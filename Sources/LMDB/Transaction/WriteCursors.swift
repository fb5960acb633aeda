internal import CLMDB

/// The cursors of a write transaction: one for each database that it uses often.
///
/// A cursor that is on a page already finds the next key of that page there, so that reading a value
/// and putting it back, or appending, walks down the tree once or not at all.
///
/// A value whose memory the environment frees: a copy counts no reference.
///
/// Sound: only the thread that holds LMDB's lock for writing uses it, while the environment is open.
/// LMDB moves the cursors with every change in the transaction, puts those of the outer transaction
/// back when an inner one is undone, and closes them when the transaction ends.
@safe struct WriteCursors: @unchecked Sendable {
  /// The cursor of one database.
  @safe struct Kept {
    var useCount = 0
    var cursor: OpaquePointer?
  }

  /// How often a transaction uses a database without a cursor: a commit of one event needs none.
  private static let plainUseCount = 2

  private let kept: UnsafeMutableBufferPointer<Kept>

  /// - Parameter databaseCount: Handles from this on have no cursor.
  init(databaseCount: Int) {
    unsafe kept = .allocate(capacity: databaseCount)
    unsafe kept.initialize(repeating: Kept())
  }

  /// Frees the memory; nobody may use it any more.
  func deallocate() { unsafe kept.deallocate() }

  /// A transaction begins: forgets the cursors of the last.
  func removeAll() { unsafe kept.update(repeating: Kept()) }

  /// An inner transaction begins: it has cursors of its own.
  ///
  /// - Returns: Those of the outer one, to be given to ``restore(_:)`` when the inner one ends.
  func take() -> [Kept] {
    let outer = unsafe Array(kept)
    removeAll()
    return outer
  }

  /// An inner transaction has ended.
  func restore(_ outer: [Kept]) { _ = unsafe kept.update(fromContentsOf: outer) }

  /// The cursor of a database; `nil` for the first uses in a transaction.
  func cursor(
    _ database: Database, in transaction: OpaquePointer
  ) throws(LMDBError) -> OpaquePointer? {
    let index = Int(database.handle)
    guard unsafe index < kept.count else { return nil }
    // Sound: the index is below the count; a handle is not negative.
    let place = unsafe kept.baseAddress.unsafelyUnwrapped + index
    if let cursor = unsafe place.pointee.cursor { return unsafe cursor }
    unsafe place.pointee.useCount += 1
    guard unsafe place.pointee.useCount > Self.plainUseCount else { return nil }
    try unsafe check(
      mdb_cursor_open(transaction, database.handle, &place.pointee.cursor), "mdb_cursor_open")
    return unsafe place.pointee.cursor
  }
}
