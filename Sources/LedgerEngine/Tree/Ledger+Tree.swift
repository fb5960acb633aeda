internal import LMDB
public import LedgerHash
internal import ReactionModel

extension Ledger {
  /// The size and the root of the tree of all records (RFC 6962), to be signed as a checkpoint.
  ///
  /// The record of sequence *n* is the leaf of index *n* - 1, its bytes without the seal. What is not
  /// on the disk yet is flushed first, whoever wrote it, so a checkpoint never tells of records that
  /// a power cut can take back; and it ends with a command, never inside one. Each record that is
  /// hashed must have its seal.
  ///
  /// The hashes of full subtrees of 256, 65,536 … records are stored on the way, in transactions of
  /// their own between which other commands have their turn, so that the next call hashes only what
  /// was appended since, and any proof at most two times 255 records. Stored ones are taken for true:
  /// that they are the log's is for a replay to say. Any thread, not inside ``read(_:)``.
  /// Complexity: O(records since the last call), about a second for a million; memory O(1).
  ///
  /// - Parameter progress: Called about every 65,536 records with how many are done and how many
  ///   there are; what it throws ends the call, ``LedgerError/cancelled`` for instance.
  /// - Returns: The head.
  /// - Throws: ``LedgerError/damaged(_:)`` if a record is missing or does not have its seal, or a
  ///   stored hash is damaged, rather than the root of damaged bytes; what the storage or `progress`
  ///   throws.
  public func treeHead(
    progress: (_ doneCount: UInt64, _ totalCount: UInt64) throws(LedgerError) -> Void = { _, _ in }
  ) throws(LedgerError) -> TreeHead {
    let (size, transaction) = try read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      (try snapshot.commandEnd(), snapshot.reads.id)
    }
    try requireFlushed(transaction)
    try growTree(to: size, progress)
    return try read { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.treeHead(at: size)
    }
  }

  /// Stores the hashes that `tree` lacks of the first `size` records.
  private func growTree(
    to size: UInt64, _ progress: (UInt64, UInt64) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    let databases = databases
    var growth = TreeGrowth(databases, size: size)
    while !growth.isDone {
      let next = try read { (snapshot: borrowing Snapshot) throws(LedgerError) in
        var next = growth
        let made = try next.step(snapshot.reads)
        return (growth: next, made: made)
      }
      growth = next.growth
      if !next.made.isEmpty {
        let made = next.made
        try runStep { (transaction) throws(LedgerError) in
          try transaction.store(made, in: databases.tree)
        }
      }
      try progress(growth.position, size)
    }
  }
}

extension Snapshot {
  /// The sequence of the last record, which must be the last one of its command.
  func commandEnd() throws(LedgerError) -> UInt64 {
    let head = try head
    guard head > 0 else { return 0 }
    let place = try record(head).place
    guard place.index == place.count - 1 else {
      throw .damaged(
        Finding(
          .commandBoundary, place: "events \(head)",
          expected: "\(place.count - 1 - place.index) more records of the command",
          found: "the end of the log", sequence: head))
    }
    return head
  }
}
