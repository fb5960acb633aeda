internal import CLMDB
internal import Glibc

extension Environment {
  /// Copies a snapshot of the environment into a new file, without free pages and what is in them.
  ///
  /// Others may read and write meanwhile; the pages that they free cannot be used again until the
  /// copy is done. The file is complete on return but not flushed. Complexity: O(pages in use).
  ///
  /// - Parameter file: The new file; there must be none.
  /// - Throws: ``LMDBError``; what was written of the file is removed then.
  public func copyCompacted(to file: String) throws(LMDBError) {
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw LMDBError(.init(rawValue: errno), call: "open") }
    defer { _ = Glibc.close(descriptor) }
    do throws(LMDBError) {
      try whileOpen { () throws(LMDBError) in
        try unsafe check(
          mdb_env_copyfd2(raw, descriptor, UInt32(MDB_CP_COMPACT)), "mdb_env_copyfd2")
      }
    } catch {
      unsafe unlink(file)
      throw error
    }
  }
}
