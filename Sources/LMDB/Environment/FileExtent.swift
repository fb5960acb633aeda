internal import CLMDB

/// Whether a data file still holds every page that its newest commit uses.
///
/// LMDB maps the file without looking at its length, and touching a page past its end kills the
/// process (SIGBUS). A file may well be shorter than its last page number says: pages that were
/// taken and given back within one transaction are never written. So only where it is shorter the
/// trees are walked, with `pread` instead of the map: a page in use past the end means that the
/// file was cut off.
///
/// Layout: `mdb.c` of LMDB 0.9 (MDB_page, MDB_node, MDB_meta, MDB_db), 64-bit, little-endian.
/// Complexity: O(1) for a whole file, O(pages) for a short one.
enum FileExtent {
  /// Where things stand in a meta page.
  enum Meta {
    /// Bytes before the meta data: the header of every page.
    static let pageHeaderSize = 16
    /// What every meta page begins with. `MDB_MAGIC`
    static let magic = 0xBEEF_C0DE
    /// The two databases that every environment has: free pages and named databases.
    static let firstDatabase = pageHeaderSize + 24
    static let databaseCount = 2
    static let lastPage = firstDatabase + databaseCount * Tree.byteCount
    static let transaction = lastPage + 8
    /// Header and meta data together.
    static let byteCount = transaction + 8
  }

  /// Where things stand in the record of a database (`MDB_db`).
  enum Tree {
    static let byteCount = 48
    /// In the first database of a meta page this is the size of a page.
    static let pad = 0
    static let root = 40
    static let noRoot = UInt64.max
  }

  /// The sizes of pages that LMDB makes.
  static let pageSizes = 512...65536
  /// No file is that large: addresses have 47 bits.
  static let largestFileByteCount = 1 << 47

  /// Checks what LMDB computes with before it checks it: page size and last page of both metas.
  ///
  /// Says nothing of an absent, empty or very short file: LMDB does. Needs no lock: the size of a
  /// page never changes, and another process that is making the file has room enough to do so.
  ///
  /// - Throws: ``LMDBError``: `invalid` if it is no file of LMDB, `corrupted`, or what `open` and `pread` say.
  static func verifyHeader(folder: String) throws(LMDBError) {
    guard let file = try DataFile.opened(folder: folder) else { return }
    var place = 0
    for _ in 0..<2 {
      let meta = try file.bytes(at: place, count: Meta.byteCount)
      guard meta.count == Meta.byteCount else { return }
      guard meta.half(Meta.pageHeaderSize) | meta.half(Meta.pageHeaderSize + 2) << 16 == Meta.magic
      else { throw LMDBError(.invalid, call: "the first bytes of data.mdb") }
      let pageSize = meta.half(Meta.firstDatabase) | meta.half(Meta.firstDatabase + 2) << 16
      guard pageSizes.contains(pageSize), pageSize.nonzeroBitCount == 1,
        place == 0 || place == pageSize
      else { throw LMDBError(.corrupted, call: "the size of a page in data.mdb") }
      guard meta.word(Meta.lastPage) < UInt64(largestFileByteCount / pageSize) else {
        throw LMDBError(.corrupted, call: "the last page in data.mdb")
      }
      place = pageSize
    }
  }

  /// Throws `truncated` if a page in use is past the end of `data.mdb`, `corrupted` if the pages
  /// of a short file make no tree.
  static func verify(_ environment: OpaquePointer, folder: String) throws(LMDBError) {
    let information = unsafe Environment.information(environment)
    guard let file = try DataFile.opened(folder: folder) else {
      throw LMDBError(.noSuchFile, call: "open")
    }
    // The file grows before its last page number does: a whole file is seen as whole.
    guard try file.byteCount() / information.pageSizeBytes <= information.lastPage else { return }
    // While this reader lives, no process writes over a page that a tree of now or later uses.
    var reader: OpaquePointer?
    try unsafe check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &reader), "mdb_txn_begin")
    defer { unsafe mdb_txn_abort(reader) }
    try walk(file, pageSize: information.pageSizeBytes)
  }

  /// Visits every page in use.
  static func walk(_ file: borrowing DataFile, pageSize: Int) throws(LMDBError) {
    let metas = [
      try file.bytes(at: 0, count: pageSize), try file.bytes(at: pageSize, count: pageSize),
    ]
    guard metas.allSatisfy({ $0.count == pageSize }) else {
      throw LMDBError(.truncated, call: "data.mdb")
    }
    let newest = metas[0].word(Meta.transaction) < metas[1].word(Meta.transaction) ? 1 : 0
    // The pages of this commit were written before its meta page: their end is read after it.
    var walk = PageWalk(pageSize: pageSize, pageCount: try file.byteCount() / pageSize)
    for database in 0..<Meta.databaseCount {
      let start = Meta.firstDatabase + database * Tree.byteCount
      try walk.enqueue(metas[newest].word(start + Tree.root))
    }
    while let number = walk.next() {
      let page = try file.bytes(at: Int(number) * pageSize, count: pageSize)
      guard page.count == pageSize else { throw LMDBError(.truncated, call: "data.mdb") }
      try walk.visit(page, number)
    }
  }
}
