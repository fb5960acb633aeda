public import ReactionModel

/// Says what a ``ReactionsRequest`` is to fetch.
public struct ReactionsRequestBuilder: Sendable {
  private let viewer: Viewer
  private let messageID: MessageID?
  private let conversation: Conversation?
  private var reaction: String?
  private var limit = PageLimit.standard

  init(_ viewer: Viewer, _ messageID: MessageID?, _ conversation: Conversation?) {
    self.viewer = viewer
    self.messageID = messageID
    self.conversation = conversation
  }

  /// Only this reaction, in any form; `nil` for all, which is the default.
  public func setReaction(_ reaction: String?) -> ReactionsRequestBuilder {
    var builder = self
    builder.reaction = reaction
    return builder
  }

  /// The most reactions on a page, 1 to 100; 30 if not set.
  public func setLimit(_ limit: Int) -> ReactionsRequestBuilder {
    var builder = self
    builder.limit = limit
    return builder
  }

  /// Makes the request.
  ///
  /// - Throws: ``ReactionClientError``: `limitExceeded`, `limitNotPositive`, `invalidReaction`.
  public func build() throws(ReactionClientError) -> ReactionsRequest {
    try PageLimit.require(limit)
    var wanted: Reaction?
    if let reaction { wanted = try LedgerClient.reaction(reaction) }
    return ReactionsRequest(viewer, messageID, conversation, wanted, limit: limit)
  }
}

extension LedgerClient {
  /// A builder of requests for the reactions on a message.
  ///
  /// - Parameters:
  ///   - message: The message's id.
  ///   - conversation: Where it is, for hosts whose message ids are not unique by themselves.
  /// - Returns: The builder.
  public func reactionsRequestBuilder(
    messageID message: some MessageReference, in conversation: Conversation? = nil
  ) -> ReactionsRequestBuilder {
    ReactionsRequestBuilder(viewer, message.messageID, conversation)
  }
}
