/// Writes a message's row from its parts into room that is used again for every row.
package struct RowWriter: Sendable {
  private var room = [UInt8](repeating: 0, count: 4096)
  private var count = 0

  package init() {}

  /// The row's bytes.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { room.span.extracting(0..<count) }
  }

  /// Begins a row.
  package mutating func begin(eventCount: UInt32, lastSequence: UInt64) {
    count = 0
    put(UInt64(eventCount), byteCount: 4)
    put(lastSequence, byteCount: 6)
  }

  /// Adds a block, whose entries must follow.
  package mutating func block(
    _ reaction: Span<UInt8>, opened: UInt64, count: UInt32, isSpilled: Bool, entryCount: Int
  ) {
    reserve(reaction.count + RowFormat.blockFixedByteCount)
    put(
      RowFormat.head(
        reactionByteCount: reaction.count, entryCount: entryCount, isSpilled: isSpilled),
      byteCount: 2)
    for index in reaction.indices { room[self.count &+ index] = reaction[index] }
    self.count &+= reaction.count
    put(opened, byteCount: 6)
    put(UInt64(count), byteCount: 4)
  }

  /// Adds an entry to the block.
  package mutating func entry(user: UInt32, sequence: UInt64) {
    reserve(RowFormat.entryByteCount)
    put(UInt64(user), byteCount: 4)
    put(sequence, byteCount: 6)
  }

  /// Makes sure that so many bytes fit, and a word more.
  private mutating func reserve(_ byteCount: Int) {
    guard count &+ byteCount &+ 8 > room.count else { return }
    room.append(contentsOf: repeatElement(0, count: room.count + byteCount))
  }

  /// Writes the low `byteCount` bytes of a number; a whole word is stored, and what is too much
  /// written over.
  private mutating func put(_ value: UInt64, byteCount: Int) {
    let offset = count
    let word = value &<< UInt64(64 &- 8 &* byteCount)
    var span = room.mutableSpan
    // Sound: the store is checked against the bounds, and any bytes are bytes.
    var bytes = unsafe span.mutableBytes
    bytes.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt64.self)
    count &+= byteCount
  }
}
