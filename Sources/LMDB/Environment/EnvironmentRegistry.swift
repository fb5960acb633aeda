internal import Glibc

/// The environments that this process has open: LMDB forbids opening one path twice, because any
/// close of the lock file drops the process's locks on it.
enum EnvironmentRegistry {
  /// What a folder is, however it is named.
  struct FolderIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  private static let open = Monitor<Set<FolderIdentity>>([])

  /// Notes that a folder is open.
  ///
  /// - Throws: `alreadyOpenInProcess`, or what `stat` says.
  static func enter(_ path: String) throws(LMDBError) -> FolderIdentity {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw LMDBError(.init(rawValue: errno), call: "stat")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw LMDBError(.notADirectory, call: "stat")
    }
    let identity = FolderIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    let isNew = open.withLock { $0.insert(identity).inserted }
    guard isNew else { throw LMDBError(.alreadyOpenInProcess, call: "open") }
    return identity
  }

  /// Notes that a folder is closed.
  static func leave(_ identity: FolderIdentity) { _ = open.withLock { $0.remove(identity) } }
}
