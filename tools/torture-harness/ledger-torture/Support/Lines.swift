import Glibc

/// Writes lines to a descriptor, each with one call of `write`.
struct Lines: Sendable {
  let descriptor: Int32

  static let output = Lines(descriptor: STDOUT_FILENO)
  static let errors = Lines(descriptor: STDERR_FILENO)

  /// Writes a line; a line that cannot be written ends the process, for nobody would know of it.
  func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // Sound: the system reads only bytes of the array, during the call.
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
    if count != bytes.count { exit(70) }
  }
}
