public import ReactionModel

/// The bytes of a message's row; the rules are numbered in the article `FileFormat`.
///
/// ```
/// u32 number of events   u48 last sequence
/// then one block per live reaction, in order of opening:
///   u16 head: 1 bit spilled, 5 bits number of entries, 10 bits length of the reaction
///   the reaction   u48 opening sequence   u32 count
///   then the entries, oldest first: u32 user, u48 sequence of the add
/// ```
///
/// A block's entries are all its reactors while it has never held more than 16 since it opened;
/// after that it is spilled, and they are the first three.
public enum RowFormat {
  /// The bytes before the first block.
  @inlinable public static var headerByteCount: Int { 10 }
  /// The bytes of an entry.
  @inlinable public static var entryByteCount: Int { 10 }
  /// The bytes of a block beside its reaction and entries.
  @inlinable public static var blockFixedByteCount: Int { 12 }
  /// The most reactors that a row holds of one reaction.
  @inlinable public static var inlineCapacity: Int { 16 }
  /// How many reactors a row holds of a reaction that has had more.
  @inlinable public static var previewCount: Int { 3 }

  @inlinable static var spilledBit: UInt64 { 1 << 15 }
  @inlinable static var reactionMask: UInt64 { (1 << 10) - 1 }
  @inlinable static var entryMask: UInt64 { (1 << 5) - 1 }

  static func head(reactionByteCount: Int, entryCount: Int, isSpilled: Bool) -> UInt64 {
    (isSpilled ? spilledBit : 0) | UInt64(entryCount) << 10 | UInt64(reactionByteCount)
  }

  /// Where a block and its parts are in a row.
  @frozen public struct Block: Sendable {
    /// Where the block begins.
    public let start: Int
    /// Where the reaction is.
    public let reaction: Range<Int>
    /// The sequence of the add that opened the block.
    public let opened: UInt64
    /// How many reactors there are.
    public let count: Int
    /// How many of them the row holds.
    public let entryCount: Int
    /// Whether the full list is in `reactors` and `members`.
    public let isSpilled: Bool

    @inlinable @inline(__always)
    init(
      start: Int, reaction: Range<Int>, opened: UInt64, count: Int, entryCount: Int,
      isSpilled: Bool
    ) {
      self.start = start
      self.reaction = reaction
      self.opened = opened
      self.count = count
      self.entryCount = entryCount
      self.isSpilled = isSpilled
    }

    /// Where the entries begin.
    @inlinable @inline(__always)
    public var entries: Int { reaction.upperBound + 10 }
    /// Where the block ends.
    @inlinable @inline(__always)
    public var end: Int { entries + entryCount * entryByteCount }
    /// Where the entry of an index is.
    @inlinable @inline(__always)
    public func entry(_ index: Int) -> Int { entries + index * entryByteCount }

    /// Whether a user is in one of the entries.
    @inlinable @inline(__always)
    public func holds(_ user: UserNumber, in row: Span<UInt8>) -> Bool {
      for index in 0..<entryCount where RowFormat.user(at: entry(index), in: row) == user {
        return true
      }
      return false
    }
  }

  /// The block at an offset of a row, or `nil` at the row's end.
  ///
  /// - Throws: ``CodecError`` if the bytes there are no block.
  @inlinable
  public static func block(
    at offset: Int, in row: Span<UInt8>
  ) throws(CodecError) -> Block? {
    guard offset < row.count else {
      guard offset == row.count, offset >= headerByteCount else { throw .endsInside("row") }
      return nil
    }
    guard row.count - offset >= blockFixedByteCount else { throw .endsInside("block") }
    let head = row.bigEndian(at: offset, byteCount: 2)
    let reaction = offset + 2..<offset + 2 + Int(head & reactionMask)
    guard row.count - reaction.upperBound >= 10 else { throw .endsInside("block") }
    let block = Block(
      start: offset, reaction: reaction,
      opened: row.bigEndian(at: reaction.upperBound, byteCount: 6),
      count: Int(row.bigEndian(at: reaction.upperBound + 6, byteCount: 4)),
      entryCount: Int(head >> 10 & entryMask), isSpilled: head & spilledBit != 0)
    guard block.end <= row.count else { throw .endsInside("entries") }
    let expected = block.isSpilled ? min(previewCount, block.count) : block.count
    guard block.entryCount == expected, (1...inlineCapacity).contains(expected),
      !reaction.isEmpty
    else { throw .badValue("number of entries") }
    return block
  }

  /// How many blocks a row seems to have by the heads alone; a damaged one has fewer or more.
  @inlinable
  public static func blockCount(_ row: Span<UInt8>) -> Int {
    var (offset, count) = (headerByteCount, 0)
    while row.count - offset >= blockFixedByteCount {
      let head = row.bigEndian(at: offset, byteCount: 2)
      offset += blockFixedByteCount + Int(head & reactionMask)
      offset += Int(head >> 10 & entryMask) * entryByteCount
      count += 1
    }
    return count
  }

  /// The user of an entry.
  @inlinable @inline(__always)
  public static func user(at entry: Int, in row: Span<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: row.bigEndian(at: entry, byteCount: 4))
  }

  /// The sequence of an entry.
  @inlinable @inline(__always)
  public static func sequence(at entry: Int, in row: Span<UInt8>) -> UInt64 {
    row.bigEndian(at: entry + 4, byteCount: 6)
  }

  /// The number of events of a row's message.
  @inlinable @inline(__always)
  public static func eventCount(_ row: Span<UInt8>) throws(CodecError) -> Int {
    guard row.count >= headerByteCount else { throw .endsInside("row") }
    return Int(row.bigEndian(at: 0, byteCount: 4))
  }

  /// The sequence of the last event of a row's message.
  @inlinable @inline(__always)
  public static func lastSequence(_ row: Span<UInt8>) throws(CodecError) -> UInt64 {
    guard row.count >= headerByteCount else { throw .endsInside("row") }
    return row.bigEndian(at: 4, byteCount: 6)
  }
}
