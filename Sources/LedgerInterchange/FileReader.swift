import Glibc

/// What can go wrong with a file that is only read.
struct FileError: Error, Equatable, CustomStringConvertible {
  /// The file or folder.
  let path: String
  /// The system's error number.
  let code: Int32

  /// What went wrong, without the path.
  var description: String {
    switch code {
    case ENOENT: "no such file or folder"
    case ENOTDIR: "not a folder"
    case EISDIR: "a folder, not a file"
    case EACCES, EPERM: "reading is not permitted"
    case ELOOP: "too many symbolic links"
    case ENAMETOOLONG: "the path is too long"
    case EMFILE, ENFILE: "too many files are open"
    case EIO: "the device failed to read"
    default: "reading failed with the system's error \(code)"
    }
  }
}

/// A file that is open for reading; closed when the last reference to it goes away.
final class FileReader {
  /// The file's path.
  let path: String
  private let descriptor: CInt
  private var chunk = [UInt8](repeating: 0, count: 64 * 1024)

  /// Opens a file.
  init(_ path: String) throws(FileError) {
    // Sound: the system copies the path, which lives as long as the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  private init(standardInput descriptor: CInt) {
    path = "-"
    self.descriptor = descriptor
  }

  /// The standard input; it is closed when nobody refers to it any more.
  static var standardInput: FileReader { FileReader(standardInput: STDIN_FILENO) }

  deinit { _ = close(descriptor) }

  /// Reads on, appending to a buffer.
  ///
  /// - Returns: How many bytes were appended: at most 64 KiB, 0 only at the end of the file.
  func read(appendingTo buffer: inout [UInt8]) throws(FileError) -> Int {
    while true {
      // Sound: the system writes at most `count` bytes into the chunk, which has so many and lives
      // as long as the call.
      let count = unsafe chunk.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      }
      let code = errno
      if count < 0 && code == EINTR { continue }
      guard count >= 0 else { throw FileError(path: path, code: code) }
      buffer += chunk[..<count]
      return count
    }
  }
}

/// What is at a path.
enum FileKind {
  case file, folder, linkToFolder, other

  /// Looks at a path; a symbolic link to anything but a folder counts as what it leads to.
  static func of(_ path: String) throws(FileError) -> FileKind {
    var status = stat()
    // Sound, both: the system copies the path and fills the structure during the call.
    guard unsafe lstat(path, &status) == 0 else { throw FileError(path: path, code: errno) }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    if isLink {
      guard unsafe stat(path, &status) == 0 else { throw FileError(path: path, code: errno) }
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return isLink ? .linkToFolder : .folder
    case S_IFREG: return .file
    default: return .other
    }
  }
}

/// Folders and paths, read through the system.
enum Folder {
  /// The names of what a folder holds, in no order, without `.` and `..`.
  static func names(in path: String) throws(FileError) -> [String] {
    // Sound: the system copies the path.
    guard let stream = unsafe opendir(path) else { throw FileError(path: path, code: errno) }
    defer { _ = unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      // Sound: the stream is open; the entry is used before the stream is read again.
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw FileError(path: path, code: errno) }
        return names
      }
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      // Sound: the system ends the name inside the entry with a zero byte.
      let name = unsafe String(
        cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// The absolute path, without symbolic links, `.` and `..`.
  static func absolutePath(_ path: String) throws(FileError) -> String {
    // Sound: the system copies the path and gives memory of its own, ended by a zero byte, that is
    // freed once.
    guard let resolved = unsafe realpath(path, nil) else {
      throw FileError(path: path, code: errno)
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
