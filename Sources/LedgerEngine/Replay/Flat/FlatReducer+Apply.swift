internal import ReactionCodec
package import ReactionModel

extension FlatReducer: LogReducer {
  package mutating func prepare(_ window: borrowing RowWindow) { touch(events: window) }

  package mutating func take(_ bytes: Span<UInt8>, at sequence: UInt64, _ sealer: Sealer) {
    if let record = RecordView(bytes) {
      checkSeal(record.body, record.seal, sequence, sealer)
      apply(record, at: sequence)
    } else {
      takeOther(bytes, sequence, sealer)
    }
  }

  /// Takes what is no event: a notice, or bytes that are no record.
  @inline(never) private mutating func takeOther(
    _ bytes: Span<UInt8>, _ sequence: UInt64, _ sealer: Sealer
  ) {
    do throws(CodecError) {
      let record = try RecordFormat.decode(bytes)
      var scratch: [UInt8] = []
      checkBytes(bytes, record, sequence, &scratch, sealer)
      apply(notice: record, at: sequence)
    } catch {
      noteUnreadable(error, sequence)
      skip(to: sequence)
    }
  }

  /// Takes the next record, an event; that its reaction is in canonical form is checked here too,
  /// once for each text (L10).
  ///
  /// Complexity: O(reactions of its message).
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - sequence: Its sequence, above those before.
  private mutating func apply(_ record: borrowing RecordView, at sequence: UInt64) {
    let message = messages.number(
      record.messageHead, record.messageIDs, orAdding: FlatMessage())
    let reaction = reactions.number(0, record.reaction, orAdding: FlatText(record.reaction))
    if !reactions[reaction].isCanonical {
      note(.canonicalReaction, "canonical form", text(of: reaction), sequence)
    }
    let step = FlatStep(
      recordedAt: record.recordedAt, clientTime: record.clientTime, operation: record.operation,
      cause: record.cause, index: record.index, count: record.count, user: record.user,
      actor: record.actor, message: message, reaction: reaction, isAdded: record.isAdded)
    checkOrder(step, at: sequence, record.parent)
    register(record.user, record.userCommitment, sequence)
    if record.actor > 0 { register(record.actor, record.actorCommitment, sequence) }
    if let id = record.commandID { register(id, sequence) }
    eventCount &+= 1
    change(record, step, sequence)
    finish(step, at: sequence, record.parent)
  }

  /// Takes the next record, a notice.
  private mutating func apply(notice record: Record, at sequence: UInt64) {
    let step = FlatStep(
      recordedAt: record.recordedAt, clientTime: record.clientTime,
      operation: record.place.operation, cause: record.cause, index: record.place.index,
      count: record.place.count, user: record.user, actor: record.actor ?? 0)
    checkOrder(step, at: sequence, Span())
    if record.user > 0 { register(record.user, record.userCommitment, sequence) }
    if let actor = record.actor, actor > 0 { register(actor, record.actorCommitment, sequence) }
    if let id = record.commandID { register(id, sequence) }
    switch record.content {
    case .created(let ledger, let policy):
      if sequence != 1 { note(.creation, "created only as record 1", "another one", sequence) }
      self.ledger = ledger
      self.policy = policy
    case .policyChanged(let policy): self.policy = policy
    case .userErased: erase(record.user, sequence)
    // There is a view of every event, so none comes here.
    case .change: note(.recordDecodes, "a notice", "an event", sequence)
    }
    finish(step, at: sequence, Span())
  }

  /// Passes over a record that cannot be read; what follows from it will show as findings.
  private mutating func skip(to sequence: UInt64) {
    checkSequence(sequence)
    head = sequence
    previous = nil
  }

  /// Says that the log ends here.
  ///
  /// - Returns: A finding if the last command is not complete, or if there was no record at all.
  package func finish() -> [Finding] {
    if head == 0 {
      return [Self.finding(.creation, "record 1 is created", "an empty log", head)]
    }
    guard let previous, previous.index + 1 < previous.count else { return [] }
    return [
      Self.finding(
        .commandBoundary, "\(previous.count) records of the command",
        "the log ends after \(previous.index + 1)", head)
    ]
  }

  private mutating func finish(
    _ step: FlatStep, at sequence: UInt64, _ parent: Span<UInt8>
  ) {
    if sequence == 1, step.operation != .create {
      note(.creation, "record 1 is created", "\(step.operation)", sequence)
    }
    head = sequence
    previous = step
    if step.index &+ 1 < step.count {
      previousParent.removeAll(keepingCapacity: true)
      previousParent.append(parent)
    }
  }
}

extension FlatText {
  init(_ bytes: Span<UInt8>) {
    do {
      isCanonical = try Reaction(canonical: bytes).isCanonical
    } catch {
      isCanonical = false
    }
  }
}
