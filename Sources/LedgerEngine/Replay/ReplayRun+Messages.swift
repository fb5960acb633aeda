internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks that each row of `messages` is what the log makes it (J1).
  mutating func checkMessages() throws(LedgerError) {
    var (last, done): ([UInt8]?, Int) = (nil, 0)
    var (expected, window) = (RowWriter(), RowWindow())
    var isDone = false
    while !isDone {
      isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        var cursor = try reads.scan(run.databases.slot(state.slot).messages)
        var (count, isDone) = (0, false)
        if let key = last {
          // Rows of messages are never taken away, so the last key is still there.
          if let row = try cursor.move(to: key.span) {
            if !row.key.equals(key.span) { run.take(row, &window, &expected) }
          } else {
            isDone = true
          }
        }
        while !isDone, count < run.chunkCount {
          guard let row = try cursor.step() else {
            isDone = true
            break
          }
          run.take(row, &window, &expected)
          count += 1
          if count == run.chunkCount { last = [UInt8](row.key) }
        }
        run.checkMessages(window, &expected)
        window.clear()
        done += count
        run.report(.messages, done, max(done, run.log.reducer.messageCount))
        return isDone
      }
    }
    try checkUnseenMessages(&expected)
  }

  /// Takes a row of `messages` if it is of this slice.
  private mutating func take(
    _ row: borrowing Row, _ window: inout RowWindow, _ expected: inout RowWriter
  ) {
    guard slice.isWhole || ownsMessage(row.key) else { return }
    if window.isFull {
      checkMessages(window, &expected)
      window.clear()
    }
    window.append(row.key, row.value)
  }

  /// Whether a key of `messages` is of this slice; the primary has those that are too short to be one.
  private func ownsMessage(_ key: Span<UInt8>) -> Bool {
    guard key.count > 2 else { return slice.isPrimary }
    let head = UInt16(key[0]) << 8 | UInt16(key[1])
    return slice.owns(log.reducer.messages.half(head, key.extracting(2..<key.count)))
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
    log.reducer.messages[number].isMarked = true
    log.reducer.writeRow(of: number, into: &expected)
    if !expected.bytes.equals(value) { reportMessage(number, value) }
  }

  /// Looks up the rows that the walk did not meet: missing ones, and those that came behind it.
  private mutating func checkUnseenMessages(_ expected: inout RowWriter) throws(LedgerError) {
    var next: UInt32 = 0
    var isDone = false
    while !isDone {
      isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        let messages = run.databases.slot(state.slot).messages
        var budget = run.chunkCount
        while budget > 0, next < run.log.reducer.messageCount {
          if !run.log.reducer.messages[next].isMarked {
            budget -= 1
            try run.checkUnseenMessage(next, in: messages, &expected, reads)
          }
          next += 1
        }
        return next >= run.log.reducer.messageCount
      }
    }
  }

  private mutating func checkUnseenMessage(
    _ number: UInt32, in messages: Database, _ expected: inout RowWriter,
    _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let key = [UInt8](log.reducer.messages.key(number))
    guard let value = try reads.get(key.span, in: messages) else {
      return report(
        .messageRow, at: FindingPlace(.messages, key),
        "messages \(log.reducer.key(of: number))", "a row", "nothing")
    }
    checkMessage(key.span, value, &expected)
  }

  /// Reports a row whose key is that of no message with an event.
  private mutating func reportMessage(_ key: Span<UInt8>) {
    let place = FindingPlace(.messages, [UInt8](key))
    do throws(CodecError) {
      let message = try Keys.message(key)
      report(
        .messageRow, at: place, "messages \(message)", "no row: no event names the message", "one")
    } catch {
      report(.messageRow, at: place, "messages \([UInt8](key))", "a message's key", "\(error)")
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
    report(
      .messageRow, at: FindingPlace(.messages, [UInt8](log.reducer.messages.key(number))),
      "messages \(key)", "\(expected)", found)
  }
}
