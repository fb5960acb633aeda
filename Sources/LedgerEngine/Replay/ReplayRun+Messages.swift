internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks that each row of `messages` is what the log makes it (J1).
  mutating func checkMessages() throws(LedgerError) {
    var (last, done): ([UInt8]?, Int) = (nil, 0)
    while true {
      let isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        var cursor = try reads.scan(run.databases.slot(state.slot).messages)
        var count = 0
        if let key = last {
          // Rows of messages are never taken away, so the last key is still there.
          guard let row = try cursor.move(to: key.span) else { return true }
          if !UTF8Bytes.areEqual(row.key, key.span) { run.checkMessage(row.key, row.value) }
        }
        while count < Self.chunkCount {
          guard let row = try cursor.step() else { return true }
          run.checkMessage(row.key, row.value)
          count += 1
          if count == Self.chunkCount { last = [UInt8](row.key) }
        }
        done += count
        try run.progress(
          ReplayProgress(
            stage: .messages, doneCount: done, totalCount: run.log.reducer.messages.count))
        return false
      }
      if isDone { return }
    }
  }

  private mutating func checkMessage(_ key: Span<UInt8>, _ value: Span<UInt8>) {
    let message: MessageKey
    do throws(CodecError) {
      message = try Keys.message(key)
    } catch {
      report(.messageRow, "messages \([UInt8](key))", "a message's key", "\(error)")
      return
    }
    guard let reduced = log.reducer.messages[message] else {
      report(.messageRow, "messages \(message)", "no row: no event names the message", "one")
      return
    }
    let expected = MessageRow(reduced)
    guard !UTF8Bytes.areEqual(expected.encode().span, value) else { return }
    let found: String
    do throws(CodecError) {
      found = "\(try MessageRow(decoding: value))"
    } catch {
      found = "\(error)"
    }
    report(.messageRow, "messages \(message)", "\(expected)", found)
  }

  /// Checks `reactors` and `members` of each reaction too popular for its row (J2, J3).
  mutating func checkReactors() throws(LedgerError) {
    var pending = log.reducer.messages.filter { $0.value.reactions.contains(where: \.isSpilled) }
      .keys.sorted()
    let total = pending.count
    while !pending.isEmpty {
      try chunk { (reads, state, run) throws(LedgerError) in
        let slot = run.databases.slot(state.slot)
        var budget = Self.chunkCount
        while budget > 0, let message = pending.popLast() {
          for live in run.log.reducer.messages[message]?.reactions ?? [] where live.isSpilled {
            try run.checkReactors(live, on: message, slot, reads)
            budget -= live.reactors.count
          }
        }
        try run.progress(
          ReplayProgress(
            stage: .reactors, doneCount: total - pending.count, totalCount: total))
      }
    }
  }

  private mutating func checkReactors(
    _ live: Reducer.LiveReaction, on message: MessageKey, _ slot: ProjectionSlot,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let expected = live.reactors.map { Reactor(user: $0.user, sequence: $0.sequence) }
    var found: [Reactor] = []
    do throws(LedgerError) {
      var scan = try ReactorScan(slot, opened: live.opened, from: 0, reads)
      while let reactor = try scan.next() { found.append(reactor) }
    } catch .damaged(let finding) {
      log.add(finding)
    }
    let place = "reactors \(live.opened) (\(live.reaction) on \(message))"
    if found != expected {
      let index = zip(found, expected).prefix { $0 == $1 }.count
      report(
        .reactors, place,
        index < expected.count ? "\(expected[index]) at index \(index)" : "\(index) reactors",
        index < found.count ? "\(found[index])" : "\(index) reactors")
    }
    for reactor in expected {
      let key = Keys.member(opened: live.opened, user: reactor.user)
      let found = try StoredSequence(key.span, slot.members, reads)
      guard found != .value(reactor.sequence) else { continue }
      report(
        .members, "members \(live.opened) \(reactor.user) (\(live.reaction) on \(message))",
        "\(reactor.sequence)", "\(found)")
    }
  }
}

/// What stands where a sequence should.
enum StoredSequence: Hashable, CustomStringConvertible {
  case value(UInt64)
  case nothing
  case otherBytes

  init(
    _ key: Span<UInt8>, _ database: Database, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    guard let bytes = try reads.get(key, in: database) else {
      self = .nothing
      return
    }
    do throws(CodecError) {
      self = .value(try Keys.sequence(bytes))
    } catch {
      self = .otherBytes
    }
  }

  var description: String {
    switch self {
    case .value(let sequence): "\(sequence)"
    case .nothing: "nothing"
    case .otherBytes: "other bytes"
    }
  }
}
