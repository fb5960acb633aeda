internal import CLMDB

extension Environment {
  /// A reader slot in use, of any process.
  public struct Reader: Hashable, Sendable {
    /// The process.
    public let processID: Int
    /// The commit that it sees; `nil` if it holds the slot without reading.
    public let transaction: UInt64?
  }

  /// The reader slots in use, all processes together.
  ///
  /// Complexity: O(slots).
  ///
  /// - Throws: ``LMDBError``.
  public func readers() throws(LMDBError) -> [Reader] {
    try enter()
    defer { leave() }
    var text = ""
    let code = unsafe withUnsafeMutablePointer(to: &text) { context in
      unsafe mdb_reader_list(
        raw,
        { message, context in
          guard let message = unsafe message, let context = unsafe context else { return 0 }
          unsafe context.assumingMemoryBound(to: String.self).pointee += String(cString: message)
          return 0
        }, context)
    }
    guard code >= 0 else { throw LMDBError(.init(rawValue: code), call: "mdb_reader_list") }
    // Lines of "pid thread txnid" after a heading; the transaction is "-" for a slot that rests.
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count == 3, let process = Int(fields[0]) else { return nil }
      return Reader(processID: process, transaction: UInt64(fields[2]))
    }
  }
}
