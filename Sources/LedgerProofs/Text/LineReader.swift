internal import LedgerHash

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

// What the files of proofs have in common.
extension LineReader {
  /// Starts after the line that says what a file is, which must be `version`.
  init(proof bytes: [UInt8], version: String) throws(ProofError) {
    guard bytes.count <= SignedNote.maximumByteCount else {
      throw ProofError(.tooManyBytes(count: bytes.count))
    }
    self.init(bytes[...])
    let line = try next(expecting: version)
    guard line.bytes.elementsEqual(version.utf8) else {
      throw ProofError(.expected(version), line: line.number)
    }
  }

  /// Hashes, one on each line, and the blank line after them.
  mutating func readHashes() throws(ProofError) -> [Digest] {
    var hashes: [Digest] = []
    while true {
      let line = try next(expecting: "a hash or a blank line")
      if line.bytes.isEmpty { return hashes }
      guard hashes.count < InclusionProof.maximumHashCount else {
        throw ProofError(.tooManyHashes, line: line.number)
      }
      hashes.append(try Digest(base64: line.bytes, line: line.number))
    }
  }
}

extension ArraySlice<UInt8> {
  /// What follows a prefix; `nil` if the bytes do not begin with it.
  func after(_ prefix: String) -> ArraySlice<UInt8>? {
    starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
  }
}
