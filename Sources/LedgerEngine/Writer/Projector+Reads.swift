internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// What is live on the message in hand.
extension Projector {
  /// All reactions that a user has on the message, in order of their adds.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - wanted: The one that is to be added; empty if none is.
  ///   - reads: Where to look.
  /// - Returns: The reactions.
  /// - Throws: ``LedgerError``.
  func held(
    by user: UserNumber, adding wanted: Span<UInt8> = Span(), _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [Plan.Held] {
    var held: [Plan.Held] = []
    var offset = RowFormat.headerByteCount
    while let block = try block(at: offset) {
      if let sequence = try liveAdd(in: block, by: user, reads) {
        held.append(
          Plan.Held(
            reaction: try reaction(of: block), sequence: sequence,
            isOnly: block.count == 1,
            isWanted: UTF8Bytes.areEqual(row.bytes.span.extracting(block.reaction), wanted)))
      }
      offset = block.end
    }
    return held.sorted { $0.sequence < $1.sequence }
  }

  /// How many distinct reactions the message has.
  func distinctCount() throws(LedgerError) -> Int {
    var (count, offset) = (0, RowFormat.headerByteCount)
    while let block = try block(at: offset) {
      count += 1
      offset = block.end
    }
    return count
  }

  /// One user's reaction on the message.
  struct Live {
    let reaction: Reaction
    let reactor: Reactor
  }

  /// The first `limit` live reactions on the message, all or, if `wanted` is not empty, of one
  /// reaction: in order of opening, and of each in order of the adds.
  func live(
    of wanted: Span<UInt8>, limit: Int, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [Live] {
    var (found, offset): ([Live], Int) = ([], RowFormat.headerByteCount)
    while found.count < limit, let block = try block(at: offset) {
      offset = block.end
      let isWanted =
        wanted.isEmpty || UTF8Bytes.areEqual(row.bytes.span.extracting(block.reaction), wanted)
      guard isWanted else { continue }
      let reaction = try reaction(of: block)
      guard block.isSpilled else {
        for index in 0..<min(block.entryCount, limit - found.count) {
          found.append(Live(reaction: reaction, reactor: row.reactor(index, of: block)))
        }
        continue
      }
      var scan = try ReactorScan(slot, opened: block.opened, from: 0, reads)
      while found.count < limit, let reactor = try scan.next() {
        found.append(Live(reaction: reaction, reactor: reactor))
      }
    }
    return found
  }

  /// Whether a user has a reaction on the message of a stored row.
  static func isHeld(
    by user: UserNumber, in row: Span<UInt8>, _ key: Span<UInt8>, _ slot: ProjectionSlot,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Bool {
    var offset = RowFormat.headerByteCount
    while let block = try decoding(
      .messageRow, "messages \([UInt8](key))",
      { () throws(CodecError) in try RowFormat.block(at: offset, in: row) })
    {
      if try slot.liveAdd(by: user, in: block, of: row, reads) != nil { return true }
      offset = block.end
    }
    return false
  }

  private func reaction(
    of block: RowFormat.Block
  ) throws(LedgerError) -> Reaction {
    do throws(InvalidReaction) {
      return try Reaction(canonical: row.bytes.span.extracting(block.reaction))
    } catch {
      throw damage("\(error)")
    }
  }
}

extension ProjectionSlot {
  /// The sequence of a user's add in a block of a row, if the user is among its reactors.
  ///
  /// Complexity: O(entries), and one get if not all reactors are in the row.
  func liveAdd(
    by user: UserNumber, in block: RowFormat.Block, of row: Span<UInt8>,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> UInt64? {
    for index in 0..<block.entryCount
    where RowFormat.user(at: block.entry(index), in: row) == user {
      return RowFormat.sequence(at: block.entry(index), in: row)
    }
    guard block.isSpilled else { return nil }
    let key = Keys.member(opened: block.opened, user: user)
    guard let value = try reads.get(key.span, in: members) else { return nil }
    return try decoding(.members, "members \(block.opened) \(user)") { () throws(CodecError) in
      try Keys.sequence(value)
    }
  }
}
