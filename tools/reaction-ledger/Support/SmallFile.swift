import Glibc

/// Files that are read or written as a whole: keys, checkpoints, proofs.
enum SmallFile {
  /// The most bytes that are read: three proofs of the longest kind, in JSON.
  static let maximumByteCount = 8_000_000

  /// The bytes of a file.
  ///
  /// - Throws: ``Failure`` with the status *inputErrors* if it cannot be read, or is too long.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    // Sound: the system copies the path, which lives as long as the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannotRead(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      // Sound: the system writes at most `count` bytes into the chunk, which has so many.
      let count = unsafe chunk.withUnsafeMutableBytes { room in
        unsafe Glibc.read(descriptor, room.baseAddress, room.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw cannotRead(path, errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= maximumByteCount else {
        throw Failure(.inputErrors, "\(path) is longer than \(maximumByteCount) bytes")
      }
    }
  }

  /// Makes a file, which must not be there, and flushes it; what could not be written whole is
  /// removed.
  ///
  /// - Parameters:
  ///   - path: Where; nothing that is there is ever replaced, and no link followed.
  ///   - bytes: Its content.
  ///   - mode: Its permissions from the first moment on, less those that the process masks.
  /// - Throws: ``Failure`` with the status *differs* if there is something already, else *unusable*.
  static func create(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o666) throws(Failure) {
    // Sound, here and below: the system copies the path, which lives as long as the call.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      guard errno != EEXIST else {
        throw Failure(.differs, "there is something at \(path) already: nothing was written")
      }
      throw cannotWrite(path, errno)
    }
    var code = StandardStreams.write(bytes, to: descriptor)
    if code == 0, fsync(descriptor) != 0, errno != EINVAL { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else {
      _ = unsafe unlink(path)
      throw cannotWrite(path, code)
    }
  }

  /// Whether a folder is at a path.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    // Sound: the system copies the path and fills the structure during the call.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func cannotRead(_ path: String, _ code: Int32) -> Failure {
    Failure(.inputErrors, "\(path) cannot be read: \(words(code))")
  }

  private static func cannotWrite(_ path: String, _ code: Int32) -> Failure {
    Failure(.unusable, "\(path) cannot be written: \(words(code))")
  }

  private static func words(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file or folder"
    case ENOTDIR: "a part of the path is no folder"
    case EISDIR: "it is a folder"
    case EACCES, EPERM: "it is not permitted"
    default: StandardStreams.describe(code)
    }
  }
}
