internal import Glibc
internal import LMDB

/// The ledger's own lock file, held shared by every process that has the ledger open, so that
/// nobody replaces the data file under another's feet.
@safe final class LedgerLock: Sendable {
  /// Its name in the ledger's folder.
  static let fileName = "ledger.lock"
  private let descriptor: Int32

  /// Takes the lock, shared, once no other process has it exclusively.
  init(folder: String) throws(LMDBError) {
    let path = folder + "/" + Self.fileName
    let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw LMDBError(.init(rawValue: errno), call: "open \(Self.fileName)")
    }
    while flock(opened, LOCK_SH) != 0 {
      let code = errno
      guard code == EINTR else {
        close(opened)
        throw LMDBError(.init(rawValue: code), call: "flock")
      }
    }
    descriptor = opened
  }

  deinit { close(descriptor) }
}
