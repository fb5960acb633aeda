/// What any text must fulfil to be a reaction, and the scalars that decide it.
enum TextForm {
  /// Checks a text that is neither an emoji nor a custom reaction.
  ///
  /// - Parameter bytes: Valid UTF-8, at least one byte.
  /// - Throws: ``InvalidReaction/controlCharacter(codePoint:)`` of the first control character,
  ///   else ``InvalidReaction/nothingShown(firstCodePoint:)`` if there is nothing to show.
  static func check(_ bytes: Span<UInt8>) throws(InvalidReaction) {
    var (offset, showsSomething) = (0, false)
    while offset < bytes.count {
      let scalar = ScalarReader.next(in: bytes, at: &offset)
      if isControl(scalar) || isLineEnd(scalar) { throw .controlCharacter(codePoint: scalar) }
      if !showsSomething { showsSomething = !needsBase(scalar) }
    }
    guard showsSomething else {
      var start = 0
      throw .nothingShown(firstCodePoint: ScalarReader.next(in: bytes, at: &start))
    }
  }

  /// Whether a scalar is a control (general category Cc).
  static func isControl(_ scalar: UInt32) -> Bool {
    scalar < 0x20 || (0x7F...0x9F).contains(scalar)
  }

  /// Whether a scalar is white space.
  static func isWhiteSpace(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 { return scalar == 0x20 || (0x09...0x0D).contains(scalar) }
    return EmojiTables.contains(scalar, in: EmojiTables.whiteSpace)
  }

  /// Whether a scalar ends a line or a paragraph without being a control.
  private static func isLineEnd(_ scalar: UInt32) -> Bool { scalar == 0x2028 || scalar == 0x2029 }

  /// Whether a scalar shows nothing by itself, or only changes the one before it.
  private static func needsBase(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 { return isWhiteSpace(scalar) }
    return isWhiteSpace(scalar) || EmojiScalar(scalar) == .modifier
      || EmojiTables.contains(scalar, in: EmojiTables.ignorables)
  }
}
