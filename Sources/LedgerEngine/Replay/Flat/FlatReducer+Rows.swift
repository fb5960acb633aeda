package import ReactionCodec
package import ReactionModel

// What the projections hold according to the tables.
extension FlatReducer {
  /// The messages that have had a reaction; their numbers are below it.
  package var messageCount: Int { messages.count }

  /// The message of a key of `messages`, if it has had a reaction.
  func message(_ key: Span<UInt8>) -> UInt32? {
    guard key.count > 2 else { return nil }
    let head = UInt16(key[0]) << 8 | UInt16(key[1])
    return messages.number(head, key.extracting(2..<key.count))
  }

  /// The messages in order of their keys.
  func messagesByKey() -> [UInt32] {
    KeyOrder.sorted(count: messages.count) { KeyOrder.word(messages.key($0), $1) }
  }

  /// Writes the row of a message.
  func writeRow(of number: UInt32, into row: inout RowWriter) {
    let message = messages[number]
    row.begin(eventCount: message.eventCount, lastSequence: message.lastSequence)
    var next = message.firstBlock
    while next != Self.none {
      let block = blocks[Int(next)]
      let entryCount =
        block.isSpilled
        ? min(RowFormat.previewCount, Int(block.count)) : Int(block.count)
      let text = reactions.key(block.reaction)
      row.block(
        text.extracting(2..<text.count), opened: block.opened, count: block.count,
        isSpilled: block.isSpilled, entryCount: entryCount)
      var reactor = block.first
      for _ in 0..<entryCount {
        let entry = reactors[Int(reactor)]
        row.entry(user: entry.user, sequence: entry.sequence)
        reactor = entry.next
      }
      next = block.next
    }
  }

  /// The row of a message as a value, to be shown.
  package func row(of number: UInt32) -> MessageRow {
    let message = messages[number]
    return MessageRow(
      eventCount: Int(message.eventCount), lastSequence: message.lastSequence,
      blocks: blocks(of: number).map { index in
        let block = blocks[Int(index)]
        let entries = reactors(of: index)
        return MessageRow.Block(
          reaction: reaction(block.reaction), opened: block.opened, count: Int(block.count),
          isSpilled: block.isSpilled,
          entries: block.isSpilled ? Array(entries.prefix(RowFormat.previewCount)) : entries)
      })
  }

  /// The live reactions of a message, in order of opening.
  package func blocks(of number: UInt32) -> [UInt32] {
    var (found, next): ([UInt32], UInt32) = ([], messages[number].firstBlock)
    while next != Self.none {
      found.append(next)
      next = blocks[Int(next)].next
    }
    return found
  }

  /// The reactor of an index.
  func reactor(_ index: UInt32) -> Reactor {
    Reactor(user: reactors[Int(index)].user, sequence: reactors[Int(index)].sequence)
  }

  /// The reactors of a block, in order of their adds.
  package func reactors(of block: UInt32) -> [Reactor] {
    var (found, next): ([Reactor], UInt32) = ([], blocks[Int(block)].first)
    while next != Self.none {
      found.append(reactor(next))
      next = reactors[Int(next)].next
    }
    return found
  }

  /// The reactions too popular for a row, by opening sequence.
  func spilledBlocks() -> [UInt32] {
    blocks.indices.filter { blocks[$0].isSpilled }
      .sorted { blocks[$0].opened < blocks[$1].opened }.map { UInt32($0) }
  }

  /// Whether a message has a spilled block that a record opened.
  func hasSpilledBlock(_ number: UInt32, opened: UInt64) -> Bool {
    var next = messages[number].firstBlock
    while next != Self.none {
      if blocks[Int(next)].opened == opened { return blocks[Int(next)].isSpilled }
      next = blocks[Int(next)].next
    }
    return false
  }

  /// The text of a reaction.
  func text(of reaction: UInt32) -> String {
    let key = reactions.key(reaction)
    return String(decoding: [UInt8](key.extracting(2..<key.count)), as: UTF8.self)
  }

  private func reaction(_ number: UInt32) -> Reaction {
    let key = reactions.key(number)
    do {
      return try Reaction(canonical: key.extracting(2..<key.count))
    } catch {
      preconditionFailure("a reaction that was read is none: \(error)")
    }
  }

  /// The message of a number.
  package func key(of message: UInt32) -> MessageKey {
    do {
      return try Keys.message(messages.key(message))
    } catch {
      preconditionFailure("a message that was read has no key: \(error)")
    }
  }
}
