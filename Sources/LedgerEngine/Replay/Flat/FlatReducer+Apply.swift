package import LedgerHash
internal import ReactionCodec
package import ReactionModel

extension FlatReducer: LogReducer {
  package var isPrimary: Bool { slice.isPrimary }

  package func needs(_ record: Span<UInt8>) -> Bool {
    if slice.isPrimary { return true }
    guard let outline = RecordView.outline(of: record) else { return true }
    if outline.introduces || slice.owns(messages.half(outline.head, record.extracting(outline.ids)))
    {
      return true
    }
    guard let id = outline.commandID else { return false }
    return slice.owns(commands.half(id))
  }

  package mutating func prepare(_ window: borrowing RowWindow) { touch(events: window) }

  package mutating func take(_ bytes: Span<UInt8>, at sequence: UInt64, leaf: Digest) {
    if let record = RecordView(bytes) {
      if slice.isPrimary { checkSeal(record.seal, leaf, sequence) }
      apply(record, at: sequence)
    } else {
      takeOther(bytes, sequence, leaf)
    }
  }

  /// Takes what is no event: a notice, or bytes that are no record.
  @inline(never) private mutating func takeOther(
    _ bytes: Span<UInt8>, _ sequence: UInt64, _ leaf: Digest
  ) {
    do throws(CodecError) {
      let record = try RecordFormat.decode(bytes)
      var scratch: [UInt8] = []
      if slice.isPrimary { checkBytes(bytes, record, sequence, &scratch, leaf) }
      apply(notice: record, at: sequence)
    } catch {
      guard slice.isPrimary else { return }
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
    let half = messages.half(record.messageHead, record.messageIDs)
    var (message, reaction) = (Self.none, Self.none)
    if slice.owns(half) {
      message = messages.number(
        half, record.messageHead, record.messageIDs, orAdding: FlatMessage())
      reaction = reactions.number(0, record.reaction, orAdding: FlatText(record.reaction))
      if !reactions[reaction].isCanonical {
        note(.canonicalReaction, "canonical form", text(of: reaction), sequence)
      }
    }
    let step = FlatStep(
      recordedAt: record.recordedAt, clientTime: record.clientTime, operation: record.operation,
      cause: record.cause, index: record.index, count: record.count, user: record.user,
      actor: record.actor, messageHead: record.messageHead, isAdded: record.isAdded)
    if slice.isPrimary {
      checkOrder(step, at: sequence, record.messageIDs, record.reaction, record.parent)
      eventCount &+= 1
      balance &+= step.isAdded ? 1 : -1
    }
    register(record.user, record.userCommitment, sequence)
    if record.actor > 0 { register(record.actor, record.actorCommitment, sequence) }
    if let id = record.commandID { register(id, sequence) }
    if message != Self.none { change(record, on: message, reaction, sequence) }
    if slice.isPrimary {
      finish(step, at: sequence, record.messageIDs, record.reaction, record.parent)
    }
  }

  /// Takes the next record, a notice.
  private mutating func apply(notice record: Record, at sequence: UInt64) {
    let step = FlatStep(
      recordedAt: record.recordedAt, clientTime: record.clientTime,
      operation: record.place.operation, cause: record.cause, index: record.place.index,
      count: record.place.count, user: record.user, actor: record.actor ?? 0)
    if slice.isPrimary { checkOrder(step, at: sequence, Span(), Span(), Span()) }
    if record.user > 0 { register(record.user, record.userCommitment, sequence) }
    if let actor = record.actor, actor > 0 { register(actor, record.actorCommitment, sequence) }
    if let id = record.commandID { register(id, sequence) }
    if case .userErased = record.content { erase(record.user, sequence) }
    guard slice.isPrimary else { return }
    switch record.content {
    case .created(let ledger, let policy):
      if sequence != 1 { note(.creation, "created only as record 1", "another one", sequence) }
      self.ledger = ledger
      self.policy = policy
    case .policyChanged(let policy): self.policy = policy
    case .userErased: break
    // There is a view of every event, so none comes here.
    case .change: note(.recordDecodes, "a notice", "an event", sequence)
    }
    finish(step, at: sequence, Span(), Span(), Span())
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
    _ step: FlatStep, at sequence: UInt64, _ ids: Span<UInt8>, _ reaction: Span<UInt8>,
    _ parent: Span<UInt8>
  ) {
    if sequence == 1, step.operation != .create {
      note(.creation, "record 1 is created", "\(step.operation)", sequence)
    }
    head = sequence
    previous = step
    if step.index &+ 1 < step.count {
      previousTexts.set(ids, reaction, parent)
    }
  }
}

extension FlatTexts {
  mutating func set(_ ids: Span<UInt8>, _ reaction: Span<UInt8>, _ parent: Span<UInt8>) {
    self.ids.removeAll(keepingCapacity: true)
    self.ids.append(ids)
    self.reaction.removeAll(keepingCapacity: true)
    self.reaction.append(reaction)
    self.parent.removeAll(keepingCapacity: true)
    self.parent.append(parent)
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
