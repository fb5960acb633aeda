// Sound: only the environment is shared and changeable, and this process has one thread then.
@unsafe @preconcurrency import Glibc

/// The tool itself in a process of its own, with the same arguments.
///
/// The child prints to pipes, and tells on a third how far it is: see ``ProgressPipe``. It ends by
/// itself when its parent is gone, since then nobody reads from that one.
struct ChildProcess {
  /// Its process id.
  let id: pid_t
  /// What it prints, what it says of errors, and how far it is: ends to be read from.
  private(set) var streams: [Int32]

  /// Starts it.
  ///
  /// - Returns: The child; `nil` if the system has no room for one more process or pipe.
  static func start() -> ChildProcess? {
    var (readEnds, writeEnds): ([Int32], [Int32]) = ([], [])
    defer { for descriptor in writeEnds { close(descriptor) } }
    for _ in 0..<3 {
      var ends: [Int32] = [-1, -1]
      // Sound: the system writes two numbers into the array.
      guard unsafe pipe(&ends) == 0 else { break }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      readEnds.append(ends[0])
      writeEnds.append(ends[1])
    }
    if writeEnds.count == 3, let id = spawn(writeEnds) {
      return ChildProcess(id: id, streams: readEnds)
    }
    for descriptor in readEnds { close(descriptor) }
    return nil
  }

  private static func spawn(_ writeEnds: [Int32]) -> pid_t? {
    // A fault is told by the parent, in its own words.
    // Sound: the texts are copied.
    unsafe setenv("SWIFT_BACKTRACE", "enable=no", 1)
    unsafe setenv(ProgressPipe.variable, "1", 1)
    defer { unsafe unsetenv(ProgressPipe.variable) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let places = [STDOUT_FILENO, STDERR_FILENO, ProgressPipe.descriptor]
    for (end, place) in zip(writeEnds, places) {
      unsafe posix_spawn_file_actions_adddup2(&actions, end, place)
    }
    var id: pid_t = 0
    // Sound: the arguments are the process's own and stay; nothing changes the environment now.
    let code = unsafe posix_spawn(
      &id, "/proc/self/exe", &actions, nil, CommandLine.unsafeArgv, unsafe environ)
    return code == 0 ? id : nil
  }

  /// How a process ended.
  enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Reads all that the child writes, and waits for its end.
  ///
  /// A signal to cancel is handed on, since it may have been meant for this process alone.
  ///
  /// - Parameter take: Is given what came: the stream's index, 0 to 2, and the bytes.
  /// - Returns: How it ended.
  mutating func wait(_ take: (Int, [UInt8]) -> Void) -> End {
    defer { for descriptor in streams where descriptor >= 0 { close(descriptor) } }
    var forwarded: Int32?
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    while streams.contains(where: { $0 >= 0 }) {
      if let number = CancelSignal.received, forwarded == nil {
        kill(id, number)
        forwarded = number
      }
      var entries = streams.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // Not for ever: a signal may have come since it was looked for.
      guard unsafe poll(&entries, nfds_t(entries.count), 100) > 0 else { continue }
      for (index, entry) in entries.enumerated() where entry.revents != 0 {
        let count = unsafe read(entry.fd, &bytes, bytes.count)
        if count > 0 {
          take(index, Array(bytes[..<count]))
        } else if count == 0 || errno != EINTR {
          close(entry.fd)
          streams[index] = -1
        }
      }
    }
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {
      if let number = CancelSignal.received { kill(id, number) }
    }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }
}
