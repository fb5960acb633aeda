/// Something in the pages of a data file that LMDB would not have written.
///
/// LMDB trusts its pages: from damaged ones it may answer wrongly, fail in an assertion, or read
/// where nothing is mapped.
public struct PageFault: Hashable, Sendable {
  /// The page's number; pages count from 0.
  public let page: UInt64
  /// The database that the page is of; empty for that of the names, `free` for the free pages.
  public let database: String
  /// What should be there.
  public let expected: String
  /// What is there.
  public let found: String
}

extension Environment {
  /// Looks at every page in use, with reads of the file and not in the map, and says what is wrong.
  ///
  /// Checked are the numbers and kinds of pages, that nodes lie inside their pages and not over each
  /// other, the order of all keys and of the separators above them, depths and counts of all
  /// databases, long values, and that no page is used twice or is listed as free. The bytes of values
  /// are not: who wrote them knows what they should be.
  ///
  /// Others may write meanwhile; a reader is held as long, so that pages that are freed meanwhile
  /// are not used again. Complexity: O(pages in use); memory: a bit for each page of the file.
  ///
  /// - Parameters:
  ///   - limit: The most faults that are given.
  ///   - mayGoOn: Asked about every 10,000 pages, with how many were looked at and how many there are
  ///     at most; false ends the look.
  /// - Returns: The first faults; empty if every page that was looked at is as it should be.
  /// - Throws: ``LMDBError`` if the file cannot be read.
  public func pageFaults(
    limit: Int = 100, mayGoOn: (_ doneCount: Int, _ totalCount: Int) -> Bool = { _, _ in true }
  ) throws(LMDBError) -> [PageFault] {
    // While this reader lives, no process writes over a page that a tree of now or later uses.
    try read { (_: borrowing ReadTransaction) throws(LMDBError) in
      guard let file = try DataFile.opened(folder: path) else {
        throw LMDBError(.noSuchFile, call: "open")
      }
      var check = try PageCheck(file, pageSize: information.pageSizeBytes, limit: limit)
      while try check.step() {
        guard mayGoOn(check.doneCount, check.totalCount) else { break }
      }
      return check.faults
    }
  }
}
