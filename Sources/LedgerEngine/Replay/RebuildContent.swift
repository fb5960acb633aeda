internal import LMDB
internal import ReactionCodec
internal import ReactionModel

/// What the projections hold according to the log: the tables of a reducer, and the order of keys.
struct RebuildContent: Sendable {
  private let reducer: FlatReducer
  /// Messages.
  let messages: [UInt32]
  /// Reactors of reactions too popular for a row, by opening sequence and add.
  let reactors: [UInt32]
  /// The same, by opening sequence and user.
  let members: [UInt32]
  /// Indices of commands.
  let commands: [UInt32]
  /// Live reactions by user and add; `nil` if there is no index by user.
  let byUser: [UInt32]?

  /// The databases, in the order in which they are written.
  var parts: [ProjectionSlot.Name] {
    [.messages, .reactors, .members, .commands] + (byUser == nil ? [] : [.byUser])
  }

  /// How many pairs a database gets.
  func pairCount(of part: ProjectionSlot.Name) -> Int {
    switch part {
    case .messages: messages.count
    case .reactors: reactors.count
    case .members: members.count
    case .commands: commands.count
    case .byUser: byUser?.count ?? 0
    }
  }

  /// Arranges what a reducer holds.
  ///
  /// Memory: 20 bytes for each message while it is sorted, 4 for each pair afterwards.
  /// Complexity: O(*n* log *n*) in messages, reactors and commands.
  init(_ reducer: FlatReducer, indexingByUser indexesByUser: Bool) {
    self.reducer = reducer
    messages = reducer.messagesByKey()
    var (byAdd, byMember): ([UInt32], [UInt32]) = ([], [])
    for block in reducer.spilledBlocks() {
      let start = byAdd.count
      var next = reducer.blocks[Int(block)].first
      while next != FlatReducer.none {
        byAdd.append(next)
        next = reducer.reactors[Int(next)].next
      }
      byMember += byAdd[start...].sorted {
        reducer.reactors[Int($0)].user < reducer.reactors[Int($1)].user
      }
    }
    (reactors, members) = (byAdd, byMember)
    commands = (0..<UInt32(reducer.commands.entries.count)).sorted {
      reducer.commands.entries[Int($0)].id < reducer.commands.entries[Int($1)].id
    }
    byUser = indexesByUser ? Self.index(reducer) : nil
  }

  private static func index(_ reducer: FlatReducer) -> [UInt32] {
    let live = reducer.reactors.indices.filter { reducer.reactors[$0].block != FlatReducer.none }
    return live.map { UInt32($0) }.sorted {
      let (a, b) = (reducer.reactors[Int($0)], reducer.reactors[Int($1)])
      return (a.user, a.sequence) < (b.user, b.sequence)
    }
  }

  /// Writes pairs of a database that holds those before them.
  func load(
    _ part: ProjectionSlot.Name, _ range: Range<Int>, into slot: ProjectionSlot,
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) {
    let database = slot.database(part)
    switch part {
    case .messages:
      var row = RowWriter()
      for message in messages[range] {
        reducer.writeRow(of: message, into: &row)
        try transaction.set(row.bytes, for: reducer.messages.key(message), in: database, .append)
      }
    case .reactors:
      for index in reactors[range] {
        let reactor = reducer.reactors[Int(index)]
        let key = Keys.reactor(opened: opened(reactor), sequence: reactor.sequence)
        let value = Keys.user(reactor.user)
        try transaction.set(value.span, for: key.span, in: database, .append)
      }
    case .members:
      for index in members[range] {
        let reactor = reducer.reactors[Int(index)]
        let key = Keys.member(opened: opened(reactor), user: reactor.user)
        let value = Keys.sequence(reactor.sequence)
        try transaction.set(value.span, for: key.span, in: database, .append)
      }
    case .commands:
      for index in commands[range] {
        let entry = reducer.commands.entries[Int(index)]
        let (key, value) = (Keys.command(entry.id), Keys.sequence(entry.first))
        try transaction.set(value.span, for: key.span, in: database, .append)
      }
    case .byUser:
      for index in byUser?[range] ?? [] {
        let reactor = reducer.reactors[Int(index)]
        let key = Keys.byUser(user: reactor.user, sequence: reactor.sequence)
        try transaction.set(Span(), for: key.span, in: database, .append)
      }
    }
  }

  private func opened(_ reactor: FlatReactor) -> UInt64 {
    reducer.blocks[Int(reactor.block)].opened
  }
}
