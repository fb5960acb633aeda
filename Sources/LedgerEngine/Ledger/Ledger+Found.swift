internal import Glibc
internal import LMDB

extension Ledger {
  /// Whether a ledger is still to be founded in a folder; what an interrupted founding left there is
  /// removed first.
  ///
  /// It must not be built on: a flush of it may have failed, and the system then takes for flushed
  /// what never was; a file may have got only its first page. Nothing was ever recorded in it, and
  /// it is removed only while nobody has the ledger open.
  static func mustBeFounded(_ path: String) throws(LedgerError) -> Bool {
    do throws(LMDBError) {
      guard try Environment.isUnused(path: path) else { return false }
      let lock = try LedgerLock(folder: path, .exclusive)
      defer { withExtendedLifetime(lock) {} }
      // Another process may have founded it before this one had the lock.
      guard try Environment.isUnused(path: path) else { return false }
      unsafe unlink(path + "/" + Folder.dataFileName)
      unsafe unlink(path + "/" + Folder.lockFileName)
      return true
    } catch {
      // Whoever has it open is founding it.
      if error.code == .wouldBlock { return true }
      throw cannotOpen(path, error)
    }
  }
}
