internal import LMDB
internal import ReactionCodec
internal import ReactionModel

// What is live on the message in hand.
extension Projector {
  /// All reactions that a user has on the message, in order of their adds.
  func held(
    by user: UserNumber, on message: MessageKey, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [Plan.Held] {
    var held: [Plan.Held] = []
    var offset = RowFormat.headerByteCount
    while let block = try block(at: offset, message) {
      if let sequence = try liveAdd(in: block, by: user, reads) {
        held.append(
          Plan.Held(
            reaction: try reaction(of: block, message), sequence: sequence,
            isOnly: block.count == 1))
      }
      offset = block.end
    }
    return held.sorted { $0.sequence < $1.sequence }
  }

  /// How many distinct reactions the message has.
  func distinctCount(on message: MessageKey) throws(LedgerError) -> Int {
    var (count, offset) = (0, RowFormat.headerByteCount)
    while let block = try block(at: offset, message) {
      count += 1
      offset = block.end
    }
    return count
  }

  /// Whether a reaction is live on the message, and with how many users.
  func count(of reaction: Reaction, on message: MessageKey) throws(LedgerError) -> Int {
    try block(of: reaction, message)?.count ?? 0
  }

  /// One user's reaction on the message.
  struct Live {
    let reaction: Reaction
    let reactor: Reactor
  }

  /// The first `limit` live reactions on the message, all or of one reaction: in order of opening,
  /// and of each in order of the adds.
  func live(
    of wanted: Reaction?, on message: MessageKey, limit: Int, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> [Live] {
    var (found, offset): ([Live], Int) = ([], RowFormat.headerByteCount)
    while found.count < limit, let block = try block(at: offset, message) {
      offset = block.end
      let reaction = try reaction(of: block, message)
      if let wanted, reaction != wanted { continue }
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
      for index in 0..<block.entryCount
      where RowFormat.user(at: block.entry(index), in: row) == user { return true }
      if block.isSpilled {
        let member = Keys.member(opened: block.opened, user: user)
        if try reads.get(member.span, in: slot.members) != nil { return true }
      }
      offset = block.end
    }
    return false
  }

  private func reaction(
    of block: RowFormat.Block, _ message: MessageKey
  ) throws(LedgerError) -> Reaction {
    do throws(InvalidReaction) {
      return try Reaction(canonical: row.bytes.span.extracting(block.reaction))
    } catch {
      throw damage(message, "\(error)")
    }
  }
}
