import Glibc

/// The three streams that a process begins with.
enum StandardStreams {
  /// Prepares them: must be called before any file is opened.
  ///
  /// A stream that the caller closed is taken up by one on which reading or writing fails:
  /// otherwise the next file to be opened, a ledger's, would get its number and with it what is
  /// printed. A reader that goes away is an error of the write, not the end of the process.
  static func prepare() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The system gives the lowest free number, the stream's own. Sound: it copies the path.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Whether standard error is a terminal.
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes all bytes.
  ///
  /// - Returns: 0, or the system's error number.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var start = 0
    while start < bytes.count {
      // Sound: the system reads only bytes of the array, during the call.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count >= 0 {
        start += count
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes text to standard error; nothing can be done where that fails.
  static func writeError(_ text: String) {
    _ = write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// What the system says of an error number that a write may give.
  static func describe(_ code: Int32) -> String {
    switch code {
    case ENOSPC: "the disk is full"
    case EBADF: "it is closed"
    case EIO: "the device failed"
    case EFBIG: "the file may not grow further"
    case EDQUOT: "the quota is used up"
    default: "the system's error is \(code)"
    }
  }
}
