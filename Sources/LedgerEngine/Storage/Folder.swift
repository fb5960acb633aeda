internal import Glibc
internal import LMDB

/// What is at a path, seen before LMDB touches it.
enum Folder: Equatable {
  case absent
  case empty
  case ledger
  case foreign(String)
  case unreadable(LMDBError)

  static let dataFileName = "data.mdb"
  /// Where a compaction copies to.
  static let newDataFileName = "data.mdb.new"
  static let lockFileName = "lock.mdb"
  static let ownNames: Set = [
    dataFileName, newDataFileName, lockFileName, LedgerLock.fileName,
  ]

  static func look(at path: String) -> Folder {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let code = errno
      return code == ENOENT
        ? .absent : .unreadable(LMDBError(.init(rawValue: code), call: "stat"))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return .foreign("it is not a folder") }
    var data = stat()
    if unsafe stat(path + "/" + dataFileName, &data) == 0 {
      // Of 0 bytes if whoever made it was killed there: nothing was ever recorded in it.
      if data.st_size > 0 { return .ledger }
    } else {
      let code = errno
      guard code == ENOENT else {
        return .unreadable(LMDBError(.init(rawValue: code), call: "stat"))
      }
    }
    guard let names = names(in: path) else {
      return .unreadable(LMDBError(.init(rawValue: errno), call: "opendir"))
    }
    return names.isSubset(of: ownNames) ? .empty : .foreign("it is a folder with other files")
  }

  /// Whether this process may write a file, or make files in a folder.
  ///
  /// Nothing is opened to see it: closing LMDB's lock file would drop this process's locks on it.
  static func isWritable(_ path: String) -> Bool {
    unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }

  /// Whether there is something at a path.
  static func isThere(_ path: String) -> Bool {
    unsafe faccessat(AT_FDCWD, path, F_OK, 0) == 0
  }

  /// Flushes a file, or a folder so that the files in it are found after a power cut.
  static func flush(_ path: String) throws(LMDBError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(.init(rawValue: errno), call: "open") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw LMDBError(.init(rawValue: errno), call: "fsync") }
  }

  /// The size of a file, 0 if it is not there.
  static func fileByteCount(_ path: String) -> Int {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return 0 }
    return Int(status.st_size)
  }

  /// Removes the files of a ledger from a folder, and no others.
  static func removeOwnFiles(in path: String, except kept: Set<String> = []) {
    for name in ownNames.subtracting(kept) { unsafe unlink(path + "/" + name) }
  }

  /// The path without slashes at its end.
  static func trimmed(_ path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names in a folder; `nil` if it cannot be read, `errno` then says why.
  private static func names(in path: String) -> Set<String>? {
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var names: Set<String> = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.insert(name) }
    }
    return names
  }
}
