internal import ReactionModel

// Values from bytes: what a line for each of millions of events is written with.
extension JSONWriter {
  /// Writes the key of the member whose value comes next; it needs no escapes.
  @inline(__always)
  mutating func key(plain key: StaticString) {
    beginMember()
    bytes.append(UInt8(ascii: "\""))
    append(key)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Appends a text as it stands.
  @inline(__always)
  private mutating func append(_ text: StaticString) {
    // Sound: the text is in the program for ever, and so many bytes long.
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes a member that is a string of UTF-8.
  mutating func member(_ key: StaticString, utf8 value: Span<UInt8>) {
    self.key(plain: key)
    beginValue()
    quote(value)
  }

  /// Writes a member that is a string of UTF-8, or null if it is empty.
  mutating func member(_ key: StaticString, orNull value: Span<UInt8>) {
    guard value.isEmpty else { return member(key, utf8: value) }
    self.key(plain: key)
    null()
  }

  /// Writes a member that is a word without escapes.
  mutating func member(_ key: StaticString, word: String) {
    self.key(plain: key)
    plain { $0.append(word.utf8Span.span) }
  }

  /// Writes a member that is a time.
  mutating func member(_ key: StaticString, _ time: Timestamp) {
    self.key(plain: key)
    plain { time.appendText(to: &$0) }
  }

  /// Writes a member that is a UUID.
  mutating func member(_ key: StaticString, _ id: SixteenBytes) {
    self.key(plain: key)
    plain { id.appendText(to: &$0) }
  }

  /// Writes a member that is a conversation.
  mutating func member(
    _ key: StaticString, _ kind: Conversation.Kind, _ id: Span<UInt8>
  ) {
    self.key(plain: key)
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(kind.name.utf8Span.span)
    bytes.append(UInt8(ascii: ":"))
    escaped(id)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a member that is a number.
  mutating func member(_ key: StaticString, number value: UInt64) {
    self.key(plain: key)
    beginValue()
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  /// Writes a member that is hexadecimal digits, two for each byte.
  mutating func member(_ key: StaticString, hexadecimal value: Span<UInt8>) {
    self.key(plain: key)
    plain { bytes in
      for index in value.indices {
        bytes.append(hexadecimal: UInt64(value[index] >> 4))
        bytes.append(hexadecimal: UInt64(value[index]))
      }
    }
  }

  /// Writes a member that is the 16 hexadecimal digits of each word.
  mutating func member(_ key: StaticString, words: UInt64...) {
    self.key(plain: key)
    plain { bytes in
      for word in words {
        for shift in stride(from: 60, through: 0, by: -4) {
          bytes.append(hexadecimal: word &>> UInt64(shift))
        }
      }
    }
  }

  /// Writes a string that `body` appends and that needs no escapes.
  @inline(__always)
  private mutating func plain(_ body: (inout [UInt8]) -> Void) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    body(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
