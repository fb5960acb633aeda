internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks that each row of `messages` is what the log makes it (J1).
  mutating func checkMessages() throws(LedgerError) {
    var (last, done): ([UInt8]?, Int) = (nil, 0)
    var (expected, window) = (RowWriter(), RowWindow())
    while true {
      let isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        var cursor = try reads.scan(run.databases.slot(state.slot).messages)
        var count = 0
        if let key = last {
          // Rows of messages are never taken away, so the last key is still there.
          guard let row = try cursor.move(to: key.span) else { return true }
          if !row.key.equals(key.span) { window.append(row.key, row.value) }
        }
        while count < Self.chunkCount {
          guard let row = try cursor.step() else {
            run.checkMessages(window, &expected)
            return true
          }
          if window.isFull {
            run.checkMessages(window, &expected)
            window.clear()
          }
          window.append(row.key, row.value)
          count += 1
          if count == Self.chunkCount { last = [UInt8](row.key) }
        }
        run.checkMessages(window, &expected)
        window.clear()
        done += count
        try run.progress(
          ReplayProgress(
            stage: .messages, doneCount: done, totalCount: run.log.reducer.messageCount))
        return false
      }
      if isDone { return }
    }
  }

  private mutating func checkMessages(
    _ window: borrowing RowWindow, _ expected: inout RowWriter
  ) {
    log.reducer.touch(rows: window)
    for index in 0..<window.count {
      checkMessage(window.key(index), window.value(index), &expected)
    }
  }

  private mutating func checkMessage(
    _ key: Span<UInt8>, _ value: Span<UInt8>, _ expected: inout RowWriter
  ) {
    guard let number = log.reducer.message(key) else { return reportMessage(key) }
    log.reducer.writeRow(of: number, into: &expected)
    if !expected.bytes.equals(value) { reportMessage(number, value) }
  }

  /// Reports a row whose key is that of no message with an event.
  private mutating func reportMessage(_ key: Span<UInt8>) {
    do throws(CodecError) {
      let message = try Keys.message(key)
      report(.messageRow, "messages \(message)", "no row: no event names the message", "one")
    } catch {
      report(.messageRow, "messages \([UInt8](key))", "a message's key", "\(error)")
    }
  }

  private mutating func reportMessage(_ number: UInt32, _ value: Span<UInt8>) {
    let found: String
    do throws(CodecError) {
      found = "\(try MessageRow(decoding: value))"
    } catch {
      found = "\(error)"
    }
    let (key, expected) = (log.reducer.key(of: number), log.reducer.row(of: number))
    report(.messageRow, "messages \(key)", "\(expected)", found)
  }

  /// Checks `reactors` and `members` of each reaction too popular for its row (J2, J3).
  mutating func checkReactors() throws(LedgerError) {
    var pending = spilledMessages()
    let total = pending.count
    while !pending.isEmpty {
      try chunk { (reads, state, run) throws(LedgerError) in
        let slot = run.databases.slot(state.slot)
        var budget = Self.chunkCount
        while budget > 0, let message = pending.popLast() {
          for block in run.log.reducer.blocks(of: message)
          where run.log.reducer.blocks[Int(block)].isSpilled {
            try run.checkReactors(block, on: message, slot, reads)
            budget -= Int(run.log.reducer.blocks[Int(block)].count)
          }
        }
        try run.progress(
          ReplayProgress(
            stage: .reactors, doneCount: total - pending.count, totalCount: total))
      }
    }
  }

  /// The messages that have a reaction too popular for a row, in order of keys.
  private func spilledMessages() -> [UInt32] {
    (0..<UInt32(log.reducer.messageCount)).filter { log.reducer.hasSpilledBlock($0) }
      .map { (number: $0, key: log.reducer.key(of: $0)) }
      .sorted { $0.key < $1.key }.map(\.number)
  }

  private mutating func checkReactors(
    _ block: UInt32, on message: UInt32, _ slot: ProjectionSlot, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let expected = log.reducer.reactors(of: block)
    let opened = log.reducer.blocks[Int(block)].opened
    var found: [Reactor] = []
    do throws(LedgerError) {
      var scan = try ReactorScan(slot, opened: opened, from: 0, reads)
      while let reactor = try scan.next() { found.append(reactor) }
    } catch .damaged(let finding) {
      log.add(finding)
    }
    if found != expected {
      let index = zip(found, expected).prefix { $0 == $1 }.count
      report(
        .reactors, "reactors \(opened) (\(name(of: block, on: message)))",
        index < expected.count ? "\(expected[index]) at index \(index)" : "\(index) reactors",
        index < found.count ? "\(found[index])" : "\(index) reactors")
    }
    for reactor in expected {
      let key = Keys.member(opened: opened, user: reactor.user)
      let found = try StoredSequence(key.span, slot.members, reads)
      guard found != .value(reactor.sequence) else { continue }
      report(
        .members, "members \(opened) \(reactor.user) (\(name(of: block, on: message)))",
        "\(reactor.sequence)", "\(found)")
    }
  }

  private func name(of block: UInt32, on message: UInt32) -> String {
    let reaction = log.reducer.text(of: log.reducer.blocks[Int(block)].reaction)
    return "\(reaction) on \(log.reducer.key(of: message))"
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
