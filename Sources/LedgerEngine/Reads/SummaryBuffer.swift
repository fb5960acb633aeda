internal import ReactionCodec
public import ReactionModel

/// The summaries of one or several messages in memory that is used again.
///
/// ``Snapshot/read(summariesOf:viewer:into:)`` fills it. It holds plain bytes and numbers, which
/// stay good after the snapshot; once it has been as full as it gets, filling it allocates nothing.
/// It tells the same as a ``MessageSummary`` for each message.
public struct SummaryBuffer: Sendable {
  /// What one message shows.
  public struct Message: Sendable {
    /// How many events there have been on the message.
    public let eventCount: Int
    /// The sequence of the last one, 0 if there has been none.
    public let sequence: UInt64
    /// Where in ``SummaryBuffer/reactions`` its live reactions are, in order of opening.
    public let reactions: Range<Int>
  }

  /// What one reaction on a message shows.
  public struct Item: Sendable {
    /// How many users have it.
    public let count: Int
    /// Whether the user who asks is among them; false if nobody was named.
    public internal(set) var reactedByMe: Bool
    /// Where in ``SummaryBuffer/users`` the three are who have had it longest, in order of adding.
    public let firstUsers: Range<Int>
    /// Where the reaction is in the rows.
    let text: Range<Int>
    /// The sequence of the add that opened it.
    let opened: UInt64
    /// Whether its row holds only the first three of its users.
    let isSpilled: Bool
  }

  /// One for each message that was asked for, in that order.
  public internal(set) var messages: [Message] = []
  /// The live reactions of all messages.
  public internal(set) var reactions: [Item] = []
  /// The first users of all reactions.
  public internal(set) var users = UserNames()
  /// The rows of all messages, as they are stored.
  var rows: [UInt8] = []
  /// The key of the message that is looked for.
  var key = MessageKeyBuffer()

  /// Makes an empty buffer.
  public init() {}

  /// The bytes of a reaction in canonical form, in UTF-8.
  ///
  /// - Parameter item: One of this buffer's ``reactions``.
  /// - Returns: The bytes, for as long as the buffer is not changed.
  @_lifetime(borrow self)
  public func text(of item: Item) -> Span<UInt8> { rows.span.extracting(item.text) }

  /// A reaction in canonical form.
  ///
  /// - Parameter item: One of this buffer's ``reactions``.
  /// - Returns: The reaction.
  public func reaction(of item: Item) -> Reaction {
    do {
      return try Reaction(canonical: text(of: item))
    } catch {
      preconditionFailure("a reaction was checked when it was read, and is none: \(error)")
    }
  }

  /// Empties it and keeps its memory.
  public mutating func clear() {
    messages.removeAll(keepingCapacity: true)
    reactions.removeAll(keepingCapacity: true)
    users.clear()
    rows.removeAll(keepingCapacity: true)
  }
}
