/// Who is told of reactions that others give and take away.
///
/// The functions are called one after the other, in the order of the ledger; the next change waits
/// until they return. All do nothing unless implemented.
public protocol ReactionListener: Sendable {
  /// A reaction was added to a message in a conversation of the user's.
  func onMessageReactionAdded(_ event: ReactionEvent) async

  /// A reaction was removed from a message in a conversation of the user's.
  func onMessageReactionRemoved(_ event: ReactionEvent) async

  /// A command changed a message in a conversation of the user's; told after the events of the same
  /// change.
  func messageReactionDidChange(_ change: ReactionChange) async

  /// The feed has ended with an error. It goes on after ``LedgerClient/position`` when a listener is
  /// added.
  func reactionFeedDidFail(_ error: ReactionClientError) async
}

extension ReactionListener {
  /// Does nothing.
  public func onMessageReactionAdded(_ event: ReactionEvent) async {}
  /// Does nothing.
  public func onMessageReactionRemoved(_ event: ReactionEvent) async {}
  /// Does nothing.
  public func messageReactionDidChange(_ change: ReactionChange) async {}
  /// Does nothing.
  public func reactionFeedDidFail(_ error: ReactionClientError) async {}
}
