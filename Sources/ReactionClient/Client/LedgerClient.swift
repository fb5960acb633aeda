internal import LMDB
public import LedgerEngine
public import ReactionModel

/// One signed-in user's view of a ledger, in the vocabulary of the chat SDKs.
///
/// One user may have several clients, one for each device: what one of them changes is told to the
/// others. A client may be used from any task. It is cheap: it holds no copy of anything, and one
/// task from its first listener on.
public final class LedgerClient: Sendable {
  let viewer: Viewer
  let listening: ListenerTable

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - ledger: The ledger; it must stay open as long as the client is used.
  ///   - user: Who is signed in.
  ///   - directory: What the host knows of messages, members and names.
  ///   - position: Where listening begins: what ``position`` gave when the host last saved it. `nil`
  ///     for what comes from now on.
  ///   - mark: The ``mark`` of an earlier client, to be the same one again; `nil` for a new one.
  /// - Throws: ``ReactionClientError/storage(_:)``.
  public init(
    _ ledger: Ledger, user: UserID, directory: any ReactionDirectory,
    after position: Position? = nil, mark: UInt64? = nil
  ) throws(ReactionClientError) {
    let viewer = Viewer(
      ledger: ledger, user: user, directory: directory, mark: mark ?? CommandID().low)
    self.viewer = viewer
    let now = try viewer.reading { (snapshot: borrowing Snapshot) throws(LedgerError) in
      try snapshot.position
    }
    listening = ListenerTable(viewer, after: position ?? now)
  }

  deinit { listening.stop() }

  /// Who is signed in.
  public var user: UserID { viewer.user }

  /// What this client's commands carry in their ids, so that it knows its own changes again.
  public var mark: UInt64 { viewer.mark }
}
