/// Why a text is no reaction, or none that may be added.
public enum InvalidReaction: Error, Hashable, Sendable {
  /// The text is empty.
  case empty
  /// The bytes are not UTF-8; the first wrong one is at this offset.
  case invalidUTF8(byteOffset: Int)
  /// The canonical form has more than 512 bytes.
  case tooManyBytes(count: Int)
  /// The canonical form has more than 128 scalars.
  case tooManyScalars(count: Int)
  /// The text has a control character, or a line or paragraph separator; the first one is this.
  case controlCharacter(codePoint: UInt32)
  /// The text has nothing to show: joiners, selectors, skin tones, tags or white space alone.
  case nothingShown(firstCodePoint: UInt32)
  /// The text is a reaction of this form, but the ledger's policy does not allow it.
  case notAllowed(Reaction.Form)
}

extension InvalidReaction: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .empty: "a reaction must have at least 1 byte"
    case .invalidUTF8(let byteOffset):
      "a reaction must be valid UTF-8, the byte at offset \(byteOffset) is not"
    case .tooManyBytes(let count): "a reaction has at most 512 bytes, this one has \(count)"
    case .tooManyScalars(let count): "a reaction has at most 128 scalars, this one has \(count)"
    case .controlCharacter(let codePoint):
      "a reaction has no control characters, this one has \(Self.name(codePoint))"
    case .nothingShown(let codePoint):
      "a reaction must show something, \(Self.name(codePoint)) alone does not"
    case .notAllowed(let form): "the policy does not allow this \(form.name) reaction"
    }
  }

  /// `U+` and at least four hexadecimal digits.
  private static func name(_ codePoint: UInt32) -> String {
    let digits = String(codePoint, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
