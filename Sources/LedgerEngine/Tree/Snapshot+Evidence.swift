internal import LMDB
internal import LedgerHash
internal import ReactionCodec
internal import ReactionModel

extension Snapshot {
  /// What proves that a record is among the first `size` ones, and who its users are.
  ///
  /// Complexity: up to three times ``inclusion(of:size:)``, and a search for the records that first
  /// mention the users: it reads no record twice, and few where new users keep coming.
  ///
  /// - Parameters:
  ///   - sequence: The record's.
  ///   - size: How many records the tree has, that of a checkpoint.
  /// - Returns: The evidence.
  /// - Throws: ``LedgerError/noSuchRecord(sequence:end:)``; ``LedgerError/damaged(_:)``.
  public func evidence(
    of sequence: UInt64, size: UInt64
  ) throws(LedgerError) -> RecordEvidence {
    let proven = try leaf(sequence, size)
    let record = try record(sequence)
    var numbers = record.user == 0 ? [] : [record.user]
    if let actor = record.actor, actor != record.user { numbers.append(actor) }
    var introductions: [RecordEvidence.Leaf] = []
    var users: [LoggedRecord.Introduction] = []
    for number in numbers {
      let first = try introduction(of: number, upTo: sequence)
      if first != sequence, introductions.last?.sequence != first {
        introductions.append(try leaf(first, size))
      }
      users.append(try opening(of: number))
    }
    return RecordEvidence(record: proven, introductions: introductions, users: users)
  }

  private func leaf(
    _ sequence: UInt64, _ size: UInt64
  ) throws(LedgerError) -> RecordEvidence.Leaf {
    let path = try inclusion(of: sequence, size: size)
    let key = Keys.event(sequence)
    guard let bytes = try reads.get(key.span, in: databases.events) else {
      throw missing(.gapless, "events \(sequence)", "a record")
    }
    // What is handed out has its seal, as all that is hashed.
    _ = try TreeHasher.leaf(of: bytes, sequence, SHA256())
    let entry = [UInt8](bytes.extracting(0..<bytes.count - RecordFormat.sealByteCount))
    return RecordEvidence.Leaf(sequence: sequence, entry: entry, path: path)
  }

  private func opening(of number: UserNumber) throws(LedgerError) -> LoggedRecord.Introduction {
    switch try UserRow(number, reads, databases) {
    case .erased: LoggedRecord.Introduction(number: number, opening: nil)
    case .live(let salt, let id), .closing(let salt, let id):
      LoggedRecord.Introduction(number: number, opening: .init(salt: salt, id: id))
    }
  }

  /// The sequence of the record that first mentions a user, at most `last`, which mentions the user.
  ///
  /// Users are introduced in the order of their numbers, so a place in the log is compared with the
  /// number by the next introduction after it. What a comparison has read is on the side that is not
  /// searched on, so no record is read twice.
  func introduction(
    of number: UserNumber, upTo last: UInt64
  ) throws(LedgerError) -> UInt64 {
    var (start, end) = (UInt64(1), last + 1)
    while start < end {
      let middle = start + (end - start) / 2
      let next = try nextIntroduction(from: middle, before: end)
      guard let next else {
        end = middle
        continue
      }
      if next.numbers.contains(number) { return next.sequence }
      if next.numbers.allSatisfy({ $0 < number }) {
        start = next.sequence + 1
      } else {
        end = middle
      }
    }
    throw missing(
      .userOrder, "events", "a record up to \(last) with the commitment to user \(number)")
  }

  /// The next record that first mentions a user, and whom it mentions first.
  private func nextIntroduction(
    from start: UInt64, before end: UInt64
  ) throws(LedgerError) -> (sequence: UInt64, numbers: [UserNumber])? {
    var rows = try RecordScan(reads, databases, from: start)
    for sequence in start..<end {
      guard let row = try rows.next() else { return nil }
      guard RecordFormat.mayHaveCommitment(row.value) else { continue }
      let record = try record(sequence)
      var numbers: [UserNumber] = []
      if record.userCommitment != nil { numbers.append(record.user) }
      if record.actorCommitment != nil, let actor = record.actor { numbers.append(actor) }
      if !numbers.isEmpty { return (sequence, numbers) }
    }
    return nil
  }
}
