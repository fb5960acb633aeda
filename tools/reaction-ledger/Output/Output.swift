import Glibc
import LedgerInterchange

/// Standard output, buffered, with every write checked.
///
/// When the reader has gone away (a closed pipe) the rest is dropped in silence: see ``isClosed``.
final class Output {
  /// Whether the reader has gone away, so that nothing more need be made.
  private(set) var isClosed = false
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var json = JSONWriter()

  /// How many bytes are gathered before they are written.
  static let bufferByteCount = 64 * 1024

  /// Makes the output to a descriptor that is open.
  init(descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

  /// Writes a line of text.
  func line(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfFull()
  }

  /// Writes a JSON object, whose members `body` gives, as a line.
  func object(_ body: (inout JSONWriter) -> Void) throws(Failure) {
    try document { $0.object(body) }
  }

  /// Writes a JSON document as a line.
  func document(_ body: (inout JSONWriter) -> Void) throws(Failure) {
    try write { writer in
      body(&writer)
      writer.endLine()
    }
  }

  /// Writes whole lines of JSON.
  func write(_ body: (inout JSONWriter) -> Void) throws(Failure) {
    body(&json)
    buffer += json.bytes
    json.removeAll()
    try flushIfFull()
  }

  /// Lets `body` append bytes, lines of its own making.
  func bytes(_ body: (inout [UInt8]) -> Void) throws(Failure) {
    body(&buffer)
    try flushIfFull()
  }

  private func flushIfFull() throws(Failure) {
    if buffer.count >= Self.bufferByteCount { try flush() }
  }

  /// Writes what is gathered.
  func flush() throws(Failure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard !isClosed else { return }
    let code = StandardStreams.write(buffer, to: descriptor)
    switch code {
    case 0: return
    case EPIPE: isClosed = true
    default:
      let reason = StandardStreams.describe(code)
      throw Failure(
        .unusable,
        "standard output cannot be written, \(reason): what is shown is not complete; "
          + "what was recorded stays")
    }
  }
}
