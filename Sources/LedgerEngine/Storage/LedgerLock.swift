internal import Glibc
internal import LMDB

/// The ledger's own lock file, held shared by every process that has the ledger open, so that
/// nobody replaces the data file under another's feet.
@safe final class LedgerLock: Sendable {
  /// How the lock is held.
  enum Mode {
    /// With others; waits while somebody holds it alone.
    case shared
    /// Alone; fails with `wouldBlock` if anybody holds it.
    case exclusive
  }

  /// Its name in the ledger's folder.
  static let fileName = "ledger.lock"
  private let descriptor: Int32

  /// Takes the lock.
  convenience init(folder: String, _ mode: Mode = .shared) throws(LMDBError) {
    let path = folder + "/" + Self.fileName
    let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw LMDBError(.init(rawValue: errno), call: "open \(Self.fileName)")
    }
    try self.init(descriptor: opened, mode)
  }

  private init(descriptor: Int32, _ mode: Mode) throws(LMDBError) {
    let operation = mode == .shared ? LOCK_SH : LOCK_EX | LOCK_NB
    while flock(descriptor, operation) != 0 {
      let code = errno
      guard code == EINTR else {
        close(descriptor)
        throw LMDBError(.init(rawValue: code), call: "flock")
      }
    }
    self.descriptor = descriptor
  }

  /// Takes the lock shared without writing; `nil` if its file is not there or may not be read.
  static func toRead(folder: String) throws(LMDBError) -> LedgerLock? {
    let opened = unsafe open(folder + "/" + fileName, O_RDONLY | O_CLOEXEC)
    return opened < 0 ? nil : try LedgerLock(descriptor: opened, .shared)
  }

  deinit { close(descriptor) }

  /// The processes that hold the lock of a folder, as the kernel lists them.
  static func holders(folder: String) -> [Int] {
    var status = stat()
    guard unsafe stat(folder + "/" + fileName, &status) == 0 else { return [] }
    // "1: FLOCK  ADVISORY  READ 4711 08:01:1234567 0 EOF": process, device and inode.
    let suffix = ":\(status.st_ino)"
    let processes = lockTable().split(separator: "\n").compactMap { line -> Int? in
      let fields = line.split(separator: " ")
      guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(suffix) else { return nil }
      return Int(fields[4])
    }
    return Set(processes).sorted()
  }

  private static func lockTable() -> String {
    let descriptor = unsafe open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var (text, part): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 4096))
    while case let count = unsafe read(descriptor, &part, part.count), count > 0 {
      text += part.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
