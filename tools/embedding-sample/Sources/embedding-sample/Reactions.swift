// What stands between the markers is in the project's README too; tools/test compares them.
// readme: begin
import LedgerEngine
import ReactionModel

/// The reactions of a chat backend, kept by a ledger inside its own process.
struct Reactions: Sendable {
  let ledger: Ledger

  /// Opens the ledger in a folder, and makes it there the first time.
  init(folder: String) throws(LedgerError) {
    ledger = try Ledger.open(at: folder, creating: .standard)
  }

  /// Adds a reaction; true once it is on disk, however often the same request is sent.
  func add(
    _ emoji: String, to message: MessageKey, by user: UserID, request: CommandID
  ) async throws(LedgerError) -> Bool {
    let outcome = try await ledger.append(.add(emoji, to: message, by: user, id: request))
    return outcome.receipt != nil || outcome == .unchanged(.alreadyReacted)
  }

  /// What a message shows to a user: each reaction, its count, its first users, "did I?".
  func summary(
    of message: MessageKey, for viewer: UserID
  ) throws(LedgerError) -> [ReactionSummary] {
    try ledger.read { snapshot throws(LedgerError) in
      try snapshot.summary(of: message, viewer: viewer).reactions
    }
  }

  /// One page of the users who gave a reaction, and where the next page begins.
  func users(
    of reaction: Reaction, on message: MessageKey, after cursor: PageCursor? = nil
  ) throws(LedgerError) -> ReactorPage {
    try ledger.read { snapshot throws(LedgerError) in
      try snapshot.reactors(of: reaction, on: message, after: cursor, limit: 20)
    }
  }

  /// Whether every count is what the log of events makes it.
  func audit() throws(LedgerError) -> Bool {
    try ledger.replay().isOK
  }
}
// readme: end
