internal import LedgerEngine
internal import ReactionModel

/// A signed-in user over a ledger: what a client, its requests and its feed share.
struct Viewer: Sendable {
  let ledger: Ledger
  let user: UserID
  let directory: any ReactionDirectory
  /// The last eight bytes of the ids of this client's commands, by which it knows its own changes.
  let mark: UInt64

  /// A message that the host knows.
  struct Known: Sendable {
    let key: MessageKey
    let facts: MessageFacts
  }

  /// A new id for a command of this client.
  func commandID() -> CommandID { CommandID(high: CommandID().high, low: mark) }

  /// Whether a change was made by this client.
  func isOwn(_ change: Change) -> Bool { change.commandID?.low == mark }

  /// The messages that the host knows, by id.
  func known(
    _ ids: [MessageID], in conversation: Conversation?
  ) async throws(ReactionClientError) -> [MessageID: Known] {
    guard !ids.isEmpty else { return [:] }
    let facts = try await asking { () async throws(DirectoryFailure) in
      try await directory.messages(ids, in: conversation, for: user)
    }
    var known: [MessageID: Known] = [:]
    for id in ids {
      guard let facts = facts[id], conversation == nil || facts.conversation == conversation,
        let key = Self.key(facts.conversation, id)
      else { continue }
      known[id] = Known(key: key, facts: facts)
    }
    return known
  }

  /// The key of a message; `nil` if it would be too long for any ledger.
  private static func key(_ conversation: Conversation, _ id: MessageID) -> MessageKey? {
    do throws(IdentifierError) {
      return try MessageKey(conversation, id)
    } catch {
      return nil
    }
  }

  /// The message, if the host knows it.
  func known(
    _ message: some MessageReference, in conversation: Conversation?
  ) async throws(ReactionClientError) -> Known? {
    guard let id = message.messageID else { return nil }
    return try await known([id], in: conversation)[id]
  }

  /// Users with their names.
  func named(_ users: [UserID]) async throws(ReactionClientError) -> [UserID: ReactionUser] {
    guard !users.isEmpty else { return [:] }
    let ids = Array(Set(users))
    let names = try await asking { () async throws(DirectoryFailure) in
      try await directory.displayNames(of: ids)
    }
    var named: [UserID: ReactionUser] = [:]
    for id in ids { named[id] = ReactionUser(id: id, displayName: names[id]) }
    return named
  }

  /// Asks the directory.
  func asking<R>(
    _ body: () async throws(DirectoryFailure) -> R
  ) async throws(ReactionClientError) -> R {
    do throws(DirectoryFailure) {
      return try await body()
    } catch {
      throw .directory(error)
    }
  }

  /// Reads from the ledger, on one snapshot.
  func reading<R>(
    _ body: (borrowing Snapshot) throws(LedgerError) -> R
  ) throws(ReactionClientError) -> R {
    do throws(LedgerError) {
      return try ledger.read(body)
    } catch {
      throw ReactionClientError(error)
    }
  }

  /// What messages show to this user, at one moment.
  func shown(_ messages: [Known]) throws(ReactionClientError) -> [ReactionMessage] {
    let summaries = try reading { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.summaries(of: messages.map(\.key), viewer: user)
    }
    return zip(messages, summaries).map { (message, summary) in
      ReactionMessage(summary, viewer: user, isDeleted: message.facts.isDeleted)
    }
  }
}
