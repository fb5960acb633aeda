internal import Glibc
internal import LMDB

/// A folder beside its final place, where something is made that appears there whole or not at all.
///
/// It is named after the place, so that what a killed maker left is found and cleared by the next.
/// Two makers at once are kept apart by a lock on the folder's lock file.
struct SideFolder: ~Copyable {
  /// The folder.
  let path: String
  private let destination: String
  private let lock: LedgerLock
  private var isPublished = false

  /// Makes the folder, empty.
  ///
  /// - Throws: ``LedgerError/alreadyExists(path:)`` if there is something at the place already.
  init(for place: String, named suffix: String) throws(LedgerError) {
    let destination = Folder.trimmed(place)
    let there = Folder.look(at: destination)
    guard there == .absent || there == .empty else {
      throw LedgerError.alreadyExists(path: destination)
    }
    let path = destination + suffix
    if unsafe mkdir(path, 0o755) != 0, errno != EEXIST {
      throw LedgerError.cannotOpen(path: path, reason: .init(.init(rawValue: errno), call: "mkdir"))
    }
    do throws(LMDBError) {
      lock = try LedgerLock(folder: path, .exclusive)
    } catch {
      throw error.code == .wouldBlock
        ? .inUse(path: path, processIDs: LedgerLock.holders(folder: path)) : .storage(error)
    }
    self.path = path
    self.destination = destination
    Folder.removeOwnFiles(in: path, except: [LedgerLock.fileName])
  }

  /// Flushes what is in the folder, gives it its name, and flushes that.
  consuming func publish() throws(LedgerError) {
    do throws(LMDBError) {
      try Folder.flush(path + "/" + Folder.dataFileName)
      try Folder.flush(path)
    } catch {
      throw .storage(error)
    }
    let hold = try makeRoom()
    defer { withExtendedLifetime(hold) {} }
    do throws(LMDBError) {
      guard unsafe rename(path, destination) == 0 else {
        throw LMDBError(.init(rawValue: errno), call: "rename")
      }
      isPublished = true
      try Folder.flush(destination + "/..")
    } catch {
      throw .storage(error)
    }
  }

  /// Makes sure that nothing is replaced: looks again at the place, and takes away what a founding
  /// that was interrupted left there, while nobody can found a ledger in it.
  private func makeRoom() throws(LedgerError) -> LedgerLock? {
    switch Folder.look(at: destination) {
    case .absent: return nil
    case .empty: break
    default: throw .alreadyExists(path: destination)
    }
    let hold: LedgerLock
    do throws(LMDBError) {
      hold = try LedgerLock(folder: destination, .exclusive)
    } catch {
      throw error.code == .wouldBlock ? .alreadyExists(path: destination) : .storage(error)
    }
    guard Folder.look(at: destination) == .empty else {
      throw .alreadyExists(path: destination)
    }
    Folder.removeOwnFiles(in: destination)
    return hold
  }

  deinit {
    guard !isPublished else { return }
    Folder.removeOwnFiles(in: path)
    unsafe rmdir(path)
  }
}
