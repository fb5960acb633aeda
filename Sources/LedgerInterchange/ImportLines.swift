/// The lines of a file, one after the other, of bounded length.
struct ImportLines {
  /// A line without its end.
  enum Line {
    /// A line and its number, counted from 1.
    case bytes([UInt8], number: Int)
    /// A line that is longer than is allowed; it was passed over.
    case tooLong(number: Int)
  }

  /// The longest line, and the largest file that is read at once: 64 MiB.
  static let maximumByteCount = 64 * 1024 * 1024

  /// How many bytes were read.
  private(set) var byteCount: Int64 = 0
  private let file: FileReader
  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where in the buffer the next line begins.
  private var start = 0
  private var number = 0
  private var isAtEnd = false

  /// Reads the lines of a file; `limit` is the longest one, in bytes without the line's end.
  init(_ file: FileReader, limit: Int = ImportLines.maximumByteCount) {
    self.file = file
    self.limit = limit
  }

  /// Whether the next line can be had without reading on.
  var hasWholeLine: Bool { buffer[start...].contains(0x0a) }

  /// The next line, or `nil` at the end.
  ///
  /// What follows the last line's end is a line only if there is something.
  mutating func next() throws(FileError) -> Line? {
    var searched = start
    var isTooLong = false
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0a) {
        let line = Array(buffer[start..<end])
        start = end + 1
        return finish(line, isTooLong)
      }
      if buffer.count - start > limit {
        isTooLong = true
        start = buffer.count
      }
      searched = buffer.count
      if isAtEnd {
        guard start < buffer.count || isTooLong else { return nil }
        let line = Array(buffer[start...])
        start = buffer.count
        return finish(line, isTooLong)
      }
      searched -= start
      buffer.removeSubrange(0..<start)
      start = 0
      let count = try file.read(appendingTo: &buffer)
      byteCount += Int64(count)
      isAtEnd = count == 0
    }
  }

  private mutating func finish(_ line: [UInt8], _ isTooLong: Bool) -> Line {
    number += 1
    return isTooLong || line.count > limit ? .tooLong(number: number) : .bytes(line, number: number)
  }
}

extension FileReader {
  /// All bytes of the file, or `nil` if there are more than the limit.
  func contents(limit: Int = ImportLines.maximumByteCount) throws(FileError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while try read(appendingTo: &bytes) > 0 {
      guard bytes.count <= limit else { return nil }
    }
    return bytes
  }
}
