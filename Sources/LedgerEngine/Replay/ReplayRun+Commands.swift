internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks that `commands` has exactly the command ids of the log (J4).
  mutating func checkCommands() throws(LedgerError) {
    try walk(.commands) { (databases, state) in
      databases.slot(state.slot).commands
    } _: { (row, _, run) throws(LedgerError) in
      run.checkCommand(row)
    }
    // What the walk did not meet: missing pairs, and those that came behind it.
    var next = 0
    var isDone = false
    while !isDone {
      isDone = try chunk { (reads, state, run) throws(LedgerError) -> Bool in
        let commands = run.databases.slot(state.slot).commands
        var budget = run.chunkCount
        while budget > 0, next < run.log.reducer.commands.entries.count {
          let entry = run.log.reducer.commands.entries[next]
          next += 1
          if entry.isMarked { continue }
          budget -= 1
          let key = Keys.command(entry.id)
          run.checkCommand(entry, try StoredSequence(key.span, commands, reads))
        }
        return next >= run.log.reducer.commands.entries.count
      }
    }
  }

  private mutating func checkCommand(_ row: borrowing Row) {
    let id: CommandID
    do throws(CodecError) {
      id = try Keys.command(row.key)
    } catch {
      guard slice.isPrimary else { return }
      let key = [UInt8](row.key)
      return report(
        .commands, at: FindingPlace(.commands, key), "commands \(key)", "a command id",
        "\(key.count) bytes")
    }
    guard slice.isWhole || slice.owns(log.reducer.commands.half(id)) else { return }
    guard let index = log.reducer.commands.index(of: id) else {
      return report(
        .commands, at: .command(id), "commands \(id)", "nothing: no record has this id", "a pair")
    }
    log.reducer.commands.mark(index)
    checkCommand(log.reducer.commands.entries[index], StoredSequence(row.value))
  }

  private mutating func checkCommand(_ entry: CommandTable.Entry, _ found: StoredSequence) {
    guard found != .value(entry.first) else { return }
    report(
      .commands, at: .command(entry.id), "commands \(entry.id)", "\(entry.first)", "\(found)")
  }
}

extension FindingPlace {
  /// The place of a pair of `commands`.
  fileprivate static func command(_ id: CommandID) -> FindingPlace {
    FindingPlace(.commands, [UInt8](Keys.command(id).span))
  }
}
