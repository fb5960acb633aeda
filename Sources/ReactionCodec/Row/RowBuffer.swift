package import ReactionModel

/// A row under change: its bytes, edited in place.
///
/// The projector keeps one and loads row after row into it, so that a change allocates nothing.
/// Whoever edits has found the block with ``block(of:)`` since the last edit.
package struct RowBuffer: Sendable {
  /// The row's bytes.
  package private(set) var bytes: [UInt8] = []

  package init() { bytes.reserveCapacity(2048) }

  /// Makes it the row of a message without events.
  package mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: RowFormat.headerByteCount))
  }

  /// Makes it a copy of a stored row.
  package mutating func load(_ row: Span<UInt8>) throws(CodecError) {
    guard row.count >= RowFormat.headerByteCount else { throw .endsInside("row") }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(row)
  }

  /// The sequence of the last event, 0 before the first.
  package var lastSequence: UInt64 { bytes.span.bigEndian(at: 4, byteCount: 6) }

  /// Notes one more event.
  package mutating func countEvent(_ sequence: UInt64) {
    let count = bytes.span.bigEndian(at: 0, byteCount: 4)
    bytes.set(bigEndian: count + 1, byteCount: 4, at: 0)
    bytes.set(bigEndian: sequence, byteCount: 6, at: 4)
  }

  /// The block of a reaction, if it is live.
  ///
  /// - Complexity: O(blocks).
  package func block(of reaction: Span<UInt8>) throws(CodecError) -> RowFormat.Block? {
    let row = bytes.span
    var offset = RowFormat.headerByteCount
    while let block = try RowFormat.block(at: offset, in: row) {
      if UTF8Bytes.areEqual(row.extracting(block.reaction), reaction) { return block }
      offset = block.end
    }
    return nil
  }

  /// The index of a user among a block's entries.
  package func index(of user: UserNumber, in block: RowFormat.Block) -> Int? {
    let row = bytes.span
    return (0..<block.entryCount).first { RowFormat.user(at: block.entry($0), in: row) == user }
  }

  /// The entry of an index.
  package func reactor(_ index: Int, of block: RowFormat.Block) -> Reactor {
    let row = bytes.span
    return Reactor(
      user: RowFormat.user(at: block.entry(index), in: row),
      sequence: RowFormat.sequence(at: block.entry(index), in: row))
  }

  /// Opens a block at the end of the row.
  package mutating func open(_ reaction: Span<UInt8>, first: Reactor) {
    let head = RowFormat.head(reactionByteCount: reaction.count, entryCount: 1, isSpilled: false)
    bytes.append(bigEndian: head, byteCount: 2)
    bytes.append(reaction)
    bytes.append(u48: first.sequence)
    bytes.append(u32: 1)
    bytes.append(u32: first.user)
    bytes.append(u48: first.sequence)
  }

  /// Takes a block out.
  package mutating func close(_ block: RowFormat.Block) {
    bytes.removeSubrange(block.start..<block.end)
  }

  /// Sets a block's count, what entries it holds and whether it is spilled.
  package mutating func replace(
    _ block: RowFormat.Block, count: Int, isSpilled: Bool, entries: [Reactor]
  ) {
    var encoded: [UInt8] = []
    for entry in entries {
      encoded.append(u32: entry.user)
      encoded.append(u48: entry.sequence)
    }
    bytes.replaceSubrange(block.entries..<block.end, with: encoded)
    setHead(block, count: count, isSpilled: isSpilled, entryCount: entries.count)
  }

  /// Sets a block's count alone.
  package mutating func setCount(_ count: Int, of block: RowFormat.Block) {
    bytes.set(bigEndian: UInt64(count), byteCount: 4, at: block.reaction.upperBound + 6)
  }

  /// Appends an entry to a block, whose count grows by one.
  package mutating func append(_ reactor: Reactor, to block: RowFormat.Block) {
    let entry = (
      (UInt64(reactor.user) << 32 | reactor.sequence >> 16).bigEndian,
      UInt16(truncatingIfNeeded: reactor.sequence).bigEndian
    )
    // Sound: the bytes are the first of a pair that is alive; its parts leave no gap.
    unsafe withUnsafeBytes(of: entry) {
      let encoded = unsafe UnsafeRawBufferPointer(
        start: $0.baseAddress, count: RowFormat.entryByteCount)
      unsafe bytes.insert(contentsOf: encoded, at: block.end)
    }
    setHead(
      block, count: block.count + 1, isSpilled: block.isSpilled,
      entryCount: block.entryCount + 1)
  }

  /// Takes an entry out of a block, whose count falls by one.
  package mutating func remove(_ index: Int, from block: RowFormat.Block) {
    bytes.removeSubrange(block.entry(index)..<block.entry(index + 1))
    setHead(
      block, count: block.count - 1, isSpilled: block.isSpilled,
      entryCount: block.entryCount - 1)
  }

  private mutating func setHead(
    _ block: RowFormat.Block, count: Int, isSpilled: Bool, entryCount: Int
  ) {
    let head = RowFormat.head(
      reactionByteCount: block.reaction.count, entryCount: entryCount, isSpilled: isSpilled)
    bytes.set(bigEndian: head, byteCount: 2, at: block.start)
    setCount(count, of: block)
  }
}
