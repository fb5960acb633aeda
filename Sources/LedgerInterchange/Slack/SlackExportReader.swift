/// The messages of one day in one channel, as the export has them.
struct SlackDay {
  /// The file, and the line if it is a packed one.
  let place: ImportPlace
  /// The name of the folder that holds the day's file.
  let channel: String
  /// The messages.
  let messages: [JSONValue]
}

/// Reads a Slack export day by day.
///
/// An input is a packed file (`.jsonl`: on each line `{"path":"c1/2020-11-05.json","messages":[…]}`),
/// the file of one day (`.json`: an array of messages), or a folder. In a folder every `.json` below
/// a channel's folder is a day, and so is one named like a date directly in it; other `.json` there
/// are lists of users or channels, and like files of other sorts they are not read. Packed files are
/// read wherever they are.
struct SlackExportReader {
  /// What the reader comes to.
  enum Item {
    /// The messages of a day.
    case day(SlackDay)
    /// A part that could not be read.
    case failure(ImportError)
  }

  private struct PackedFile {
    let path: String
    var lines: ImportLines
  }

  private struct FolderWalk {
    let path: String
    var folder: ImportFolder
    var isEmpty = true
  }

  private let paths: [String]
  private var nextPath = 0
  private var walk: FolderWalk?
  private var packed: PackedFile?

  /// How many bytes were read.
  private(set) var byteCount: Int64 = 0

  /// Reads the inputs at some paths, in the order given.
  init(_ paths: [String]) { self.paths = paths }

  /// Goes on to the next day.
  mutating func next() -> Item? {
    while true {
      if packed != nil {
        if let item = nextLine() { return item }
      } else if walk != nil {
        if let item = nextFile() { return item }
      } else {
        guard nextPath < paths.count else { return nil }
        nextPath += 1
        if let item = open(paths[nextPath - 1]) { return item }
      }
    }
  }

  private mutating func open(_ path: String) -> Item? {
    do throws(FileError) {
      switch try FileKind.of(path) {
      case .folder, .linkToFolder:
        walk = FolderWalk(path: path, folder: ImportFolder(path))
        return nil
      case .file, .other:
        if path.utf8.hasSuffix(".jsonl") { return try openPacked(path) }
        if path.utf8.hasSuffix(".json") { return try readDay(path) }
        return failure(path, "neither a folder nor a .json or .jsonl file")
      }
    } catch {
      return failure(error.path, error.description)
    }
  }

  private mutating func nextFile() -> Item? {
    guard let item = walk?.folder.next() else {
      defer { walk = nil }
      guard let walk, walk.isEmpty else { return nil }
      return failure(walk.path, "no file of a Slack export is in this folder")
    }
    switch item {
    case .failure(let error):
      walk?.isEmpty = false
      return .failure(error)
    case .file(let path, let depth):
      do throws(FileError) {
        if path.utf8.hasSuffix(".jsonl") {
          walk?.isEmpty = false
          return try openPacked(path)
        }
        guard path.utf8.hasSuffix(".json"), depth > 0 || Self.isNamedAsDay(path) else {
          return nil
        }
        walk?.isEmpty = false
        return try readDay(path)
      } catch {
        return failure(error.path, error.description)
      }
    }
  }

  private func failure(
    _ path: String, line: Int? = nil, offset: Int? = nil, _ text: String
  ) -> Item {
    .failure(ImportError(path: path, line: line, offset: offset, text: text))
  }
}

extension SlackExportReader {
  private mutating func readDay(_ path: String) throws(FileError) -> Item? {
    guard let bytes = try FileReader(path).contents() else {
      return failure(path, "the file has more than 64 MiB")
    }
    byteCount += Int64(bytes.count)
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONParser.parse(bytes)
    } catch {
      return failure(path, offset: error.offset, error.reason.description)
    }
    guard case .array(let messages) = document else {
      return failure(path, offset: 0, "expected an array of messages, not \(document.kind)")
    }
    var channel = Self.channel(of: path)
    if channel == nil { channel = Self.channel(of: try Folder.absolutePath(path)) }
    guard let channel else {
      return failure(path, "no folder with the channel's name holds the file")
    }
    return .day(SlackDay(place: ImportPlace(path: path), channel: channel, messages: messages))
  }

  private mutating func openPacked(_ path: String) throws(FileError) -> Item? {
    packed = PackedFile(path: path, lines: ImportLines(try FileReader(path)))
    return nil
  }

  private mutating func nextLine() -> Item? {
    guard var file = packed else { return nil }
    packed = nil
    do throws(FileError) {
      let before = file.lines.byteCount
      var bytes: [UInt8] = []
      guard let line = try file.lines.next(into: &bytes) else { return nil }
      byteCount += file.lines.byteCount - before
      packed = file
      if line.isTooLong {
        return failure(file.path, line: line.number, "the line has more than 64 MiB")
      }
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return nil }
      return readLine(bytes, ImportPlace(path: file.path, line: line.number))
    } catch {
      return failure(error.path, error.description)
    }
  }

  private func readLine(_ bytes: [UInt8], _ place: ImportPlace) -> Item? {
    func failure(_ offset: Int, _ text: String) -> Item {
      .failure(ImportError(path: place.path, line: place.line, offset: offset, text: text))
    }
    do throws(JSONError) {
      let document = try JSONParser.parse(bytes)
      guard let path = document["path"]?.string else {
        return failure(0, "expected an object with the path of a day's file")
      }
      guard let channel = Self.channel(of: path) else {
        guard Self.isNamedAsDay(path) else { return nil }
        return failure(0, "the path names no folder with the channel's name")
      }
      guard let messages = document["messages"]?.array else {
        return failure(0, "expected an array of messages")
      }
      return .day(SlackDay(place: place, channel: channel, messages: messages))
    } catch {
      return failure(error.offset, error.reason.description)
    }
  }

  /// The name of the folder that a path puts the file in, or `nil` if the path does not tell.
  static func channel(of path: String) -> String? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    guard parts.count >= 2 else { return nil }
    let name = String(Substring(parts[parts.count - 2]))
    return name == "." || name == ".." ? nil : name
  }

  /// Whether a path ends in `YYYY-MM-DD.json`.
  static func isNamedAsDay(_ path: String) -> Bool {
    let name = path.utf8.suffix(while: { $0 != UInt8(ascii: "/") })
    guard name.count == 15, name.hasSuffix(".json") else { return false }
    return zip(name, "0000-00-00".utf8).allSatisfy { byte, pattern in
      pattern == UInt8(ascii: "-") ? byte == pattern : byte &- UInt8(ascii: "0") < 10
    }
  }
}

extension BidirectionalCollection where Element == UInt8 {
  /// Whether the bytes end in those of a text.
  fileprivate func hasSuffix(_ text: String) -> Bool {
    reversed().starts(with: text.utf8.reversed())
  }

  /// The longest end of which every byte fulfils a condition.
  fileprivate func suffix(while condition: (UInt8) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, condition(self[index(before: start)]) { formIndex(before: &start) }
    return self[start...]
  }
}
