public import ReactionModel

/// A reactor: a user's number, and the sequence of the add that is live.
@frozen public struct Reactor: Hashable, Sendable {
  /// The user.
  public var user: UserNumber
  /// The sequence of the add.
  public var sequence: UInt64

  /// Makes a reactor.
  @inlinable @inline(__always)
  public init(user: UserNumber, sequence: UInt64) {
    self.user = user
    self.sequence = sequence
  }
}

/// A message's row as a value: what checking and rebuilding work with.
package struct MessageRow: Hashable, Sendable {
  /// A live reaction.
  package struct Block: Hashable, Sendable {
    package var reaction: Reaction
    package var opened: UInt64
    package var count: Int
    package var isSpilled: Bool
    package var entries: [Reactor]

    package init(
      reaction: Reaction, opened: UInt64, count: Int, isSpilled: Bool, entries: [Reactor]
    ) {
      self.reaction = reaction
      self.opened = opened
      self.count = count
      self.isSpilled = isSpilled
      self.entries = entries
    }
  }

  package var eventCount: Int
  package var lastSequence: UInt64
  package var blocks: [Block]

  package init(eventCount: Int, lastSequence: UInt64, blocks: [Block]) {
    self.eventCount = eventCount
    self.lastSequence = lastSequence
    self.blocks = blocks
  }

  /// The row's bytes.
  package func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u32: UInt32(eventCount))
    bytes.append(u48: lastSequence)
    for block in blocks {
      let reaction = block.reaction.text.utf8Span.span
      let head = RowFormat.head(
        reactionByteCount: reaction.count, entryCount: block.entries.count,
        isSpilled: block.isSpilled)
      bytes.append(bigEndian: head, byteCount: 2)
      bytes.append(reaction)
      bytes.append(u48: block.opened)
      bytes.append(u32: UInt32(block.count))
      for entry in block.entries {
        bytes.append(u32: entry.user)
        bytes.append(u48: entry.sequence)
      }
    }
    return bytes
  }

  /// A row from exactly these bytes; any bytes give a row that encodes to them, or an error.
  package init(decoding bytes: Span<UInt8>) throws(CodecError) {
    eventCount = try RowFormat.eventCount(bytes)
    lastSequence = try RowFormat.lastSequence(bytes)
    blocks = []
    guard eventCount > 0, lastSequence > 0 else { throw .badValue("row header") }
    var offset = RowFormat.headerByteCount
    while let block = try RowFormat.block(at: offset, in: bytes) {
      let reaction = try reaction(bytes.extracting(block.reaction))
      let entries = (0..<block.entryCount).map { index in
        Reactor(
          user: RowFormat.user(at: block.entry(index), in: bytes),
          sequence: RowFormat.sequence(at: block.entry(index), in: bytes))
      }
      try verify(block, entries)
      blocks.append(
        Block(
          reaction: reaction, opened: block.opened, count: block.count,
          isSpilled: block.isSpilled, entries: entries))
      offset = block.end
    }
    guard blocks.count <= Policy.distinctCeiling else { throw .badValue("number of blocks") }
  }

  private func verify(_ block: RowFormat.Block, _ entries: [Reactor]) throws(CodecError) {
    var last: UInt64 = 0
    for entry in entries {
      guard entry.user > 0, entry.sequence > last, entry.sequence <= lastSequence else {
        throw .badValue("entry")
      }
      last = entry.sequence
    }
    guard block.opened > blocks.last?.opened ?? 0, block.opened <= entries[0].sequence else {
      throw .badValue("opening sequence")
    }
  }
}

extension MessageRow: CustomStringConvertible {
  /// The row in words, as findings tell it.
  package var description: String {
    (["events \(eventCount), last \(lastSequence)"] + blocks.map(\.description))
      .joined(separator: "; ")
  }
}

extension MessageRow.Block: CustomStringConvertible {
  /// The reaction, its count, the sequence that opened it, and each user that the row holds with the
  /// sequence of the add.
  package var description: String {
    let users = entries.map { "\($0.user)@\($0.sequence)" }.joined(separator: " ")
    return "\(reaction) \(count) since \(opened) by \(users)\(isSpilled ? " and others" : "")"
  }
}
