/// The grammar of custom reactions: `:name:`, `:name:id:`, and both with a skin tone.
///
///     custom = ":" part ":" (":skin-tone-" ("2" … "6") ":")? (part ":")?
///     part   = 1 to 100 scalars other than colon, white space and controls
enum CustomForm {
  /// The most scalars in a name and in an id.
  static let maximumPartScalarCount = 100

  /// Whether a text is a custom reaction.
  ///
  /// - Parameter bytes: Valid UTF-8.
  /// - Returns: Whether the whole text follows the grammar.
  /// - Complexity: O(*n*) in the bytes; of a name or id no more than 100 scalars are read.
  static func matches(_ bytes: Span<UInt8>) -> Bool {
    guard let first = bytes.indices.first, bytes[first] == colon else { return false }
    var offset = 1
    guard skipPart(in: bytes, at: &offset) else { return false }
    if offset < bytes.count, bytes[offset] == colon {
      guard skipSkinTone(in: bytes, at: &offset) else { return false }
    }
    if offset == bytes.count { return true }
    return skipPart(in: bytes, at: &offset) && offset == bytes.count
  }

  private static let colon = UInt8(ascii: ":")

  /// Goes past a name or an id and the colon after it; `false` if there is none.
  private static func skipPart(in bytes: Span<UInt8>, at offset: inout Int) -> Bool {
    var scalarCount = 0
    while offset < bytes.count {
      if bytes[offset] == colon {
        offset += 1
        return scalarCount > 0
      }
      let scalar = ScalarReader.next(in: bytes, at: &offset)
      scalarCount += 1
      guard scalarCount <= maximumPartScalarCount, !TextForm.isControl(scalar),
        !TextForm.isWhiteSpace(scalar)
      else { return false }
    }
    return false
  }

  /// Goes past `:skin-tone-N:`; `false` if something else is there.
  private static func skipSkinTone(in bytes: Span<UInt8>, at offset: inout Int) -> Bool {
    for expected in ":skin-tone-".utf8 {
      guard offset < bytes.count, bytes[offset] == expected else { return false }
      offset += 1
    }
    guard offset + 2 <= bytes.count, bytes[offset + 1] == colon,
      (UInt8(ascii: "2")...UInt8(ascii: "6")).contains(bytes[offset])
    else { return false }
    offset += 2
    return true
  }
}
