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
    if !record.fitsItsOperation {
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
    } else if !record.continues(previous) {
      findings.add(
        .commandBoundary, "a record of the same command as the one before", "one of another")
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
