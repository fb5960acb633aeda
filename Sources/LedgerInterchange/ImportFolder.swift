internal import ReactionModel

/// Walks through a folder and all below it in the order of the bytes of the paths.
///
/// Symbolic links to folders are not followed, and folders are followed to a stated depth: both are
/// reported. In memory are the names of the folders on the way to the present one.
struct ImportFolder {
  /// What the walk comes to.
  enum Item {
    /// A file; its depth is 0 directly in the folder where the walk began.
    case file(path: String, depth: Int)
    /// Something that could not be read.
    case failure(ImportError)
  }

  /// How deep folders are followed.
  static let maximumDepth = 64

  private struct Entry {
    let path: String
    let depth: Int
    let isFolder: Bool
    /// What the entry is ordered by: a folder comes where the paths in it come.
    var key: String { isFolder ? path + "/" : path }
  }

  private var remaining: [Entry]
  private var failures: [ImportError] = []

  /// Begins a walk.
  init(_ path: String) {
    remaining = [Entry(path: path, depth: -1, isFolder: true)]
  }

  /// Goes on to the next file.
  mutating func next() -> Item? {
    while true {
      if let failure = failures.popLast() { return .failure(failure) }
      guard let entry = remaining.popLast() else { return nil }
      guard entry.isFolder else { return .file(path: entry.path, depth: entry.depth) }
      open(entry)
    }
  }

  private mutating func open(_ folder: Entry) {
    guard folder.depth < Self.maximumDepth else {
      failures.append(ImportError(path: folder.path, text: "nested too deep: not read"))
      return
    }
    var entries: [Entry] = []
    do throws(FileError) {
      for name in try Folder.names(in: folder.path) {
        let path = folder.path.utf8.last == UInt8(ascii: "/") ? folder.path : folder.path + "/"
        if let entry = look(at: path + name, depth: folder.depth + 1) { entries.append(entry) }
      }
    } catch {
      failures.append(ImportError(path: error.path, text: error.description))
    }
    failures.sort { UTF8Bytes.precedes($1.path.utf8Span.span, $0.path.utf8Span.span) }
    entries.sort { UTF8Bytes.precedes($1.key.utf8Span.span, $0.key.utf8Span.span) }
    remaining += entries
  }

  private mutating func look(at path: String, depth: Int) -> Entry? {
    do throws(FileError) {
      switch try FileKind.of(path) {
      case .file: return Entry(path: path, depth: depth, isFolder: false)
      case .folder: return Entry(path: path, depth: depth, isFolder: true)
      case .linkToFolder:
        failures.append(
          ImportError(path: path, text: "a symbolic link to a folder: not followed"))
      case .other: break
      }
    } catch {
      failures.append(ImportError(path: error.path, text: error.description))
    }
    return nil
  }
}
