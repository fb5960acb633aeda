#if RocksDBPeer
  import CRocksDB
  import ReactionCodec
  import ReactionModel

  /// RocksDB with the ledger's own layout: one row for each message, with all of its reactions and
  /// their first users; users beyond sixteen beside it; one write batch, with its log, for each
  /// batch of commands.
  @safe final class RocksDBPeer: Peer {
    static var title: String { "RocksDB" }

    private let store: RocksStore
    /// For reads of what was committed last.
    private let current: RocksRead
    private var userNumbers: [UserID: UInt32] = [:]
    private var userNames: [UInt32: String] = [:]
    private var sequence: UInt64 = 0
    private var row = RowBuffer()

    init(at path: String, isDurable: Bool) throws {
      store = try RocksStore(at: path, isDurable: isDurable)
      guard let read = store.read(isSnapshot: false) else {
        throw BenchError.peer("RocksDB gave no options")
      }
      current = read
    }

    func append(_ commands: [Command]) throws -> Int {
      var recordedCount = 0
      for command in commands {
        if let change = PeerChange(command), try run(change) { recordedCount += 1 }
      }
      try store.commit()
      return recordedCount
    }

    /// Makes a change; false if nothing changes.
    private func run(_ change: PeerChange) throws -> Bool {
      let user = number(of: change.user)
      let key = RocksKeys.message(change.message)
      row.clear()
      if let stored = try store.value(key, current) { try row.load(stored.span) }
      let previous = row.lastSequence
      let block = try row.block(of: change.reaction.utf8Span.span)
      let live = try block.flatMap { try liveAdd(in: $0, by: user) }
      let next = sequence + 1
      switch (change.isAdd, live) {
      case (true, nil): add(Reactor(user: user, sequence: next), block, change.reaction)
      case (false, let add?):
        if let block { try remove(Reactor(user: user, sequence: add), from: block) }
      default: return false
      }
      sequence = next
      row.countEvent(next)
      store.put(key, row.bytes)
      store.put(RocksKeys.event(next), RocksKeys.event(change, user, previous))
      return true
    }

    private func number(of user: UserID) -> UInt32 {
      if let number = userNumbers[user] { return number }
      let number = UInt32(userNumbers.count + 1)
      userNumbers[user] = number
      userNames[number] = user.text
      store.put(RocksKeys.user(number), Array(user.text.utf8))
      return number
    }

    private func liveAdd(in block: RowFormat.Block, by user: UInt32) throws -> UInt64? {
      if let index = row.index(of: user, in: block) {
        return row.reactor(index, of: block).sequence
      }
      guard block.isSpilled else { return nil }
      return try store.value(RocksKeys.member(block.opened, user), current).map(RocksKeys.number)
    }

    private func add(_ reactor: Reactor, _ block: RowFormat.Block?, _ reaction: String) {
      guard let block else {
        row.open(reaction.utf8Span.span, first: reactor)
        return
      }
      if block.isSpilled {
        put(reactor, in: block)
        if block.entryCount < RowFormat.previewCount {
          row.append(reactor, to: block)
        } else {
          row.setCount(block.count + 1, of: block)
        }
      } else if block.count < RowFormat.inlineCapacity {
        row.append(reactor, to: block)
      } else {
        let all = (0..<block.entryCount).map { row.reactor($0, of: block) }
        for entry in all + [reactor] { put(entry, in: block) }
        row.replace(
          block, count: block.count + 1, isSpilled: true,
          entries: Array(all.prefix(RowFormat.previewCount)))
      }
    }

    private func put(_ reactor: Reactor, in block: RowFormat.Block) {
      store.put(
        RocksKeys.reactor(block.opened, reactor.sequence), RocksKeys.bytes(reactor.user))
      store.put(RocksKeys.member(block.opened, reactor.user), RocksKeys.bytes(reactor.sequence))
    }

    private func remove(_ reactor: Reactor, from block: RowFormat.Block) throws {
      if block.isSpilled {
        store.delete(RocksKeys.reactor(block.opened, reactor.sequence))
        store.delete(RocksKeys.member(block.opened, reactor.user))
      }
      let index = row.index(of: reactor.user, in: block)
      if block.count == 1 {
        row.close(block)
      } else if let index, !block.isSpilled || block.count <= RowFormat.previewCount {
        row.remove(index, from: block)
      } else if index != nil {
        let first = reactors(of: block, limit: RowFormat.previewCount, current)
        row.replace(block, count: block.count - 1, isSpilled: true, entries: first)
      } else {
        row.setCount(block.count - 1, of: block)
      }
    }

    private func reactors(
      of block: RowFormat.Block, limit: Int, _ read: RocksRead
    ) -> [Reactor] {
      let prefix = RocksKeys.reactors(block.opened)
      return store.values(prefix: prefix, limit: limit, read).map { key, value in
        Reactor(
          user: UInt32(RocksKeys.number(value)),
          sequence: RocksKeys.number(Array(key.dropFirst(prefix.count))))
      }
    }

    func summaries(of messages: [MessageKey], viewer: UserID?) throws -> [PeerSummary] {
      guard let read = store.read(isSnapshot: true) else { return [] }
      let number = viewer.map { userNumbers[$0] ?? 0 }
      return try messages.map { try summary(of: $0, number, read) }
    }

    private func summary(
      of message: MessageKey, _ viewer: UInt32?, _ read: RocksRead
    ) throws -> PeerSummary {
      guard let stored = try store.committed(RocksKeys.message(message), read) else {
        return PeerSummary(eventCount: 0, reactions: [])
      }
      let bytes = stored.span
      var reactions: [PeerSummary.Reaction] = []
      var offset = RowFormat.headerByteCount
      while let block = try RowFormat.block(at: offset, in: bytes) {
        var (users, isViewers): ([String], Bool) = ([], false)
        for index in 0..<block.entryCount {
          let user = RowFormat.user(at: block.entry(index), in: bytes)
          if index < RowFormat.previewCount { users.append(userNames[user] ?? "") }
          if user == viewer { isViewers = true }
        }
        if let viewer, !isViewers, block.isSpilled {
          let key = RocksKeys.member(block.opened, viewer)
          isViewers = try store.committed(key, read) != nil
        }
        reactions.append(
          PeerSummary.Reaction(
            text: String(decoding: stored[block.reaction], as: UTF8.self), count: block.count,
            isViewers: isViewers, firstUsers: users))
        offset = block.end
      }
      return PeerSummary(eventCount: try RowFormat.eventCount(bytes), reactions: reactions)
    }

    func reactors(
      of reaction: String, on message: MessageKey, limit: Int
    ) throws -> (count: Int, users: [String]) {
      guard let read = store.read(isSnapshot: true),
        let stored = try store.committed(RocksKeys.message(message), read)
      else { return (0, []) }
      var found = RowBuffer()
      try found.load(stored.span)
      guard let block = try found.block(of: reaction.utf8Span.span) else { return (0, []) }
      let first =
        block.isSpilled
        ? reactors(of: block, limit: limit, read)
        : (0..<block.entryCount).map { found.reactor($0, of: block) }
      return (block.count, first.prefix(limit).map { userNames[$0.user] ?? "" })
    }

    func settle() throws { try store.settle() }

    func close() { store.close() }
  }
#endif
