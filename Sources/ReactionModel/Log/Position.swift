/// A place in one ledger's history: a sequence, and the seal of its record.
///
/// A ledger that has another record at that sequence, or none, is at another place of another
/// history: a restored backup, or a log that was rewritten.
public struct Position: Hashable, Sendable {
  /// The sequence; 0 is before the first record, which is in every history.
  public let sequence: UInt64
  /// The seal of the record with that sequence, 0 for none.
  public let seal: UInt64

  /// Makes a position.
  public init(sequence: UInt64, seal: UInt64) {
    self.sequence = sequence
    self.seal = seal
  }

  /// Before the first record.
  public static let beginning = Position(sequence: 0, seal: 0)
}

extension Position: CustomStringConvertible {
  /// The sequence in decimal, a dash, and the seal in 16 hexadecimal digits.
  public var description: String {
    let digits = String(seal, radix: 16)
    return "\(sequence)-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Parses a position.
  ///
  /// - Parameter text: What ``description`` gave; `nil` results if it is anything else.
  public init?(parsing text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 16, let sequence = UInt64(Substring(parts[0])),
      let seal = UInt64(Substring(parts[1]), radix: 16)
    else { return nil }
    self.init(sequence: sequence, seal: seal)
    guard UTF8Bytes.areEqual(description, text) else { return nil }
  }
}
