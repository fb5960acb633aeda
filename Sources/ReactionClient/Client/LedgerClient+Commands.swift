internal import LedgerEngine
public import ReactionModel

extension LedgerClient {
  /// Adds a reaction of this user to a message.
  ///
  /// Strict: a reaction that the user has already is an error. On return it is as safe as the
  /// ledger's durability says, and this client's listeners are not told of it.
  ///
  /// - Parameters:
  ///   - reaction: An emoji or a custom reaction, in any form.
  ///   - message: The message's id, of whatever sort the message is.
  ///   - conversation: Where it is, for hosts whose message ids are not unique by themselves.
  /// - Returns: What was added, and the message's list.
  /// - Throws: ``ReactionClientError``: `messageNotFound`, `notPermitted`, `invalidReaction`,
  ///   `alreadyReacted`, `reactionLimitReached`, `refused`, `storage`, `directory`.
  public func addReaction(
    _ reaction: String, to message: some MessageReference, in conversation: Conversation? = nil
  ) async throws(ReactionClientError) -> ReactionReply {
    let known = try await permitted(.added, message, conversation)
    return try await run(
      .add(
        reaction, to: known.key, by: user, parent: known.facts.parent, id: viewer.commandID()),
      .added, reaction, known)
  }

  /// Removes a reaction of this user from a message.
  ///
  /// Strict: a reaction that the user does not have is an error. Otherwise as
  /// ``addReaction(_:to:in:)``.
  ///
  /// - Parameters:
  ///   - reaction: The reaction, in any form.
  ///   - message: The message's id.
  ///   - conversation: Where it is, for hosts whose message ids are not unique by themselves.
  /// - Returns: What was removed, and the message's list.
  /// - Throws: ``ReactionClientError``: `messageNotFound`, `notPermitted`, `invalidReaction`,
  ///   `reactionNotFound`, `refused`, `storage`, `directory`.
  public func removeReaction(
    _ reaction: String, from message: some MessageReference, in conversation: Conversation? = nil
  ) async throws(ReactionClientError) -> ReactionReply {
    let known = try await permitted(.removed, message, conversation)
    return try await run(
      .remove(
        reaction, from: known.key, by: user, parent: known.facts.parent, id: viewer.commandID()),
      .removed, reaction, known)
  }

  /// The message, if it is there and the user may do this on it.
  private func permitted(
    _ action: ReactionAction, _ message: some MessageReference, _ conversation: Conversation?
  ) async throws(ReactionClientError) -> Viewer.Known {
    guard let known = try await viewer.known(message, in: conversation), !known.facts.isDeleted
    else { throw .messageNotFound }
    let isPermitted = try await viewer.asking { () async throws(DirectoryFailure) in
      guard try await viewer.directory.isMember(user, of: known.key.conversation) else {
        return false
      }
      return try await viewer.directory.mayReact(user, action, on: known.key)
    }
    guard isPermitted else { throw .notPermitted }
    return known
  }

  private func run(
    _ command: Command, _ action: ReactionAction, _ text: String, _ known: Viewer.Known
  ) async throws(ReactionClientError) -> ReactionReply {
    let reaction = try Self.reaction(text)
    let outcome: Outcome
    do throws(LedgerError) {
      outcome = try await viewer.ledger.append(command)
    } catch {
      throw ReactionClientError(error)
    }
    let receipt = try Self.receipt(outcome)
    let (entries, summary) = try viewer.reading {
      (snapshot: borrowing Snapshot) throws(LedgerError) in
      (
        try snapshot.records(
          after: receipt.sequences.lowerBound - 1, limit: receipt.sequences.count),
        try snapshot.summary(of: known.key, viewer: user)
      )
    }
    return ReactionReply(
      reaction: reaction, action: action,
      operations: entries.compactMap { ReactionOperation($0) },
      message: ReactionMessage(summary, viewer: user, isDeleted: false))
  }

  private static func receipt(_ outcome: Outcome) throws(ReactionClientError) -> Receipt {
    switch outcome {
    case .recorded(let receipt), .repeated(let receipt): return receipt
    case .unchanged(.alreadyReacted): throw .alreadyReacted
    case .unchanged(.notReacted): throw .reactionNotFound
    case .refused(let reason): throw ReactionClientError(reason)
    case .unchanged(.nothingToClear), .unchanged(.nothingToErase), .unchanged(.samePolicy),
      .rolledBack:
      preconditionFailure("no outcome of adding or removing one reaction: \(outcome)")
    }
  }

  /// The reaction that somebody wrote.
  static func reaction(_ text: String) throws(ReactionClientError) -> Reaction {
    do throws(InvalidReaction) {
      return try Reaction(text)
    } catch {
      throw .invalidReaction(error)
    }
  }
}

extension ReactionOperation {
  /// `nil` for a notice.
  init?(_ entry: Entry) {
    guard case .change(let change) = entry.record.content else { return nil }
    self.init(
      user: entry.user, reaction: change.reaction,
      action: change.kind == .added ? .added : .removed)
  }
}
