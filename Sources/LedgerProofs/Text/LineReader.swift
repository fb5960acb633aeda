/// Takes bytes apart at their newlines and knows the number of each line.
struct LineReader {
  /// What was not taken yet.
  private(set) var rest: ArraySlice<UInt8>
  /// The number of the line that ``next()`` gives next, counted from 1.
  private(set) var line: Int

  /// Starts with the first line.
  init(_ bytes: ArraySlice<UInt8>, line: Int = 1) {
    rest = bytes
    self.line = line
  }

  /// The next line without its newline; `nil` at the end.
  ///
  /// - Returns: The line and its number.
  /// - Throws: ``ProofError`` if it does not end in a newline.
  mutating func next() throws(ProofError) -> (bytes: ArraySlice<UInt8>, number: Int)? {
    guard !rest.isEmpty else { return nil }
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      throw ProofError(.noFinalNewline, line: line)
    }
    defer { (rest, line) = (rest[(end + 1)...], line + 1) }
    return (rest[..<end], line)
  }

  /// As ``next()``, where a line must follow.
  mutating func next(expecting form: String) throws(ProofError) -> (
    bytes: ArraySlice<UInt8>, number: Int
  ) {
    guard let next = try next() else { throw ProofError(.expected(form), line: line) }
    return next
  }
}

extension ArraySlice<UInt8> {
  /// What follows a prefix; `nil` if the bytes do not begin with it.
  func after(_ prefix: String) -> ArraySlice<UInt8>? {
    starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
  }
}
