internal import ReactionModel

/// The name of a key in signed notes (C2SP signed-note), for a log its origin as well.
///
/// It should be a URL without a scheme, as `example.com/reactions`; nothing need answer there.
public struct KeyName: Hashable, Sendable {
  /// The name.
  public let text: String

  /// Checks a name.
  ///
  /// - Parameter text: At least one character; no white space (Unicode), plus or control character.
  /// - Throws: ``ProofError`` if it is anything else.
  public init(_ text: String) throws(ProofError) {
    let isValid = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "+" && !$0.properties.isWhitespace
    }
    guard isValid, !text.utf8.isEmpty else { throw ProofError(.invalidKeyName) }
    self.text = text
  }

  /// Checks a name that was read.
  init(_ bytes: ArraySlice<UInt8>, line: Int? = nil) throws(ProofError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ProofError(.notUTF8, line: line)
    }
    do {
      try self.init(text)
    } catch {
      throw ProofError(error.reason, line: line)
    }
  }

  /// Whether two names have the same bytes.
  public static func == (a: Self, b: Self) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension KeyName: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}
