package import ReactionModel

/// A key of `messages` in memory that is used again: writing one allocates nothing but the first
/// time.
package struct MessageKeyBuffer: Sendable {
  /// Empty before the first key, then as long as the longest.
  private var room: [UInt8] = []
  private var count = 0

  /// The bytes before the ids: the conversation's kind, and the length of its id.
  private static let headByteCount = 2

  package init() {}

  /// The key that was written last; empty before the first one.
  package var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { room.span.extracting(0..<count) }
  }

  /// Writes a key in place of the last one.
  package mutating func write(_ key: borrowing MessageKey) {
    let (conversation, message) = (key.conversation, key.message)
    write(conversation.kind, { conversation.id.text }, { message.text })
  }

  /// Writes the key of one of several messages in place of the last one.
  ///
  /// It is read where it is: to pass it on would be to count its two texts.
  package mutating func write(_ keys: Span<MessageKey>, at index: Int) {
    let kind = keys[index].conversation.kind
    write(kind, { keys[index].conversation.id.text }, { keys[index].message.text })
  }

  @inline(__always)
  private mutating func write(
    _ kind: Conversation.Kind, _ conversation: () -> String, _ message: () -> String
  ) {
    if room.isEmpty {
      room = [UInt8](repeating: 0, count: Self.headByteCount + MessageKey.maximumByteCount)
    }
    // Sound: each copy checks that the bytes fit into what is left of the room.
    unsafe room.withUnsafeMutableBytes { room in
      let first = unsafe Self.copy(conversation(), to: room, at: Self.headByteCount)
      let second = unsafe Self.copy(message(), to: room, at: Self.headByteCount + first)
      unsafe room[0] = kind.rawValue
      unsafe room[1] = UInt8(first)
      count = Self.headByteCount + first + second
    }
  }

  /// Copies a text to an offset; returns its length.
  @inline(__always)
  private static func copy(
    _ text: String, to room: UnsafeMutableRawBufferPointer, at offset: Int
  ) -> Int {
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[offset...])
    let count = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe rest.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return bytes.count
    }
    return unsafe count ?? copyBytewise(text, to: rest)
  }

  /// The same of a text that is not stored in UTF-8.
  @inline(never)
  private static func copyBytewise(
    _ text: String, to room: UnsafeMutableRawBufferPointer
  ) -> Int {
    for (index, byte) in text.utf8.enumerated() { unsafe room[index] = byte }
    return text.utf8.count
  }
}
