public import ReactionModel

/// A page of the users who have one reaction on one message.
public struct ReactorPage: Hashable, Sendable {
  /// The reaction, in canonical form.
  public let reaction: Reaction
  /// How many users have it in all.
  public let count: Int
  /// The users of this page, in order of their adds.
  public let users: [UserID]
  /// Where the next page begins; `nil` after the last one.
  public let cursor: PageCursor?
}

/// A place in a list of reactors: a position, not an offset.
///
/// Whatever is added or removed between two pages, no reactor who was there throughout is skipped or
/// repeated. As text it is opaque, 22 characters; it belongs to one message and reaction, and fails
/// with ``LedgerError/invalidCursor(_:)`` on another, or if it was changed.
public struct PageCursor: Hashable, Sendable, CustomStringConvertible {
  /// The sequence of the last add that was given.
  let sequence: UInt64
  /// What ties place, message and reaction together.
  let check: UInt64

  /// The cursor as text: 22 characters of letters, digits, `-` and `_`.
  public var description: String { Base64URL.encode(bytes) }

  static let version: UInt8 = 1
  static let reactorList: UInt8 = 1

  private var bytes: [UInt8] {
    var bytes: [UInt8] = [Self.version, Self.reactorList]
    for shift in stride(from: 40, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: sequence >> UInt64(shift)))
    }
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: check >> UInt64(shift)))
    }
    return bytes
  }

  init(sequence: UInt64, check: UInt64) {
    self.sequence = sequence
    self.check = check
  }

  /// Parses a cursor.
  ///
  /// - Parameter text: What ``description`` gave.
  /// - Throws: ``LedgerError/invalidCursor(_:)`` if it is anything else.
  public init(parsing text: String) throws(LedgerError) {
    guard let bytes = Base64URL.decode(text), bytes.count == 16 else {
      throw .invalidCursor("it is not 22 characters of a cursor")
    }
    guard bytes[0] == Self.version, bytes[1] == Self.reactorList else {
      throw .invalidCursor("it is of another version or list")
    }
    sequence = bytes[2..<8].reduce(0) { $0 << 8 | UInt64($1) }
    check = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// Base64 in the alphabet for URLs, without padding (RFC 4648 §5).
enum Base64URL {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (bits, bitCount): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      (bits, bitCount) = (bits << 8 | UInt32(byte), bitCount + 8)
      while bitCount >= 6 {
        bitCount -= 6
        text.append(digits[Int(bits >> bitCount & 63)])
      }
    }
    if bitCount > 0 { text.append(digits[Int(bits << (6 - bitCount) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; `nil` if it is none, or has bits that no encoder writes.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, bitCount): (UInt32, UInt32) = (0, 0)
    for character in text.utf8 {
      guard let digit = digits.firstIndex(of: character) else { return nil }
      (bits, bitCount) = ((bits << 6 | UInt32(digit)) & 0xffff, bitCount + 6)
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    guard bitCount < 6, bits & (1 << bitCount - 1) == 0 else { return nil }
    return bytes
  }
}
