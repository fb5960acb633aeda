internal import Glibc

/// The data file of an environment, opened to be read without its map.
///
/// Closing it drops no lock: LMDB locks another file.
struct DataFile: ~Copyable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = Glibc.close(descriptor) }

  /// Opens the file; `nil` if it is not there.
  static func opened(folder: String) throws(LMDBError) -> DataFile? {
    let descriptor = unsafe Glibc.open(folder + "/data.mdb", O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { return DataFile(descriptor: descriptor) }
    guard errno != ENOENT else { return nil }
    throw LMDBError(.init(rawValue: errno), call: "open")
  }

  borrowing func byteCount() throws(LMDBError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw LMDBError(.init(rawValue: errno), call: "fstat")
    }
    return Int(status.st_size)
  }

  /// Up to `count` bytes; fewer at the end of the file.
  borrowing func bytes(at place: Int, count: Int) throws(LMDBError) -> PageBytes {
    var page = PageBytes()
    try read(at: place, count: count, into: &page)
    return page
  }

  /// Reads up to `count` bytes in place of others; fewer at the end of the file.
  borrowing func read(
    at place: Int, count: Int, into page: inout PageBytes
  ) throws(LMDBError) {
    if page.bytes.count < count {
      page.bytes.append(contentsOf: repeatElement(0, count: count - page.bytes.count))
    }
    let found = unsafe pread(descriptor, &page.bytes, count, off_t(place))
    guard found >= 0 else { throw LMDBError(.init(rawValue: errno), call: "pread") }
    page.bytes.removeLast(page.bytes.count - found)
  }
}
