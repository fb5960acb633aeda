extension FileExtent {
  /// Whether nothing was ever committed to the data file of a folder; also if there is none.
  ///
  /// So it is if the file ends before a third page begins, or if both meta pages are whole and say
  /// so. A file whose meta pages are damaged is not taken for one.
  ///
  /// - Throws: ``LMDBError``: what `open`, `fstat` and `pread` say.
  static func isUnused(folder: String) throws(LMDBError) -> Bool {
    guard let file = try DataFile.opened(folder: folder) else { return true }
    let first = try file.bytes(at: 0, count: Meta.byteCount)
    guard isMeta(first) else { return try file.byteCount() <= 2 * smallestPageSize }
    let pageSize = first.half(Meta.firstDatabase) | first.half(Meta.firstDatabase + 2) << 16
    if try file.byteCount() <= 2 * pageSize { return true }
    let second = try file.bytes(at: pageSize, count: Meta.byteCount)
    return isMeta(second) && first.word(Meta.transaction) == 0
      && second.word(Meta.transaction) == 0
  }

  /// The page size where no meta page tells it: LMDB takes the system's, which is never less.
  private static let smallestPageSize = 4096

  private static func isMeta(_ bytes: PageBytes) -> Bool {
    bytes.count == Meta.byteCount
      && bytes.half(Meta.pageHeaderSize) | bytes.half(Meta.pageHeaderSize + 2) << 16 == Meta.magic
  }
}

extension Environment {
  /// Whether nothing was ever committed to the environment in a folder; also if there is none.
  ///
  /// True of what is left if the making of an environment was interrupted. Needs no lock, but what
  /// it says holds only as long as nobody has the environment open.
  ///
  /// - Parameter path: The folder.
  /// - Returns: Whether it is.
  /// - Throws: ``LMDBError``.
  public static func isUnused(path: String) throws(LMDBError) -> Bool {
    try FileExtent.isUnused(folder: path)
  }
}
