internal import CLMDB

/// The cursors of a write transaction: one for each database that it uses often.
///
/// A cursor that is on a page already finds the next key of that page there, so that reading a value
/// and putting it back, or appending, walks down the tree once or not at all.
///
/// Sound: only the thread that holds LMDB's lock for writing uses it. LMDB moves the cursors with
/// every change in the transaction, puts those of the outer transaction back when an inner one is
/// undone, and closes them when the transaction ends.
@safe final class WriteCursors: @unchecked Sendable {
  /// The cursor of one database.
  @safe struct Kept {
    var useCount = 0
    var cursor: OpaquePointer?
  }

  /// How often a transaction uses a database without a cursor: a commit of one event needs none.
  private static let plainUseCount = 2

  private var kept: [Kept]

  /// - Parameter databaseCount: Handles from this on have no cursor.
  init(databaseCount: Int) { kept = Array(repeating: Kept(), count: databaseCount) }

  /// A transaction begins: forgets the cursors of the last.
  func removeAll() {
    for index in kept.indices { kept[index] = Kept() }
  }

  /// An inner transaction begins: it has cursors of its own.
  ///
  /// - Returns: Those of the outer one, to be given to ``restore(_:)`` when the inner one ends.
  func take() -> [Kept] {
    let outer = kept
    removeAll()
    return outer
  }

  /// An inner transaction has ended.
  func restore(_ outer: [Kept]) { kept = outer }

  /// The cursor of a database; `nil` for the first uses in a transaction.
  func cursor(
    _ database: Database, in transaction: OpaquePointer
  ) throws(LMDBError) -> OpaquePointer? {
    let index = Int(database.handle)
    guard index < kept.count else { return nil }
    if let cursor = unsafe kept[index].cursor { return unsafe cursor }
    kept[index].useCount += 1
    guard kept[index].useCount > Self.plainUseCount else { return nil }
    try unsafe check(
      mdb_cursor_open(transaction, database.handle, &kept[index].cursor), "mdb_cursor_open")
    return unsafe kept[index].cursor
  }
}
