/// The grammar of emoji and their canonical form.
///
/// The grammar is that of a *possible emoji* in Unicode Technical Standard #51, applied to what is
/// left when the variation selectors U+FE0E and U+FE0F are dropped:
///
///     emoji   = flag letter | element (U+200D element)*
///     element = flag letter flag letter
///             | base (skin tone | U+20E3 | tag+ tag end)?
///             | keycap base U+20E3
///
/// The canonical form has U+FE0F after every base that is text by default and every keycap base,
/// unless a skin tone follows, and no other selector.
struct EmojiForm {
  /// The scalars of the canonical form.
  private(set) var scalarCount = 0
  /// The bytes of the canonical form.
  private(set) var byteCount = 0
  /// Whether the text was its own canonical form.
  private(set) var isCanonical = true

  /// What may come next.
  private enum State {
    case element, secondFlagLetter, afterBase, keycap, tags, afterElement
  }

  private var state = State.element
  private var owesSelector = false
  private var hasOneEmojiSelector = false

  private static let selectorByteCount = 3

  /// Reads a text, of which `nil` results if it is no emoji.
  ///
  /// - Parameter bytes: Valid UTF-8.
  /// - Complexity: O(*n*) in the bytes up to the first that no emoji can have; allocates nothing.
  init?(_ bytes: Span<UInt8>) {
    var offset = 0
    while offset < bytes.count {
      let start = offset
      let scalar = EmojiScalar(ScalarReader.next(in: bytes, at: &offset))
      switch scalar {
      case .textSelector: isCanonical = false
      case .emojiSelector:
        if hasOneEmojiSelector { isCanonical = false }
        hasOneEmojiSelector = true
      default:
        settleSelector(before: scalar)
        guard take(scalar) else { return nil }
        scalarCount += 1
        byteCount += offset - start
      }
    }
    settleSelector(before: nil)
    switch state {
    case .afterBase, .afterElement: break
    case .secondFlagLetter where scalarCount == 1: break
    case .element, .secondFlagLetter, .keycap, .tags: return nil
    }
  }

  /// Counts the selector that belongs before `scalar`, and compares it with what was read.
  private mutating func settleSelector(before scalar: EmojiScalar?) {
    let isDue = owesSelector && scalar != .modifier
    if isDue != hasOneEmojiSelector { isCanonical = false }
    if isDue {
      scalarCount += 1
      byteCount += Self.selectorByteCount
    }
    (owesSelector, hasOneEmojiSelector) = (false, false)
  }

  /// Goes one scalar on; `false` if the grammar has no place for it.
  private mutating func take(_ scalar: EmojiScalar) -> Bool {
    switch (state, scalar) {
    case (.element, .base): state = .afterBase
    case (.element, .textDefaultBase):
      state = .afterBase
      owesSelector = true
    case (.element, .keycapBase):
      state = .keycap
      owesSelector = true
    case (.element, .regionalIndicator): state = .secondFlagLetter
    case (.secondFlagLetter, .regionalIndicator): state = .afterElement
    case (.afterBase, .modifier), (.afterBase, .keycap): state = .afterElement
    case (.keycap, .keycap): state = .afterElement
    case (.afterBase, .tag): state = .tags
    case (.tags, .tag): break
    case (.tags, .tagEnd): state = .afterElement
    case (.afterBase, .joiner), (.afterElement, .joiner): state = .element
    default: return false
    }
    return true
  }
}

extension EmojiForm {
  /// Writes the canonical form of an emoji.
  ///
  /// - Parameter bytes: An emoji whose canonical form has at most 512 bytes.
  /// - Returns: The canonical form.
  static func canonicalText(of bytes: Span<UInt8>) -> String {
    var buffer = CanonicalBuffer()
    var (offset, owesSelector) = (0, false)
    while offset < bytes.count {
      let start = offset
      let scalar = EmojiScalar(ScalarReader.next(in: bytes, at: &offset))
      if scalar == .textSelector || scalar == .emojiSelector { continue }
      if owesSelector && scalar != .modifier { buffer.appendSelector() }
      owesSelector = scalar == .textDefaultBase || scalar == .keycapBase
      for index in start..<offset { buffer.append(bytes[index]) }
    }
    if owesSelector { buffer.appendSelector() }
    return buffer.text
  }
}

/// Room for a canonical form outside the heap.
private struct CanonicalBuffer {
  private var bytes = InlineArray<512, UInt8>(repeating: 0)
  private var count = 0

  mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Appends U+FE0F.
  mutating func appendSelector() {
    append(0xEF)
    append(0xB8)
    append(0x8F)
  }

  var text: String {
    do {
      return String(copying: try UTF8Span(validating: bytes.span.extracting(0..<count)))
    } catch {
      preconditionFailure("whole scalars of valid UTF-8 are not UTF-8: \(error)")
    }
  }
}
