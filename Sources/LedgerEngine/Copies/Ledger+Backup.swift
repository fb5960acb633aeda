internal import LMDB

extension Ledger {
  /// Makes a consistent copy of the ledger, without free space, while others go on writing.
  ///
  /// The copy is a ledger of its own with the same id and history, as of one moment. It is made in a
  /// folder beside its place and appears there whole, flushed, or not at all. Until it is done the
  /// store cannot use pages again that were freed since it began. Complexity: O(size of the ledger).
  /// Durability point: on return the copy is flushed.
  ///
  /// - Parameter path: Where the copy is to be; there must be nothing, or an empty folder.
  /// - Throws: ``LedgerError``: `alreadyExists`, `cannotOpen`, or what the storage throws.
  public func backup(to path: String) throws(LedgerError) {
    let folder = try SideFolder(for: path, named: ".backup")
    do throws(LMDBError) {
      try environment.copyCompacted(to: folder.path + "/" + Folder.dataFileName)
    } catch {
      throw LedgerError(error)
    }
    try folder.publish()
  }
}
