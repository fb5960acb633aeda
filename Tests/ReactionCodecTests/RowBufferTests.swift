import LedgerTestSupport
import ReactionCodec
import ReactionModel
import Testing

/// A row as a plain value that is changed and encoded anew, beside one that is edited in place.
private struct RowPair {
  private(set) var row = MessageRow(eventCount: 0, lastSequence: 0, blocks: [])
  private(set) var buffer = RowBuffer()
  private var sequence: UInt64 = 0

  init() { buffer.clear() }

  var isEqual: Bool { row.encode() == buffer.bytes }

  /// One random change that a projector could make.
  mutating func change(_ sampler: inout Sampler, reactions: [Reaction]) throws {
    sequence += UInt64(sampler.below(3) + 1)
    let reaction = sampler.pick(reactions)
    let reactor = Reactor(user: sampler.user(), sequence: sequence)
    let found = try block(reaction)
    let index = row.blocks.firstIndex { $0.reaction == reaction }
    #expect((found == nil) == (index == nil))
    if let found, let index {
      expectEqual(found, row.blocks[index])
      change(index, found, reactor, &sampler)
    } else {
      row.blocks.append(
        MessageRow.Block(
          reaction: reaction, opened: sequence, count: 1, isSpilled: false, entries: [reactor]))
      buffer.open(reaction.text.utf8Span.span, first: reactor)
    }
    row.eventCount += 1
    row.lastSequence = sequence
    buffer.countEvent(sequence)
    #expect(buffer.lastSequence == sequence)
  }

  private mutating func change(
    _ index: Int, _ block: RowFormat.Block, _ reactor: Reactor, _ sampler: inout Sampler
  ) {
    let entries = row.blocks[index].entries
    switch sampler.below(6) {
    case 0:
      row.blocks.remove(at: index)
      buffer.close(block)
    case 1 where block.isSpilled:
      let count = sampler.below(1000) + 3
      row.blocks[index].count = count
      if entries.count == 3 {
        buffer.setCount(count, of: block)
      } else {
        let more = (0..<3).map { Reactor(user: sampler.user(), sequence: sequence + $0) }
        let filled = Array((entries + more).prefix(RowFormat.previewCount))
        sequence += 2
        row.blocks[index].entries = filled
        buffer.replace(block, count: count, isSpilled: true, entries: filled)
      }
    case 1, 2:
      let kept = Array(entries.prefix(RowFormat.previewCount))
      let count = max(kept.count, sampler.below(40))
      row.blocks[index].count = kept.count == 3 ? count : kept.count
      row.blocks[index].isSpilled = true
      row.blocks[index].entries = kept
      buffer.replace(block, count: row.blocks[index].count, isSpilled: true, entries: kept)
    case 3 where block.count > 1 && block.count == block.entryCount:
      let place = sampler.below(entries.count)
      row.blocks[index].entries.remove(at: place)
      row.blocks[index].count -= 1
      buffer.remove(place, from: block)
    default:
      let capacity = block.isSpilled ? RowFormat.previewCount : RowFormat.inlineCapacity
      guard block.count == block.entryCount, block.count < capacity else { return }
      row.blocks[index].entries.append(reactor)
      row.blocks[index].count += 1
      buffer.append(reactor, to: block)
    }
  }

  private func block(_ reaction: Reaction) throws(CodecError) -> RowFormat.Block? {
    try buffer.block(of: reaction.text.utf8Span.span)
  }

  private func expectEqual(_ block: RowFormat.Block, _ expected: MessageRow.Block) {
    #expect(block.opened == expected.opened)
    #expect(block.count == expected.count)
    #expect(block.isSpilled == expected.isSpilled)
    let entries = (0..<block.entryCount).map { buffer.reactor($0, of: block) }
    #expect(entries == expected.entries)
    for entry in expected.entries {
      let first = expected.entries.firstIndex { $0.user == entry.user }
      #expect(buffer.index(of: entry.user, in: block) == first)
    }
    #expect(buffer.index(of: 0, in: block) == nil, "nobody has the number 0")
  }
}

@Suite("A row edited in place has the bytes of the row as a value (F18, F19)")
struct RowBufferTests {
  @Test("5,000 random changes each, all kinds of them", arguments: [1, 2, 3, 4] as [UInt64])
  func randomChanges(seed: UInt64) throws {
    var sampler = Sampler(seed: seed)
    // Bytes that occur in each other, so that a search that does not keep to lengths is found out.
    let texts = ["a", "aa", "👍", "👍🏽", "❤️", ":party:", ":party:17:", text(byteCount: 512)]
    let reactions = try texts.map { try Reaction(stored: $0) }
    var pair = RowPair()
    for step in 0..<5_000 {
      try pair.change(&sampler, reactions: reactions)
      try #require(pair.isEqual, "seed \(seed), step \(step)")
    }
    let encoded = pair.row.encode()
    #expect(try MessageRow(decoding: encoded.span) == pair.row)
  }

  @Test("Loading a row and clearing leave nothing of the row before")
  func loading() throws {
    var sampler = Sampler(seed: 5)
    var buffer = RowBuffer()
    for _ in 0..<200 {
      let row = sampler.row().encode()
      try buffer.load(row.span)
      try #require(buffer.bytes == row)
    }
    buffer.clear()
    #expect(buffer.bytes == [UInt8](repeating: 0, count: 10))
    #expect(buffer.lastSequence == 0)
    let short = [UInt8](repeating: 0, count: 9)
    #expect(throws: CodecError.endsInside("row")) { try buffer.load(short.span) }
  }

  @Test("A damaged block is an error where a reaction is looked for")
  func damage() throws {
    var buffer = RowBuffer()
    let damaged = bytes("00000001 000000000002 0401 61 000000000002 00000002 00000001 000000000002")
    try buffer.load(damaged.span)
    let reaction = try Reaction("b")
    #expect(throws: CodecError.badValue("number of entries")) {
      _ = try buffer.block(of: reaction.text.utf8Span.span)
    }
  }
}
