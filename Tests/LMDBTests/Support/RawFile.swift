import Foundation
import Glibc

/// The data file of an environment as bytes, with the layout of LMDB 0.9.
struct RawFile {
  static let pageSize = 4096
  /// Places in a meta page.
  static let mapSize = 32
  static let pageSizeField = 40
  static let freeRoot = 80
  static let lastPage = 136
  static let transaction = 144

  var bytes: [UInt8]

  /// Reads the file of an environment that is closed.
  init(folder: String) throws {
    bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/data.mdb")))
  }

  /// Makes it the only file of a folder.
  func write(to folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder + "/lock.mdb")
    try Data(bytes).write(to: URL(filePath: folder + "/data.mdb"))
  }

  var pageCount: Int { bytes.count / Self.pageSize }

  func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }

  func word(_ place: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  mutating func setWord(_ place: Int, _ value: UInt64) {
    for index in 0..<8 {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  /// Where the newest meta page begins.
  var newestMeta: Int {
    word(Self.transaction) < word(Self.pageSize + Self.transaction) ? Self.pageSize : 0
  }

  /// Writes a word over both meta pages of an environment that is open: its map shows it at once.
  static func overwriteMetas(_ folder: String, at place: Int, with value: UInt64) -> Bool {
    let descriptor = unsafe open(folder + "/data.mdb", O_WRONLY)
    defer { close(descriptor) }
    return [0, pageSize].allSatisfy { start in
      var word = value.littleEndian
      return unsafe pwrite(descriptor, &word, 8, off_t(start + place)) == 8
    }
  }
}
