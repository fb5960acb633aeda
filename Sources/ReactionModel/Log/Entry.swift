/// What everything in the log has: where it stands, when and why, and who asked for it.
public struct Entry: Hashable, Sendable {
  /// Its sequence, 1 for the first record.
  public let sequence: UInt64
  /// The record, users as numbers.
  public let record: Record
  /// Whose reaction it is, or was erased; `nil` once erased, and in other notices.
  public let user: UserID?
  /// Who asked for it, if not the user; `nil` also once erased.
  public let actor: UserID?

  /// Makes an entry.
  public init(sequence: UInt64, record: Record, user: UserID?, actor: UserID?) {
    self.sequence = sequence
    self.record = record
    self.user = user
    self.actor = actor
  }
}
