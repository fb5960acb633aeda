// What a record must be after those before it, whatever it says: sequence, time, command, users.
extension Reducer {
  func checkSequence(_ findings: inout Findings) {
    guard findings.sequence != head + 1 else { return }
    findings.add(.gapless, "sequence \(head + 1)", "sequence \(findings.sequence)")
  }

  func checkTime(_ record: Record, _ findings: inout Findings) {
    guard let before = previous?.recordedAt, record.recordedAt < before else { return }
    findings.add(.timeOrder, "a time from \(before) on", "\(record.recordedAt)")
  }

  func checkPlace(_ record: Record, _ findings: inout Findings) {
    let place = record.place
    if !Self.fits(record) {
      findings.add(
        .commandBoundary, "a record that \(place.operation) makes at index \(place.index)",
        "cause \(record.cause), index \(place.index) of \(place.count)")
    }
    guard let previous, previous.place.index + 1 < previous.place.count else {
      if place.index != 0 {
        findings.add(.commandBoundary, "the first record of a command", "index \(place.index)")
      }
      return
    }
    var expected = previous.place
    expected.index += 1
    if place != expected {
      findings.add(.commandBoundary, "\(expected)", "\(place)")
    } else if !Self.continues(previous, record) {
      findings.add(
        .commandBoundary, "a record of the same command as the one before", "one of another")
    }
  }

  /// Whether a record's operation makes such a one, whatever the records before.
  private static func fits(_ record: Record) -> Bool {
    guard case .change(let change) = record.content else { return true }
    switch record.place.operation {
    case .add where change.kind == .added: return record.place.index + 1 == record.place.count
    case .add: return record.cause == .replaced
    case .remove: return record.place.count == 1
    case .clearMessage, .clearReaction, .erase, .setPolicy, .create: return true
    }
  }

  /// Whether a record agrees with the one before, of the same command.
  private static func continues(_ previous: Record, _ record: Record) -> Bool {
    guard case .change(let first) = previous.content, case .change(let second) = record.content,
      first.message == second.message, first.parent == second.parent,
      previous.recordedAt == record.recordedAt, previous.actor == record.actor,
      previous.clientTime == record.clientTime
    else { return false }
    switch record.place.operation {
    case .add: return previous.user == record.user
    case .erase: return previous.user == record.user && previous.cause == record.cause
    case .clearReaction:
      return first.reaction == second.reaction && previous.cause == record.cause
    case .remove, .clearMessage, .setPolicy, .create: return previous.cause == record.cause
    }
  }

  mutating func registerUsers(_ record: Record, _ findings: inout Findings) {
    if record.user > 0 { register(record.user, record.userCommitment, &findings) }
    if let actor = record.actor, actor > 0 { register(actor, record.actorCommitment, &findings) }
  }

  private mutating func register(
    _ number: UserNumber, _ commitment: Commitment?, _ findings: inout Findings
  ) {
    if Int(number) <= users.count {
      if commitment != nil {
        findings.add(.userOrder, "no commitment to user \(number), known before", "one")
      }
      if users[Int(number) - 1].isErased {
        findings.add(.erasedIsGone, "no mention of user \(number), who was erased", "one")
      }
      return
    }
    guard Int(number) == users.count + 1, let commitment else {
      findings.add(
        .userOrder, "user \(users.count + 1) with a commitment as the next new one",
        "user \(number)" + (commitment == nil ? " without one" : ""))
      return
    }
    users.append(User(commitment: commitment))
  }

  mutating func registerCommand(
    _ record: Record, at sequence: UInt64, _ findings: inout Findings
  ) {
    guard let id = record.commandID else { return }
    if let first = commands[id] {
      findings.add(.commandIDOnce, "command id \(id) only in record \(first)", "again")
    } else {
      commands[id] = sequence
    }
  }

  mutating func erase(_ number: UserNumber, _ findings: inout Findings) {
    guard number > 0, Int(number) <= users.count else { return }
    if users[Int(number) - 1].liveCount > 0 {
      findings.add(
        .erasedIsGone, "no live reaction of user \(number)",
        "\(users[Int(number) - 1].liveCount)")
    }
    users[Int(number) - 1].isErased = true
  }

  mutating func count(_ number: UserNumber, by change: Int) {
    guard number > 0, Int(number) <= users.count else { return }
    users[Int(number) - 1].liveCount += change
  }
}
