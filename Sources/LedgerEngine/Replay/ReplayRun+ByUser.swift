internal import LMDB
internal import ReactionCodec
internal import ReactionModel

extension ReplayRun {
  /// Checks that `byUser`, if it is kept, has each live reaction (J5); that it has no others shows in
  /// their number, see ``ReplayReport``.
  mutating func checkByUser() throws(LedgerError) {
    var done: UInt32 = 0
    while done < log.reducer.messageCount {
      try chunk { (reads, state, run) throws(LedgerError) in
        let total = run.log.reducer.messageCount
        guard state.indexesByUser else {
          done = UInt32(total)
          return
        }
        var budget = run.chunkCount
        while budget > 0, done < total {
          for block in run.log.reducer.blocks(of: done) {
            budget -= Int(run.log.reducer.blocks[Int(block)].count)
            try run.checkByUser(block, state, reads)
          }
          done += 1
        }
        run.report(.byUser, Int(done), total)
      }
    }
  }

  private mutating func checkByUser(
    _ block: UInt32, _ state: MetaFormat.State, _ reads: borrowing ReadTransaction
  ) throws(LedgerError) {
    let byUser = databases.slot(state.slot).byUser
    var next = log.reducer.blocks[Int(block)].first
    while next != FlatReducer.none {
      let reactor = log.reducer.reactors[Int(next)]
      next = reactor.next
      let key = Keys.byUser(user: reactor.user, sequence: reactor.sequence)
      let found = try reads.get(key.span, in: byUser)
      if let found, found.isEmpty { continue }
      report(
        .byUser, at: FindingPlace(.byUser, [UInt8](key.span)),
        "byUser \(reactor.user) \(reactor.sequence)", "an empty value",
        found == nil ? "nothing" : "\(found?.count ?? 0) bytes")
    }
  }
}
