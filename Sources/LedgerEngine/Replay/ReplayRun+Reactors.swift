internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks `reactors` and `members`: of each reaction too popular for its row they have exactly its
  /// reactors (J2, J3), and of others nothing.
  mutating func checkReactors() throws(LedgerError) {
    var next: UInt32 = 0
    var isDone = false
    while !isDone {
      isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        let slot = run.databases.slot(state.slot)
        var budget = run.chunkCount
        // A block that takes the place of an earlier one meanwhile is newer than this walk.
        while budget > 0, next < run.log.reducer.blocks.count {
          let block = run.log.reducer.blocks[Int(next)]
          if block.count > 0, block.isSpilled {
            budget -= Int(block.count)
            try run.checkReactors(of: next, slot, reads)
            try run.checkMembers(of: next, slot, reads)
          }
          next += 1
        }
        run.report(.reactors, Int(next), run.log.reducer.blocks.count)
        return next >= run.log.reducer.blocks.count
      }
    }
    try checkOpenings(of: .reactors, .reactors)
    try checkOpenings(of: .members, .members)
  }

  /// Compares what `reactors` has of a reaction with its reactors, up to the first difference.
  private mutating func checkReactors(
    of number: UInt32, _ slot: ProjectionSlot, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let block = log.reducer.blocks[Int(number)]
    var scan = try OpeningScan(.reactors, of: slot, opened: block.opened, reads)
    var (index, next) = (0, block.first)
    while true {
      let found = try scan.next()
      let expected = next == FlatReducer.none ? nil : log.reducer.reactor(next)
      if found == expected.map({ .reactor($0) }) {
        guard found != nil else { return }
        index += 1
        next = log.reducer.reactors[Int(next)].next
        continue
      }
      let shown: String =
        switch found {
        case .reactor(let reactor): "\(reactor)"
        case .member, .other: "other bytes"
        case nil: "\(index) reactors"
        }
      return report(
        .reactors, at: FindingPlace(.reactors, [UInt8](Keys.sequence(block.opened).span)),
        "reactors \(block.opened) (\(try name(of: block, reads)))",
        expected.map { "\($0) at index \(index)" } ?? "\(index) reactors", shown)
    }
  }

  /// Compares what `members` has of a reaction with its reactors.
  private mutating func checkMembers(
    of number: UInt32, _ slot: ProjectionSlot, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let block = log.reducer.blocks[Int(number)]
    var scan = try OpeningScan(.members, of: slot, opened: block.opened, reads)
    var count: UInt32 = 0
    while let pair = try scan.next() {
      let (user, found): (UserNumber, UInt64?)
      switch pair {
      case .reactor(let reactor): (user, found) = (reactor.user, reactor.sequence)
      case .member(let number): (user, found) = (number, nil)
      case .other:
        report(
          .members, at: FindingPlace(.reactors, [UInt8](Keys.sequence(block.opened).span), rank: 1),
          "members \(block.opened) (\(try name(of: block, reads)))", "users", "other bytes")
        continue
      }
      let index = log.reducer.members.index(of: user, in: number, log.reducer.reactors)
      let expected = index.map { log.reducer.reactors[Int($0)].sequence }
      if expected != nil { count += 1 }
      if let expected, expected == found { continue }
      try reportMember(
        user, of: block, expected.map { "\($0)" } ?? "nothing",
        found.map { "\($0)" } ?? "other bytes", reads)
    }
    if count != block.count { try findMissingMembers(of: block, slot, reads) }
  }

  private mutating func findMissingMembers(
    of block: FlatBlock, _ slot: ProjectionSlot, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    var next = block.first
    while next != FlatReducer.none {
      let reactor = log.reducer.reactor(next)
      next = log.reducer.reactors[Int(next)].next
      let key = Keys.member(opened: block.opened, user: reactor.user)
      if try reads.get(key.span, in: slot.members) == nil {
        try reportMember(reactor.user, of: block, "\(reactor.sequence)", "nothing", reads)
      }
    }
  }

  private mutating func reportMember(
    _ user: UserNumber, of block: FlatBlock, _ expected: String, _ found: String,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let key = Keys.member(opened: block.opened, user: user)
    report(
      .members, at: FindingPlace(.reactors, [UInt8](key.span), rank: 1),
      "members \(block.opened) \(user) (\(try name(of: block, reads)))", expected, found)
  }

  /// The reaction of a block, and its message.
  private func name(
    of block: FlatBlock, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> String {
    let reaction = log.reducer.text(of: block.reaction)
    guard case .message(let message) = try opening(block.opened, reads) else { return reaction }
    return "\(reaction) on \(log.reducer.key(of: message))"
  }

  /// Finds pairs of reactions that need none, at each opening sequence that there is.
  private mutating func checkOpenings(
    of name: ProjectionSlot.Name, _ rule: Rule
  ) throws(LedgerError) {
    // A key that is at or before the next one to look at.
    var start: [UInt8] = [0]
    var last: UInt64?
    var isDone = false
    while !isDone {
      isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        var cursor = try reads.scan(run.databases.slot(state.slot).database(name))
        for _ in 0..<run.chunkCount {
          let key = start
          guard let row = try cursor.move(to: key.span) else { return true }
          let found = [UInt8](row.key)
          let opened = OpeningScan.opening(row.key)
          let isKnown = opened == nil || opened == last
          guard let next = Self.start(after: found, isKnown: isKnown) else { return true }
          start = next
          if let opened, opened == last { continue }
          last = opened ?? last
          try run.checkOpening(opened, found, name, rule, reads)
        }
        return false
      }
    }
  }

  /// What comes after all keys of an opening sequence, or just after one key; `nil` if nothing can.
  private static func start(after key: [UInt8], isKnown: Bool) -> [UInt8]? {
    let longest = 511
    if !isKnown { return key.prefix(6) + Array(repeating: 0xFF, count: longest - 6) }
    if key.count < longest { return key + [0] }
    var next = key
    while next.last == 0xFF { next.removeLast() }
    guard let last = next.popLast() else { return nil }
    return next + [last + 1]
  }

  private mutating func checkOpening(
    _ opened: UInt64?, _ key: [UInt8], _ name: ProjectionSlot.Name, _ rule: Rule,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let rank: UInt8 = name == .reactors ? 0 : 1
    guard let opened else {
      guard slice.isPrimary else { return }
      return report(
        rule, at: FindingPlace(.reactors, key, rank: rank), "\(name.rawValue) \(key)",
        "a longer key", "\(key.count) bytes")
    }
    switch try opening(opened, reads) {
    case .ofOtherSlice: return
    case .message(let message):
      if log.reducer.hasSpilledBlock(message, opened: opened) { return }
    case .nothing: break
    }
    report(
      rule, at: FindingPlace(.reactors, Array(key.prefix(6)), rank: rank),
      "\(name.rawValue) \(opened)", "nothing: no such reaction needs it", "pairs")
  }

  /// What an opening sequence is of.
  private enum Opening {
    case message(UInt32)
    /// An event that was not possible, or none; of this slice.
    case nothing
    case ofOtherSlice
  }

  private func opening(
    _ opened: UInt64, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) -> Opening {
    let key = Keys.event(opened)
    guard let record = try reads.get(key.span, in: databases.events),
      let outline = RecordView.outline(of: record)
    else { return slice.isPrimary ? .nothing : .ofOtherSlice }
    let ids = record.extracting(outline.ids)
    guard slice.owns(log.reducer.messages.half(outline.head, ids)) else { return .ofOtherSlice }
    return log.reducer.messages.number(outline.head, ids).map { .message($0) } ?? .nothing
  }
}
