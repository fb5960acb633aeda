public import LedgerHash
public import ReactionModel

/// What proves to someone who has only a checkpoint that a record is in the log, and whose it is.
///
/// Without its openings it tells nothing of who the users are.
public struct RecordEvidence: Hashable, Sendable {
  /// A record and its place in the tree.
  public struct Leaf: Hashable, Sendable {
    /// The record's sequence.
    public let sequence: UInt64
    /// The record's bytes without its seal: what the leaf hash is of.
    public let entry: [UInt8]
    /// The hashes that lead from the leaf to the root, its sibling's first.
    public let path: [Digest]
  }

  /// The record.
  public let record: Leaf
  /// The records, other than that one, that first mention its users, in the order of these.
  public let introductions: [Leaf]
  /// The users that the record mentions, its own and then its actor, each once, and what opens the
  /// commitment to them, unless they are erased.
  public let users: [LoggedRecord.Introduction]
}
