extension Reducer {
  /// Takes the next record.
  ///
  /// Complexity: O(reactions of its message), amortised; removing from a reaction with *n* reactors
  /// moves O(*n*) of them in memory.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - sequence: Its sequence.
  /// - Returns: The rules that it breaks, none in a sound log.
  public mutating func apply(_ record: Record, at sequence: UInt64) -> [Finding] {
    var findings = Findings(sequence: sequence)
    checkSequence(&findings)
    checkTime(record, &findings)
    checkPlace(record, &findings)
    registerUsers(record, &findings)
    registerCommand(record, at: sequence, &findings)
    switch record.content {
    case .created(let ledger, let policy):
      if sequence != 1 { findings.add(.creation, "created only as record 1", "another one") }
      self.ledger = ledger
      self.policy = policy
    case .policyChanged(let policy): self.policy = policy
    case .userErased: erase(record.user, &findings)
    case .change(let change):
      eventCount += 1
      apply(change, by: record.user, at: sequence, &findings)
    }
    if sequence == 1, record.place.operation != .create {
      findings.add(.creation, "record 1 is created", "\(record.place.operation)")
    }
    head = sequence
    previous = record
    return findings.list
  }

  /// Passes over a record that cannot be read; what follows from it will show as findings.
  ///
  /// - Parameter sequence: Its sequence.
  /// - Returns: A finding if the sequence is not the next one.
  public mutating func skip(to sequence: UInt64) -> [Finding] {
    var findings = Findings(sequence: sequence)
    checkSequence(&findings)
    head = sequence
    previous = nil
    return findings.list
  }

  /// Says that the log ends here.
  ///
  /// - Returns: A finding if the last command is not complete, or if there was no record at all.
  public func finish() -> [Finding] {
    var findings = Findings(sequence: head)
    if head == 0 { findings.add(.creation, "record 1 is created", "an empty log") }
    if let place = previous?.place, place.index + 1 < place.count {
      findings.add(
        .commandBoundary, "\(place.count) records of the command",
        "the log ends after \(place.index + 1)")
    }
    return findings.list
  }

  private mutating func apply(
    _ change: Record.Change, by user: UserNumber, at sequence: UInt64, _ findings: inout Findings
  ) {
    var message = messages.removeValue(forKey: change.message) ?? Message()
    if change.previous != message.lastSequence {
      findings.add(.chain, "previous \(message.lastSequence)", "previous \(change.previous)")
    }
    message.eventCount += 1
    message.lastSequence = sequence
    switch change.kind {
    case .added: add(change.reaction, by: user, at: sequence, to: &message, &findings)
    case .removed(let ends):
      remove(change.reaction, by: user, ending: ends, from: &message, &findings)
    }
    messages[change.message] = message
  }

  private mutating func add(
    _ reaction: Reaction, by user: UserNumber, at sequence: UInt64, to message: inout Message,
    _ findings: inout Findings
  ) {
    let reactor = Reactor(user: user, sequence: sequence)
    if let index = message.reactions.firstIndex(where: { $0.reaction == reaction }) {
      guard !message.reactions[index].contains(user) else {
        findings.add(.noDuplicateAdd, "no live \(reaction) of user \(user)", "one")
        return
      }
      message.reactions[index].append(reactor)
    } else {
      message.reactions.append(
        LiveReaction(
          reaction: reaction, opened: sequence, reactors: [reactor], peak: 1, members: nil))
    }
    count(user, by: 1)
  }

  private mutating func remove(
    _ reaction: Reaction, by user: UserNumber, ending ends: UInt64, from message: inout Message,
    _ findings: inout Findings
  ) {
    guard let index = message.reactions.firstIndex(where: { $0.reaction == reaction }),
      let place = Self.index(of: ends, in: message.reactions[index].reactors),
      message.reactions[index].reactors[place].user == user
    else {
      findings.add(
        .removeEndsLiveAdd, "a live add \(ends) of \(reaction) by user \(user)", "none")
      return
    }
    message.reactions[index].remove(at: place)
    if message.reactions[index].reactors.isEmpty { message.reactions.remove(at: index) }
    count(user, by: -1)
  }

  /// The index of an add among reactors, which are in order of their adds.
  private static func index(of sequence: UInt64, in reactors: [Reactor]) -> Int? {
    var (low, high) = (0, reactors.count)
    while low < high {
      let middle = (low + high) / 2
      if reactors[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < reactors.count && reactors[low].sequence == sequence ? low : nil
  }
}

extension Reducer {
  /// The findings of one record.
  struct Findings {
    let sequence: UInt64
    var list: [Finding] = []

    init(sequence: UInt64) { self.sequence = sequence }

    mutating func add(_ rule: Rule, _ expected: String, _ found: String) {
      list.append(
        Finding(
          rule, place: "events \(sequence)", expected: expected, found: found, sequence: sequence))
    }
  }
}
