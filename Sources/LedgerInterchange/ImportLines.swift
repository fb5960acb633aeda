import Glibc
internal import ReactionModel

/// The lines of a file, one after the other, of bounded length.
struct ImportLines {
  /// A line that was read.
  struct Line {
    /// Its number, counted from 1.
    let number: Int
    /// Whether it is longer than is allowed; it was passed over.
    let isTooLong: Bool
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
  var hasWholeLine: Bool { lineEnd(from: start) != nil }

  /// Reads the next line, without its end, in place of what `line` holds; `nil` at the end.
  ///
  /// What follows the last line's end is a line only if there is something.
  mutating func next(into line: inout [UInt8]) throws(FileError) -> Line? {
    line.removeAll(keepingCapacity: true)
    var searched = start
    var isTooLong = false
    while true {
      if let end = lineEnd(from: searched) {
        return finish(end, next: end + 1, isTooLong, &line)
      }
      if buffer.count - start > limit {
        isTooLong = true
        start = buffer.count
      }
      searched = buffer.count
      if isAtEnd {
        guard start < buffer.count || isTooLong else { return nil }
        return finish(buffer.count, next: buffer.count, isTooLong, &line)
      }
      searched -= start
      buffer.removeSubrange(0..<start)
      start = 0
      let count = try file.read(appendingTo: &buffer)
      byteCount += Int64(count)
      isAtEnd = count == 0
    }
  }

  private mutating func finish(
    _ end: Int, next: Int, _ wasTooLong: Bool, _ line: inout [UInt8]
  ) -> Line {
    let isTooLong = wasTooLong || end - start > limit
    if !isTooLong { line.append(buffer.span.extracting(start..<end)) }
    start = next
    number += 1
    return Line(number: number, isTooLong: isTooLong)
  }

  /// Where the first line end from an offset on is.
  private func lineEnd(from offset: Int) -> Int? {
    guard offset < buffer.count else { return nil }
    // Sound: the search stays inside the buffer, which lives as long as the call.
    return unsafe buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + offset, 0x0a, bytes.count - offset)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
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
