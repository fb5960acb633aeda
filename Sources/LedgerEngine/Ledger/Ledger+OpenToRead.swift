internal import Glibc
internal import LMDB

extension Ledger {
  /// Whether a ledger's folder and the files in it can be written by this process, so that it can be
  /// opened for changing.
  ///
  /// - Parameter path: The ledger's folder.
  /// - Returns: False also where there is nothing.
  public static func isWritable(at path: String) -> Bool {
    Folder.isWritable(path)
      && Folder.ownNames.allSatisfy { name in
        let file = path + "/" + name
        return Folder.isWritable(file) || !Folder.isThere(file)
      }
  }

  /// Opens a ledger that is there for reading only.
  ///
  /// Without the lock file it writes nothing at all; that file is used, and made, where it can be.
  static func openToRead(_ path: String, _ options: LedgerOptions) throws(LedgerError) -> Ledger {
    let lockFile = path + "/" + Folder.lockFileName
    let isLocked = Folder.isWritable(Folder.isThere(lockFile) ? lockFile : path)
    var settings = environmentOptions(options)
    settings.access = isLocked ? .readOnly : .readOnlyUnlocked
    let lock: LedgerLock?
    let environment: Environment
    do throws(LMDBError) {
      lock = try LedgerLock.toRead(folder: path)
      environment = try Environment(path: path, options: settings)
    } catch {
      throw cannotOpen(path, error)
    }
    // First of all the format: a newer one may have other databases.
    let meta = try handle(path) { () throws(LMDBError) in try environment.openDatabases(["meta"])[0]
    }
    guard !meta.isAbsent else {
      throw .notALedger(path: path, reason: "its data file holds other databases")
    }
    try environment.read { (reads: borrowing ReadTransaction) throws(LedgerError) in
      try Meta.requireFormat(reads, in: meta)
    }
    let databases = try handle(path) { () throws(LMDBError) in
      try Databases(toReadIn: environment)
    }
    let id = try environment.read { (reads: borrowing ReadTransaction) throws(LedgerError) in
      try Meta.ledgerID(reads, databases)
    }
    return Ledger(
      path: path, id: id, lock: lock, environment: environment, databases: databases,
      options: options, isLocked: isLocked)
  }
}
