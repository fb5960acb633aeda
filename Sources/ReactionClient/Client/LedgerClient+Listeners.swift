public import ReactionModel

extension LedgerClient {
  /// Adds a listener under an id; one that has the id already goes.
  ///
  /// Listeners hear of changes in conversations of which the user is a member, on messages that the
  /// directory knows, and not of this client's own. With the first one begins the feed, after the
  /// position that the client was given or was made at; those added later hear what comes then.
  ///
  /// - Parameters:
  ///   - id: A name for the listener.
  ///   - listener: Who is told; kept until it is removed.
  public func addReactionListener(id: String, _ listener: any ReactionListener) {
    listening.add(listener, id: id)
  }

  /// Removes a listener, if it is there: no call to it begins after this returns.
  ///
  /// - Parameter id: The name it was added under.
  public func removeReactionListener(id: String) { listening.remove(id: id) }

  /// Removes all listeners and ends the feed.
  ///
  /// When a listener is added again, it hears what came since. A client that goes does this by
  /// itself, but a listener that holds its client keeps it.
  public func stopListening() { listening.stop() }

  /// Up to where the listeners were told everything: save it to go on after it next time.
  ///
  /// It passes over own changes and those of other conversations as well.
  public var position: Position { listening.position }

  /// What the feed ended with, if it failed; `nil` again once a listener is added.
  public var failure: ReactionClientError? { listening.failure }

  /// What the listeners are told, as a sequence that each reader goes through at its own pace.
  ///
  /// - Parameter position: Where to begin; `nil` for ``position``.
  /// - Returns: The changes, without end.
  public func changes(after position: Position? = nil) -> ReactionChanges {
    ReactionChanges(viewer: viewer, start: position ?? listening.position)
  }
}
