/// What somebody reacts with: an emoji, a custom reaction or a text, always in its canonical form.
///
/// What a text is follows from its form alone, by the rules of *possible emoji* in Unicode Technical
/// Standard #51 and by colons around a custom reaction's name, not from a list: new emoji are emoji.
/// - An emoji loses its variation selectors and gets U+FE0F after every part that is text by
///   default and that no skin tone follows: "❤" and "❤️" are one reaction.
/// - A custom reaction and a text keep their bytes. A shortcode is never the emoji it is named after.
///
/// Reactions are equal, ordered and hashed by their bytes. The rules are part of the ledger's format
/// and do not depend on the Unicode tables of the Swift runtime.
///
/// - Note: The canonical form has 1 to 128 scalars and 1 to 512 bytes.
public struct Reaction: Hashable, Comparable, Sendable {
  /// What a reaction is.
  public enum Form: Sendable, CaseIterable {
    /// An emoji.
    case emoji
    /// `:name:` or `:name:id:`, after the name possibly `:skin-tone-2:` to `:skin-tone-6:`.
    case custom
    /// Any other text.
    case text

    /// The word used for it in text: `emoji`, `custom`, `text`.
    public var name: String {
      switch self {
      case .emoji: "emoji"
      case .custom: "custom"
      case .text: "text"
      }
    }
  }

  /// The canonical form.
  public let text: String

  /// The most bytes in a canonical form.
  public static let maximumByteCount = 512
  /// The most scalars in a canonical form.
  public static let maximumScalarCount = 128

  /// Makes a reaction of what somebody wrote.
  ///
  /// A text that is its own canonical form is kept as it is, without a copy.
  ///
  /// - Parameter text: An emoji, a custom reaction or a text, in any form.
  /// - Throws: ``InvalidReaction`` if it is no reaction under any policy.
  /// - Complexity: O(*n*) in its bytes.
  public init(_ text: String) throws(InvalidReaction) {
    self.text = try Self.rewritten(text.utf8Span.span) ?? text
  }

  /// Makes a reaction of bytes that somebody wrote.
  ///
  /// - Parameter bytes: An emoji, a custom reaction or a text in UTF-8, in any form.
  /// - Throws: ``InvalidReaction`` if they are not UTF-8, or no reaction under any policy.
  /// - Complexity: O(*n*) in the bytes.
  public init(utf8 bytes: Span<UInt8>) throws(InvalidReaction) {
    let characters = try Self.validated(bytes)
    self.text = try Self.rewritten(bytes) ?? String(copying: characters)
  }

  /// Makes a reaction of bytes that were stored in their canonical form.
  ///
  /// Checks only that they are 1 to 512 bytes of UTF-8; whether they really are canonical,
  /// ``isCanonical`` tells.
  ///
  /// - Parameter bytes: A canonical form.
  /// - Throws: ``InvalidReaction`` if there are none, too many, or they are not UTF-8.
  package init(canonical bytes: Span<UInt8>) throws(InvalidReaction) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= Self.maximumByteCount else { throw .tooManyBytes(count: bytes.count) }
    text = String(copying: try Self.validated(bytes))
  }

  /// Checks of bytes what ``init(canonical:)`` checks.
  package static func verify(canonical bytes: Span<UInt8>) throws(InvalidReaction) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= maximumByteCount else { throw .tooManyBytes(count: bytes.count) }
    _ = try validated(bytes)
  }

  /// What the reaction is, computed from its text.
  ///
  /// - Complexity: O(*n*) in its bytes.
  public var form: Form {
    let bytes = text.utf8Span.span
    if EmojiForm(bytes) != nil { return .emoji }
    return CustomForm.matches(bytes) ? .custom : .text
  }

  /// Whether the text is valid and its own canonical form: `false` only for damaged stored bytes.
  package var isCanonical: Bool { Self.isCanonical(text.utf8Span.span) }

  /// The same of bytes that are UTF-8.
  package static func isCanonical(_ bytes: Span<UInt8>) -> Bool {
    do {
      return try rewritten(bytes) == nil
    } catch {
      return false
    }
  }

  /// Throws if bytes that are UTF-8 are no reaction; tells whether they are its canonical form.
  package static func verify(utf8 bytes: Span<UInt8>) throws(InvalidReaction) -> Bool {
    try rewritten(bytes) == nil
  }

  @_lifetime(copy bytes)
  private static func validated(_ bytes: Span<UInt8>) throws(InvalidReaction) -> UTF8Span {
    do {
      return try UTF8Span(validating: bytes)
    } catch {
      throw .invalidUTF8(byteOffset: error.byteOffsets.lowerBound)
    }
  }

  /// The canonical form of valid UTF-8 if it is another than the bytes themselves, else `nil`.
  private static func rewritten(_ bytes: Span<UInt8>) throws(InvalidReaction) -> String? {
    guard !bytes.isEmpty else { throw .empty }
    if let emoji = EmojiForm(bytes) {
      try check(byteCount: emoji.byteCount, scalarCount: emoji.scalarCount)
      return emoji.isCanonical ? nil : EmojiForm.canonicalText(of: bytes)
    }
    // Bytes first: of a text of any length no more than 512 are looked at.
    guard bytes.count <= maximumByteCount else { throw .tooManyBytes(count: bytes.count) }
    try check(byteCount: bytes.count, scalarCount: scalarCount(of: bytes))
    if !CustomForm.matches(bytes) { try TextForm.check(bytes) }
    return nil
  }

  private static func check(byteCount: Int, scalarCount: Int) throws(InvalidReaction) {
    guard byteCount <= maximumByteCount else { throw .tooManyBytes(count: byteCount) }
    guard scalarCount <= maximumScalarCount else { throw .tooManyScalars(count: scalarCount) }
  }

  private static func scalarCount(of bytes: Span<UInt8>) -> Int {
    guard bytes.count > maximumScalarCount else { return bytes.count }
    var count = 0
    for index in bytes.indices where bytes[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }
}

extension Reaction {
  /// Whether two reactions have the same bytes.
  public static func == (a: Self, b: Self) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }

  /// Whether one reaction comes before another in the order of their bytes.
  public static func < (a: Self, b: Self) -> Bool {
    UTF8Bytes.precedes(a.text.utf8Span.span, b.text.utf8Span.span)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    let bytes = text.utf8Span.span
    var word: UInt64 = 0
    for index in bytes.indices {
      word = word << 8 | UInt64(bytes[index])
      if index % 8 == 7 { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(bytes.count)
  }
}

extension Reaction: CustomStringConvertible {
  /// The canonical form.
  public var description: String { text }
}
